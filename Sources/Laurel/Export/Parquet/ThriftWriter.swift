// SPDX-License-Identifier: Apache-2.0

import LaurelStore

/// Writes structures in Thrift's compact protocol, in which Parquet describes its pages and columns.
///
/// A structure is a list of fields, and ends with a zero byte. Each field begins with the distance from the previous
/// field's number (high four bits) and its type (low four bits). Numbers are zigzag-encoded in groups of seven bits.
struct ThriftWriter {
    private enum FieldType: UInt8 {
        case yes = 1, no, i32 = 5, i64, binary = 8, list, structure = 12
    }

    private(set) var bytes: [UInt8] = []
    /// The number of the previous field in the present structure.
    private var last: UInt8 = 0

    mutating func i32(_ number: UInt8, _ value: Int) {
        begin(number, .i32)
        put(signed: Int64(value))
    }

    mutating func i64(_ number: UInt8, _ value: Int) {
        begin(number, .i64)
        put(signed: Int64(value))
    }

    mutating func boolean(_ number: UInt8, _ value: Bool) { begin(number, value ? .yes : .no) }

    mutating func text(_ number: UInt8, _ text: String) {
        begin(number, .binary)
        put(text)
    }

    /// Writes a field that is a structure; `body` writes the structure's fields.
    mutating func structure(_ number: UInt8, _ body: (inout ThriftWriter) -> Void) {
        begin(number, .structure)
        put(body)
    }

    mutating func structures<Element>(
        _ number: UInt8,
        _ elements: [Element],
        _ body: (inout ThriftWriter, Element) -> Void
    ) {
        begin(number, .list)
        putHead(ofList: elements.count, .structure)
        for element in elements { put { body(&$0, element) } }
    }

    mutating func numbers(_ number: UInt8, _ elements: [Int]) {
        begin(number, .list)
        putHead(ofList: elements.count, .i32)
        for element in elements { put(signed: Int64(element)) }
    }

    mutating func texts(_ number: UInt8, _ elements: [String]) {
        begin(number, .list)
        putHead(ofList: elements.count, .binary)
        for element in elements { put(element) }
    }

    /// Ends the outermost structure.
    mutating func end() { bytes.append(0) }

    private mutating func begin(_ number: UInt8, _ type: FieldType) {
        precondition(number > last && number - last < 16, "fields are written in the order of their numbers")
        bytes.append((number - last) << 4 | type.rawValue)
        last = number
    }

    private mutating func putHead(ofList count: Int, _ type: FieldType) {
        if count < 15 {
            bytes.append(UInt8(count) << 4 | type.rawValue)
        } else {
            bytes.append(0xF0 | type.rawValue)
            bytes.append(varint: UInt64(count))
        }
    }

    private mutating func put(_ body: (inout ThriftWriter) -> Void) {
        let outer = last
        last = 0
        body(&self)
        bytes.append(0)
        last = outer
    }

    private mutating func put(_ text: String) {
        bytes.append(varint: UInt64(text.utf8.count))
        bytes += text.utf8
    }

    private mutating func put(signed value: Int64) {
        bytes.append(zigzag: value)
    }
}

extension [UInt8] {
    /// Appends a number's bytes, the lowest first.
    mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
