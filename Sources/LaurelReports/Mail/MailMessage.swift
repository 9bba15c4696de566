// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress

/// A mail message in the format of RFC 5322. It contains the report as a web page and as plain text.
struct MailMessage {
    /// The sender; nil in a draft without a sender.
    var from: Mailbox?
    /// The recipient; nil in a draft without a recipient.
    var to: Mailbox?
    var subject: String
    var date: Timestamp
    /// The identity of the message. Its `Message-ID` is made from this text.
    var key: String
    /// The address at which the learner can unsubscribe; nil if none is configured.
    var unsubscribe: String?
    var language: String
    var plain: String
    var html: String
    /// True if a person completes and sends the message with a mail program.
    var isDraft = false

    /// The recommended length of a line, in characters.
    private static let usualLine = 76

    var text: String {
        let hash = SHA256.hash(Array(key.utf8)).hexadecimal.prefix(32)
        // No line of the parts can begin with this boundary. In quoted-printable text, `=` is followed by two digits or
        // a line break.
        let boundary = "=_\(hash)"
        var lines = [from.map { "From: \($0.header)" }, to.map { "To: \($0.header)" }].compactMap(\.self)
        lines += [MailMessage.header("Subject", subject), "Date: \(MailMessage.date(date))"]
        if isDraft {
            // Mail programs open such a message for editing, and give it its id when it is sent.
            lines.append("X-Unsent: 1")
        } else {
            if let from { lines.append("Message-ID: <laurel.\(hash)@\(from.domain)>") }
            lines.append("Auto-Submitted: auto-generated")
        }
        lines += ["MIME-Version: 1.0", "Content-Language: \(language)"]
        if let unsubscribe {
            lines.append("List-Unsubscribe: <\(unsubscribe)>")
            if unsubscribe.hasPrefix("https:") { lines.append("List-Unsubscribe-Post: List-Unsubscribe=One-Click") }
        }
        lines += ["Content-Type: multipart/alternative;", " boundary=\"\(boundary)\"", ""]
        for (type, content) in [("plain", plain), ("html", html)] {
            lines += ["--\(boundary)", "Content-Type: text/\(type); charset=utf-8"]
            lines += ["Content-Transfer-Encoding: quoted-printable", "", QuotedPrintable.encode(content)]
        }
        return (lines + ["--\(boundary)--", ""]).joined(separator: "\r\n")
    }

    /// A header field whose text may contain any characters.
    static func header(_ name: String, _ text: String) -> String {
        let clean = EncodedWord.clean(text)
        let line = "\(name): \(clean)"
        if line.utf8.count <= usualLine, clean.utf8.allSatisfy({ $0 < 0x80 }), !clean.contains("=?") { return line }
        return "\(name): \(EncodedWord.encode(clean, after: name.utf8.count + 2))"
    }

    /// A time in a header: `Sun, 22 Nov 2026 21:47:16 +0000`.
    static func date(_ time: Timestamp) -> String {
        let minutes: Int64 = if case .minutes(let minutes) = time.offset { Int64(minutes) } else { 0 }
        let local = time.milliseconds + minutes * 60_000
        let day = LocalDay(containing: local)
        let seconds = Int((local - Int64(day.number) * 86_400_000) / 1000)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let civil = day.civil
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
        let offset = "\(minutes < 0 ? "-" : "+")\(two(Int(minutes.magnitude / 60)))\(two(Int(minutes.magnitude % 60)))"
        return "\(day.shortWeekdayName), \(civil.day) \(months[civil.month - 1]) \(civil.year) \(clock) \(offset)"
    }
}

/// Encodes any text as lines of at most 76 ASCII characters (RFC 2045).
enum QuotedPrintable {
    static func encode(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { encode(line: Array($0.utf8)) }
            .joined(separator: "\r\n")
    }

    private static func encode(line: [UInt8]) -> String {
        var lines: [String] = []
        var current = ""
        for (index, byte) in line.enumerated() where byte != UInt8(ascii: "\r") {
            let isLast = index == line.count - 1
            let isSpace = byte == 0x20 || byte == 0x09
            // Some mail servers treat a line with only a point as the end of the message, and “From ” as the start of
            // another message.
            let isRisky = current.isEmpty && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "F"))
            let isPlain = byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "=") && !isRisky || isSpace && !isLast
            let piece = isPlain ? String(UnicodeScalar(byte)) : hexadecimal(byte)
            if current.utf8.count + piece.utf8.count > 75 {
                lines.append(current + "=")
                current = isRisky || byte != UInt8(ascii: ".") ? piece : hexadecimal(byte)
            } else {
                current += piece
            }
        }
        return (lines + [current]).joined(separator: "\r\n")
    }

    static func hexadecimal(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF")
        return "=\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
}

