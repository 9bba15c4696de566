// SPDX-License-Identifier: Apache-2.0

/// The escapes of JSON in text. The expression language uses the same escapes.
package enum JSONEscape {
    /// Decodes the escape whose backslash is at `start`. Returns its length in bytes and its character; nil if the
    /// escape is invalid. A surrogate pair is one escape of twelve bytes. Half of a pair is invalid.
    package static func decode(_ bytes: [UInt8], at start: Int) -> (length: Int, scalar: Unicode.Scalar)? {
        guard start + 1 < bytes.count else { return nil }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""): return (2, "\"")
        case UInt8(ascii: "\\"): return (2, "\\")
        case UInt8(ascii: "/"): return (2, "/")
        case UInt8(ascii: "b"): return (2, "\u{08}")
        case UInt8(ascii: "f"): return (2, "\u{0C}")
        case UInt8(ascii: "n"): return (2, "\n")
        case UInt8(ascii: "r"): return (2, "\r")
        case UInt8(ascii: "t"): return (2, "\t")
        case UInt8(ascii: "u"): return decodeUnicode(bytes, at: start)
        default: return nil
        }
    }

    private static func decodeUnicode(_ bytes: [UInt8], at start: Int) -> (length: Int, scalar: Unicode.Scalar)? {
        guard let high = codeUnit(bytes, at: start) else { return nil }
        if let scalar = Unicode.Scalar(high) { return (6, scalar) }
        guard (0xD800...0xDBFF).contains(high), bytes.has("\\", at: start + 6), bytes.has("u", at: start + 7),
            let low = codeUnit(bytes, at: start + 6), (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { return nil }
        return (12, scalar)
    }

    private static func codeUnit(_ bytes: [UInt8], at start: Int) -> UInt32? {
        guard start + 6 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[start + 2..<start + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
