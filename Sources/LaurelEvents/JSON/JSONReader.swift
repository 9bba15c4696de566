// SPDX-License-Identifier: Apache-2.0

import CEventJSON

/// Reads values out of a text that the parser found valid.
struct JSONReader {
    let text: [UInt8]
    private var position = 0

    init(text: [UInt8]) { self.text = text }

    /// True if only white space follows.
    mutating func atEnd() -> Bool {
        skipSpace()
        return position == text.count
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < text.count, text[position] <= 0x20 { position += 1 }
    }

    /// Reads a value. The parser bounds the depth; deeper values are not read.
    mutating func value(depth: Int) -> JSONTree? {
        skipSpace()
        guard position < text.count, depth <= Int(LAUREL_JSON_MAX_DEPTH) else { return nil }
        switch text[position] {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        default: return scalar()
        }
    }

    private mutating func array(depth: Int) -> JSONTree? {
        position += 1
        var elements: [JSONTree] = []
        if take("]") { return .array(elements) }
        repeat {
            guard let element = value(depth: depth + 1) else { return nil }
            elements.append(element)
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    private mutating func object(depth: Int) -> JSONTree? {
        position += 1
        var members: [(key: [UInt8], value: JSONTree)] = []
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard let key = string(), take(":"), let value = value(depth: depth + 1) else { return nil }
            members.append((key, value))
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func scalar() -> JSONTree? {
        let start = position
        while position < text.count, !",:]}".utf8.contains(text[position]), text[position] > 0x20 { position += 1 }
        let token = text[start..<position]
        if token.elementsEqual("null".utf8) { return .null }
        if token.elementsEqual("true".utf8) { return .yes }
        if token.elementsEqual("false".utf8) { return .no }
        var payload: UInt64 = 0
        let kind = token.withUnsafeBufferPointer { laurel_json_read_number($0.baseAddress, $0.count, &payload) }
        switch Int(kind) {
        case LAUREL_JSON_INTEGER: return .integer(Int64(bitPattern: payload))
        case LAUREL_JSON_DOUBLE: return .double(Double(bitPattern: payload))
        case LAUREL_JSON_SPELLED: return .spelled(Array(token))
        default: return nil
        }
    }

    private mutating func string() -> [UInt8]? {
        guard position < text.count, text[position] == UInt8(ascii: "\"") else { return nil }
        position += 1
        var units: [UInt8] = []
        while position < text.count {
            let byte = text[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return units
            case UInt8(ascii: "\\"): guard readEscape(&units) else { return nil }
            default: units.append(byte)
            }
        }
        return nil
    }

    private mutating func readEscape(_ units: inout [UInt8]) -> Bool {
        guard position < text.count else { return false }
        let byte = text[position]
        position += 1
        switch byte {
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"): return readUnicode(&units)
        default: units.append(byte)
        }
        return true
    }

    private mutating func readUnicode(_ units: inout [UInt8]) -> Bool {
        guard let first = hexadecimal() else { return false }
        var scalar = first
        if 0xD800...0xDBFF ~= first {
            position += 2
            guard let second = hexadecimal(), 0xDC00...0xDFFF ~= second else { return false }
            scalar = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
        }
        guard let unicode = Unicode.Scalar(scalar) else { return false }
        units.append(contentsOf: UTF8.encode(unicode)!)
        return true
    }

    private mutating func hexadecimal() -> UInt32? {
        guard position + 4 <= text.count else { return nil }
        defer { position += 4 }
        return UInt32(String(decoding: text[position..<position + 4], as: UTF8.self), radix: 16)
    }
}
