// SPDX-License-Identifier: Apache-2.0

/// The meaning of a plain scalar whose type does not follow from its position in the file. It follows the core schema
/// of YAML 1.2, without octal and hexadecimal numbers.
package enum PlainScalar {
    case null, boolean(Bool), number(Double), text

    package init(_ text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .boolean(true)
        case "false", "False", "FALSE": self = .boolean(false)
        default: self = Self.number(text).map(Self.number) ?? .text
        }
    }

    /// The finite number in `text`; nil if there is none. The text may be spelled as in JSON. It may also have a plus
    /// sign, and no digits before or after the point.
    package static func number(_ text: String) -> Double? {
        let digits = text.utf8
        guard digits.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), digits.count <= 400,
            digits.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    package static func isJSONNumber(_ text: String) -> Bool {
        guard number(text) != nil else { return false }
        let unsigned = text.utf8.drop { $0 == UInt8(ascii: "-") }
        let isSigned = text.utf8.first == UInt8(ascii: "-")
        guard unsigned.count == text.utf8.count - (isSigned ? 1 : 0) else { return false }
        let whole = unsigned.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let isPadded = whole.count > 1 && whole.first == UInt8(ascii: "0")
        let afterPoint = unsigned.dropFirst(whole.count)
        let lacksFraction =
            afterPoint.first == UInt8(ascii: ".") && !(afterPoint.dropFirst().first.map(isDigit) ?? false)
        return !whole.isEmpty && !isPadded && !lacksFraction
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
