// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelWire

/// A coding key whose member may be left out of the JSON if its value is nil. Members with other keys are written as
/// null.
package protocol OmittableKey: CodingKey {
    var isOmittedIfNil: Bool { get }
}

/// A JSON writer. It contains the bytes written so far and the open containers.
///
/// Results encode one member after another. So a container is closed as soon as an outer container is written to, and
/// every byte is final. `JSONEncoder` keeps all values until the end, because it sorts members itself.
final class JSONOutput {
    private(set) var bytes: [UInt8] = []
    /// The closing brackets of the open containers, the outermost first.
    private var closings: [UInt8] = []
    /// True if the next member or element is the first of its container.
    private var isFirst = true

    var depth: Int { closings.count }

    func encode(_ value: some Encodable) throws {
        switch value {
        case let date as Date: write(Timestamp.utc(date.milliseconds))
        case let text as String: write(text)
        default:
            let (start, depth) = (bytes.count, depth)
            try value.encode(to: ValueEncoder(output: self, depth: depth))
            if bytes.count == start { open("{", "}") }
            close(downTo: depth)
        }
    }

    // MARK: Containers

    /// Opens an object inside `depth` containers, or continues the object that is open at that depth.
    func openObject(at depth: Int) {
        close(downTo: depth + 1)
        if self.depth == depth { open("{", "}") }
    }

    func openList(at depth: Int) {
        close(downTo: depth + 1)
        if self.depth == depth { open("[", "]") }
    }

    private func open(_ opening: Unicode.Scalar, _ closing: Unicode.Scalar) {
        bytes.append(UInt8(ascii: opening))
        closings.append(UInt8(ascii: closing))
        isFirst = true
    }

    func close(downTo depth: Int) {
        while closings.count > depth {
            bytes.append(closings.removeLast())
            isFirst = false
        }
    }

    /// - Parameter depth: the number of open containers around the member, including the member's own.
    func beginMember(_ key: some CodingKey, at depth: Int) {
        beginElement(at: depth)
        write(key.stringValue)
        bytes.append(UInt8(ascii: ":"))
    }

    func beginElement(at depth: Int) {
        close(downTo: depth)
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    // MARK: Values

    func writeNull() { JSONWriter.write("null", to: &bytes) }
    func write(_ text: String) { JSONWriter.write(string: text.utf8, to: &bytes) }
    func write(_ value: Bool) { JSONWriter.write(value ? "true" : "false", to: &bytes) }

    func write(_ number: some BinaryInteger) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        JSONWriter.write(magnitude: UInt64(number.magnitude), to: &bytes)
    }

    /// Writes a whole number without a decimal point. Any other number is written in the shortest spelling that reads
    /// back as the same number. NaN and infinity become null.
    func write(_ number: Double) {
        if let whole = Int64(exactly: number) {
            JSONWriter.write(integer: whole, to: &bytes)
        } else if number.isFinite {
            JSONWriter.write(double: number, to: &bytes)
        } else {
            writeNull()
        }
    }
}

/// The encoder of one value.
private struct ValueEncoder: Encoder {
    let output: JSONOutput
    /// The number of containers that are open around the value.
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        output.openObject(at: depth)
        return KeyedEncodingContainer(Members(output: output, depth: depth + 1))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        output.openList(at: depth)
        return Elements(output: output, depth: depth + 1)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValue(output: output) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: JSONOutput
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        output.beginMember(key, at: depth)
        output.writeNull()
    }

    func encode(_ value: Bool, forKey key: Key) {
        output.beginMember(key, at: depth)
        output.write(value)
    }

    func encode(_ value: String, forKey key: Key) {
        output.beginMember(key, at: depth)
        output.write(value)
    }

    func encode(_ value: Double, forKey key: Key) {
        output.beginMember(key, at: depth)
        output.write(value)
    }

    func encode(_ value: Int, forKey key: Key) {
        output.beginMember(key, at: depth)
        output.write(value)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        output.beginMember(key, at: depth)
        try output.encode(value)
    }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) { put(value, key) { output.write($0) } }
    func encodeIfPresent(_ value: String?, forKey key: Key) { put(value, key) { output.write($0) } }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { put(value, key) { output.write($0) } }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { put(value, key) { output.write($0) } }
    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
        try put(value, key) { try output.encode($0) }
    }

    private func put<Value>(_ value: Value?, _ key: Key, _ write: (Value) throws -> Void) rethrows {
        if value == nil, (key as? any OmittableKey)?.isOmittedIfNil ?? false { return }
        output.beginMember(key, at: depth)
        if let value { try write(value) } else { output.writeNull() }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        output.beginMember(key, at: depth)
        output.openObject(at: depth)
        return KeyedEncodingContainer(Members<Nested>(output: output, depth: depth + 1))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        output.beginMember(key, at: depth)
        output.openList(at: depth)
        return Elements(output: output, depth: depth + 1)
    }

    func superEncoder() -> any Encoder { ValueEncoder(output: output, depth: depth) }
    func superEncoder(forKey key: Key) -> any Encoder {
        output.beginMember(key, at: depth)
        return ValueEncoder(output: output, depth: depth)
    }
}

private struct Elements: UnkeyedEncodingContainer {
    let output: JSONOutput
    let depth: Int
    private(set) var count = 0

    init(output: JSONOutput, depth: Int) { (self.output, self.depth) = (output, depth) }

    var codingPath: [any CodingKey] { [] }

    private mutating func begin() {
        output.beginElement(at: depth)
        count += 1
    }

    mutating func encodeNil() {
        begin()
        output.writeNull()
    }

    mutating func encode(_ value: some Encodable) throws {
        begin()
        try output.encode(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        begin()
        output.openObject(at: depth)
        return KeyedEncodingContainer(Members<Nested>(output: output, depth: depth + 1))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        begin()
        output.openList(at: depth)
        return Elements(output: output, depth: depth + 1)
    }

    mutating func superEncoder() -> any Encoder {
        begin()
        return ValueEncoder(output: output, depth: depth)
    }
}

private struct SingleValue: SingleValueEncodingContainer {
    let output: JSONOutput

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { output.writeNull() }
    func encode(_ value: Bool) { output.write(value) }
    func encode(_ value: String) { output.write(value) }
    func encode(_ value: Double) { output.write(value) }
    func encode(_ value: Float) { output.write(Double(value)) }
    func encode(_ value: Int) { output.write(value) }
    func encode(_ value: Int8) { output.write(value) }
    func encode(_ value: Int16) { output.write(value) }
    func encode(_ value: Int32) { output.write(value) }
    func encode(_ value: Int64) { output.write(value) }
    func encode(_ value: UInt) { output.write(value) }
    func encode(_ value: UInt8) { output.write(value) }
    func encode(_ value: UInt16) { output.write(value) }
    func encode(_ value: UInt32) { output.write(value) }
    func encode(_ value: UInt64) { output.write(value) }
    func encode(_ value: some Encodable) throws { try output.encode(value) }
}
