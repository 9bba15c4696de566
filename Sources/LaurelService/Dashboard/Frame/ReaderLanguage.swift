// SPDX-License-Identifier: Apache-2.0

import LaurelHTTP
import LaurelReports
import Synchronization

/// The language of a page's reader. The reader chooses it at the foot of a page. Without a choice, the header field
/// `Accept-Language` decides.
enum ReaderLanguage {
    /// The cookie with the choice, which is kept for a year.
    static let cookie = "laurel_language"
    private static let seconds = 365 * 86_400

    /// The texts for the reader of the answer to a request.
    static func texts(for head: HTTPRequestHead) -> LocaleText {
        head.cookie(cookie).flatMap(texts(for:)) ?? texts(head.headers["Accept-Language"])
    }

    /// The header field that sets the cookie; nil for a language without texts.
    static func header(_ language: String, for head: HTTPRequestHead) -> String? {
        guard LocaleText.languages.contains(where: { $0.tag == language }) else { return nil }
        let secure = head.isSecure ? "; Secure" : ""
        return "\(cookie)=\(language); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)\(secure)"
    }

    /// The texts by locale. They are cached, because their formatters are slow to create.
    private static let cached = Mutex<[String: LocaleText]>([:])
    /// The maximum number of cached locales. It is limited, because any client can name any locale.
    private static let mostCached = 100

    /// The texts in the first language of the header for which Laurel has texts; otherwise the English texts.
    /// - Parameter header: the field's value, such as `de-AT, de;q=0.9, en;q=0.5`.
    static func texts(_ header: String?) -> LocaleText {
        choices(header ?? "").lazy.compactMap(texts(for:)).first ?? .english
    }

    private static func texts(for tag: String) -> LocaleText? {
        if let texts = cached.withLock({ $0[tag] }) { return texts }
        guard let texts = LocaleText.shipped(for: tag) else { return nil }
        add(texts, for: tag)
        return texts
    }

    static func add(_ texts: LocaleText, for tag: String) {
        cached.withLock { cached in
            if cached.count >= mostCached { cached = [:] }
            cached[tag] = texts
        }
    }

    /// The language tags of the header, the preferred ones first.
    private static func choices(_ header: String) -> [String] {
        let choices = header.split(separator: ",").prefix(16).compactMap { choice in
            let parts = choice.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return parts.first.map { (tag: $0, quality: quality) }
        }
        let wanted = choices.filter { $0.quality > 0 && $0.tag.utf8.count <= 35 && $0.tag.utf8.allSatisfy(isTagByte) }
        let order = wanted.indices.sorted { (wanted[$1].quality, $0) < (wanted[$0].quality, $1) }
        return order.map { wanted[$0].tag.replacing("-", with: "_") }
    }

    private static func isTagByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
