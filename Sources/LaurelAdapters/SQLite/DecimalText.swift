// SPDX-License-Identifier: Apache-2.0

/// A number as people write it in spreadsheets, such as `1.234,5` or `85 %`.
struct DecimalText {
    let value: Double

    /// The signs that may separate groups of three digits: point, comma, apostrophe, and three kinds of space.
    private static let groupSigns = Set(".,' \u{A0}\u{202F}\u{2019}".unicodeScalars)

    /// - Parameter sign: the decimal sign, one byte.
    /// - Returns: nil if the text is not a number.
    init?(_ text: [UInt8], sign: [UInt8]) {
        guard let sign = String(decoding: sign, as: UTF8.self).unicodeScalars.first else { return nil }
        var scalars = String(decoding: text, as: UTF8.self).unicodeScalars[...]
        func isSpace(_ scalar: Unicode.Scalar?) -> Bool { scalar == " " || scalar == "\u{A0}" || scalar == "\u{202F}" }
        while isSpace(scalars.first) { scalars.removeFirst() }
        while isSpace(scalars.last) { scalars.removeLast() }
        let isPercent = scalars.last == "%"
        if isPercent { scalars.removeLast() }
        while isSpace(scalars.last) { scalars.removeLast() }
        let isNegative = scalars.first == "-" || scalars.first == "\u{2212}"
        if isNegative || scalars.first == "+" { scalars.removeFirst() }
        let parts = scalars.split(separator: sign, maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = DecimalText.digits(of: parts[0], sign) else { return nil }
        let fraction = parts.count > 1 ? String(String.UnicodeScalarView(parts[1])) : ""
        guard fraction.utf8.allSatisfy({ 48...57 ~= $0 }), !(whole + fraction).isEmpty,
            let number = Double("\(whole.isEmpty ? "0" : whole).\(fraction.isEmpty ? "0" : fraction)"), number.isFinite
        else { return nil }
        value = (isNegative ? -number : number) / (isPercent ? 100 : 1)
    }

    /// The digits before the decimal sign. Groups after the first have three digits.
    private static func digits(of part: Substring.UnicodeScalarView, _ sign: Unicode.Scalar) -> String? {
        let groups = part.split(omittingEmptySubsequences: false) { $0 != sign && groupSigns.contains($0) }
        let isGrouped = groups.dropFirst().allSatisfy { $0.count == 3 }
        let digits = groups.map { String(String.UnicodeScalarView($0)) }.joined()
        guard groups.count == 1 || (isGrouped && 1...3 ~= groups[0].count) else { return nil }
        return digits.utf8.allSatisfy { 48...57 ~= $0 } ? digits : nil
    }
}
