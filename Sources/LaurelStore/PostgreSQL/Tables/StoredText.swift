// SPDX-License-Identifier: Apache-2.0

/// Converts texts to a form that PostgreSQL can store: UTF-8 without U+0000.
/// U+0000 is stored as U+0001 U+0001, and U+0001 as U+0001 U+0002. This keeps the order of texts by bytes. Refused
/// lines may contain bytes that are not UTF-8. Such a byte is stored as U+0001 U+0003 and two hexadecimal digits.
enum StoredText {
    private static let mark: UInt8 = 1
    private static let digits = Array("0123456789abcdef".utf8)

    static func stored(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(where: { $0 <= mark || $0 >= 0x80 }) else { return text }
        if !text.contains(where: { $0 <= mark }), String(validating: text, as: UTF8.self) != nil { return text }
        var result: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            let length = characterLength(rest)
            switch byte {
            case 0: result += [mark, 1]
            case mark: result += [mark, 2]
            case _ where length == 0: result += [mark, 3, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: result += rest.prefix(length)
            }
            rest = rest.dropFirst(max(1, length))
        }
        return result
    }

    static func stored(_ text: String) -> [UInt8] { stored(Array(text.utf8)) }

    static func read(_ stored: [UInt8]) -> [UInt8] {
        guard stored.contains(mark) else { return stored }
        var result: [UInt8] = []
        var rest = stored[...]
        while let byte = rest.popFirst() {
            guard byte == mark, let kind = rest.popFirst() else {
                result.append(byte)
                continue
            }
            switch kind {
            case 1: result.append(0)
            case 3:
                result.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            default: result.append(mark)
            }
        }
        return result
    }

    /// The length in bytes of the UTF-8 character at the start of some bytes; 0 if no valid character starts there.
    private static func characterLength(_ bytes: ArraySlice<UInt8>) -> Int {
        let length =
            switch bytes.first! {
            case 0..<0x80: 1
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 0
            }
        guard length > 0, bytes.count >= length,
            String(validating: bytes.prefix(length), as: UTF8.self) != nil
        else { return 0 }
        return length
    }
}
