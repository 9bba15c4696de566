// SPDX-License-Identifier: Apache-2.0

/// A statement's parameter in the server's binary format.
package struct Parameter: Sendable {
    /// The OID of the parameter's type.
    let type: UInt32
    private let content: Content

    private enum Content: Sendable {
        /// A single value; nil for null.
        case value([UInt8]?)
        case list(ParameterList)
    }

    /// The encoded bytes; nil for null.
    var bytes: [UInt8]? {
        switch content {
        case .value(let bytes): bytes
        case .list(let list): list.array
        }
    }

    /// The approximate size, in bytes.
    package var size: Int {
        switch content {
        case .value(let bytes): bytes?.count ?? 0
        case .list(let list): list.size
        }
    }

    private init(_ type: ValueType, _ bytes: [UInt8]?) { (self.type, content) = (type.rawValue, .value(bytes)) }

    package static func integer(_ value: Int64?) -> Parameter { Parameter(.int8, value.map(bigEndian)) }
    package static func count(_ value: Int) -> Parameter { integer(Int64(value)) }
    package static func real(_ value: Double?) -> Parameter {
        Parameter(.float8, value.map { bigEndian($0.bitPattern) })
    }
    package static func truth(_ value: Bool) -> Parameter { Parameter(.bool, [value ? 1 : 0]) }
    /// A text in UTF-8 without NUL; nil for null.
    package static func text(_ value: [UInt8]?) -> Parameter { Parameter(.text, value) }
    package static func text(_ value: String?) -> Parameter { Parameter(.text, value.map { Array($0.utf8) }) }
    package static func bytes(_ value: [UInt8]?) -> Parameter { Parameter(.bytea, value) }

    package static func integers(_ values: some Sequence<Int64>) -> Parameter {
        var list = ParameterList(.int8)
        for value in values { list.append(value) }
        return list.parameter
    }

    /// An array of integers; nil for null.
    package static func integers(orNull values: [Int64]?) -> Parameter {
        values.map { integers($0) } ?? Parameter(nullArrayOf: .int8)
    }

    package static func texts(_ values: some Sequence<[UInt8]>) -> Parameter {
        var list = ParameterList(.text)
        for value in values { list.append(value) }
        return list.parameter
    }

    package static func list(_ list: ParameterList) -> Parameter { list.parameter }

    private init(nullArrayOf type: ValueType) { (self.type, content) = (type.array, .value(nil)) }
    fileprivate init(_ list: ParameterList) { (type, content) = (list.type.array, .list(list)) }
}

/// The types of parameters' values.
package enum ValueType: UInt32, Sendable {
    case bool = 16
    case bytea = 17
    case int8 = 20
    case text = 25
    case float8 = 701

    /// The OID of arrays of the type.
    fileprivate var array: UInt32 {
        switch self {
        case .bool: 1000
        case .bytea: 1001
        case .int8: 1016
        case .text: 1009
        case .float8: 1022
        }
    }
}

/// A list of values of one type, which may contain nulls. It is sent as an array, which `unnest` turns into rows.
package struct ParameterList: Sendable {
    fileprivate let type: ValueType
    private var bytes: [UInt8] = []
    package private(set) var count = 0
    private var hasNulls = false

    package init(_ type: ValueType) { self.type = type }

    package mutating func append(_ value: Int64) { append(word: UInt64(bitPattern: value)) }
    package mutating func append(_ value: Double) { append(word: value.bitPattern) }

    /// Appends a text or bytes. A list that becomes too long is refused when it is sent.
    package mutating func append(_ value: some Collection<UInt8>) {
        append(length: Int32(truncatingIfNeeded: value.count))
        bytes += value
        count += 1
    }

    package mutating func append(_ value: Bool) {
        append(length: 1)
        bytes.append(value ? 1 : 0)
        count += 1
    }

    package mutating func appendNull() {
        append(length: -1)
        count += 1
        hasNulls = true
    }

    private mutating func append(word: UInt64) {
        append(length: 8)
        withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
        count += 1
    }

    private mutating func append(length: Int32) { withUnsafeBytes(of: length.bigEndian) { bytes += $0 } }

    fileprivate var parameter: Parameter { Parameter(self) }

    /// The approximate size with the header, in bytes.
    fileprivate var size: Int { 20 + bytes.count }

    /// The list in the server's binary format.
    fileprivate var array: [UInt8] {
        // The header has the number of dimensions, a flag for nulls and the elements' type. Then come the length and
        // the first index of the only dimension.
        var array: [UInt8] = []
        array.reserveCapacity(size)
        let numbers: [UInt32] = [count == 0 ? 0 : 1, hasNulls ? 1 : 0, type.rawValue]
        for number in numbers + (count == 0 ? [] : [UInt32(truncatingIfNeeded: count), 1]) {
            withUnsafeBytes(of: number.bigEndian) { array += $0 }
        }
        return array + bytes
    }
}

private func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
}