/// Encodes text with any characters for a header (RFC 2047).
enum EncodedWord {
    /// Encodes text as a single word if there is room, because some mail programs wrongly show a space between two
    /// words. Longer text becomes several words of at most 75 characters, each on a separate line. A word ends after a
    /// space if possible, and never within a character.
    /// - Parameter start: the number of characters of the header before the first word.
    static func encode(_ text: String, after start: Int) -> String {
        let isDense = Data(text.utf8).base64EncodedString().utf8.count < quoted(text).utf8.count
        func length(_ text: String.UnicodeScalarView) -> Int {
            isDense ? (text.reduce(0) { $0 + $1.utf8.count } + 2) / 3 * 4 : quoted(String(text)).utf8.count
        }
        var words: [String] = []
        var current = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let room = 75 - 12 - (words.isEmpty ? start : 1)
            current.append(scalar)
            guard length(current) > room, current.count > 1 else { continue }
            let end = current.dropLast().lastIndex(of: " ").map { current.index(after: $0) }
            let split = end ?? current.index(before: current.endIndex)
            words.append(String(current[..<split]))
            current = String.UnicodeScalarView(current[split...])
        }
        words.append(String(current))
        return words.map { word in
            isDense ? "=?utf-8?B?\(Data(word.utf8).base64EncodedString())?=" : "=?utf-8?Q?\(quoted(word))?="
        }.joined(separator: "\r\n ")
    }

    private static func quoted(_ text: String) -> String {
        text.utf8.map { byte in
            isPlain(byte) ? String(UnicodeScalar(byte)) : byte == 0x20 ? "_" : QuotedPrintable.hexadecimal(byte)
        }.joined()
    }

    /// True if a byte needs no encoding in any header.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)
    }

    /// The text without characters that would begin another header, or change the text direction.
    static func clean(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{A0}": clean.append(" ")
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": continue
            default: clean.append(scalar)
            }
        }
        return String(clean).split(separator: " ").joined(separator: " ")
    }
}

/// The sender or the recipient of a message.
package struct Mailbox: Sendable, Equatable {
    var name: String?
    var address: String

    init(name: String?, address: String) { (self.name, self.address) = (name, address) }

    /// Parses `school@example.com` or `The school <school@example.com>`.
    /// - Returns: nil if the address is invalid.
    package init?(_ text: String) {
        let trimmed = text.drop { $0 == " " }
        if trimmed.last == ">", let start = trimmed.lastIndex(of: "<") {
            let name = EncodedWord.clean(String(trimmed[..<start])).filter { $0 != "\"" }
            self.init(
                name: name.isEmpty ? nil : name,
                address: String(trimmed[trimmed.index(after: start)...].dropLast())
            )
        } else {
            self.init(name: nil, address: String(trimmed))
        }
        guard Mailbox.problem(address) == nil else { return nil }
    }

    var domain: Substring { address.split(separator: "@").last ?? "" }

    var header: String {
        guard let name = name.map(EncodedWord.clean), !name.isEmpty else { return address }
        let isPlain = name.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && !name.contains("=?") && name.utf8.count <= 60
        guard isPlain else { return "\(EncodedWord.encode(name, after: 6))\r\n <\(address)>" }
        let escaped = name.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
            .split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
        return "\"\(escaped)\"\r\n <\(address)>"
    }

    /// The reason why no mail can be sent to an address; nil if mail can be sent to it.
    static func problem(_ address: String) -> String? {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            return "needs one @, with a name before and a domain after it"
        }
        guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return "has letters other than ASCII's, or a space; write the domain in its xn-- form"
        }
        guard parts[0].utf8.count <= 64, address.utf8.count <= 254 else { return "is longer than an address may be" }
        let atoms = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard atoms.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isAtom) }) else {
            return "has a name that is not made of letters, digits and signs with single points between them"
        }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel) else { return "has no domain after the @, such as example.com" }
        return nil
    }

    private static func isAtom(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (byte >= 48 && byte <= 57) || (byte | 0x20 >= 97 && byte | 0x20 <= 122)
    }
}
