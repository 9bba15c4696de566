// SPDX-License-Identifier: Apache-2.0

/// The spelling of values in the expressions of rules.
package enum ExpressionLiteral {
    /// The shortest spelling that reads back as the same number. Whole numbers have no decimal point: 50, but 0.5. NaN
    /// is null.
    package static func spell(_ number: Double) -> String {
        if number.isNaN { return "null" }
        if let whole = Int64(exactly: number) { return "\(whole)" }
        return "\(number)"
    }

    private static let longestText = 60

    /// The text in quotes. A long text is truncated.
    package static func spell(_ text: String) -> String {
        let shown = text.count > longestText ? text.prefix(longestText) + "…" : text[...]
        var bytes: [UInt8] = []
        JSONWriter.write(string: shown.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
