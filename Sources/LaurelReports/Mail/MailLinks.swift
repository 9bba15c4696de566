// SPDX-License-Identifier: Apache-2.0

/// The addresses to which a message links. An address that is not configured is nil. In each address, `{learner}`
/// stands for the learner's id.
package struct MailLinks: Sendable {
    /// The address of the app, which the button opens. Its scheme is `https:`.
    package var app: MailLink?
    /// The address of the page with the whole report. Its scheme is `https:`.
    package var page: MailLink?
    /// The address at which the learner can unsubscribe. Its scheme is `https:` or `mailto:`.
    package var unsubscribe: MailLink?

    package init(app: MailLink? = nil, page: MailLink? = nil, unsubscribe: MailLink? = nil) {
        (self.app, self.page, self.unsubscribe) = (app, page, unsubscribe)
    }
}

/// An address in which `{learner}` stands for the learner's id.
package struct MailLink: Sendable {
    private static let mostBytes = 500

    private let pattern: String

    /// - Parameter schemes: the accepted schemes, such as `https:`.
    /// - Returns: nil if the text is not an address with such a scheme.
    package init?(_ pattern: String, schemes: [String] = ["https:"]) {
        let isPlain = pattern.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3C && $0 != 0x3E }
        guard isPlain, schemes.contains(where: pattern.hasPrefix), pattern.utf8.count < MailLink.mostBytes else {
            return nil
        }
        self.pattern = pattern
    }

    /// The address for a learner.
    func address(of learner: String) -> String {
        let escaped = learner.utf8.map { byte in
            let isPlain =
                (byte >= 48 && byte <= 57) || (byte | 0x20 >= 97 && byte | 0x20 <= 122)
                || "-._~".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + QuotedPrintable.hexadecimal(byte).dropFirst()
        }.joined()
        return pattern.split(separator: "{learner}", omittingEmptySubsequences: false).joined(separator: escaped)
    }
}
