// SPDX-License-Identifier: Apache-2.0

/// Makes text from data safe for a terminal.
enum Visible {
    /// Escapes control characters and characters that change the text direction, because data must not control a
    /// terminal.
    static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case _ where !isUnsafe(scalar): String(scalar)
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }.joined()
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0..<0x20, 0x7F...0x9F: true
        case 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
