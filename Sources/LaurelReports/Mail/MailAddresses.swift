// SPDX-License-Identifier: Apache-2.0

package import Laurel
import LaurelEvents
import LaurelRules
import LaurelYAML

/// The recipients of learners' reports. They are read from a CSV file with the columns `learner`, `address` and
/// optionally `locale`.
package struct MailAddresses: Sendable {
    struct Recipient: Sendable {
        /// The address; nil in a draft without one.
        var address: String?
        /// The locale of the mail; nil for the default locale.
        var locale: String?
    }

    let recipients: [String: Recipient]

    /// Reads a file.
    /// - Throws: `EngineError` of code `invalidReport`, with a line `FILE:LINE:COLUMN: error: …` for each mistake.
    package init(file: String) throws(EngineError) {
        let bytes = try EngineError.translating { try ProgressEngine.read(file, limit: 1 << 28) }
        try self.init(bytes, file: file)
    }

    /// Reads the content of a file.
    /// - Parameter file: the file's name in messages.
    package init(_ bytes: [UInt8], file: String) throws(EngineError) {
        var reader = Reader(file: file)
        reader.read(bytes)
        guard reader.mistakes.isEmpty else {
            throw EngineError(.invalidReport, reader.mistakes.prefix(50).joined(separator: "\n"))
        }
        recipients = reader.recipients
    }

    private struct Reader {
        let file: String
        var mistakes: [String] = []
        var recipients: [String: Recipient] = [:]
        private var lines: [String: Int] = [:]
        /// The indexes of the columns.
        private var (learner, address, locale): (Int?, Int?, Int?) = (nil, nil, nil)

        init(file: String) { self.file = file }

        mutating func read(_ bytes: [UInt8]) {
            var rest = bytes[...]
            if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
            var number = 0
            for line in rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                number += 1
                let record = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
                if record.isEmpty { continue }
                guard let fields = CSVRecord.fields(of: record) else {
                    report(number, 1, "the end of a quoted field is wrong or missing")
                    continue
                }
                let columns = Reader.columns(of: record)
                let texts = fields.map { String(decoding: $0, as: UTF8.self) }
                if learner == nil {
                    guard readHead(texts, number) else { return }
                } else {
                    readLine(texts, columns, number)
                }
            }
            if learner == nil, mistakes.isEmpty {
                report(1, 1, "the first line must name the columns learner and address")
            }
        }

        private mutating func readHead(_ names: [String], _ number: Int) -> Bool {
            learner = names.firstIndex(of: "learner")
            address = names.firstIndex(of: "address")
            locale = names.firstIndex(of: "locale")
            if learner != nil, address != nil { return true }
            let missing = learner == nil ? "learner" : "address"
            report(number, 1, "there is no column `\(missing)`; the first line names the columns")
            return false
        }

        private mutating func readLine(_ texts: [String], _ columns: [Int], _ number: Int) {
            guard let learner, let address, texts.count > max(learner, address) else {
                return report(number, 1, "the line has \(texts.count) fields, fewer than the first one names")
            }
            let id = Reader.withoutGuard(texts[learner])
            if let earlier = lines.updateValue(number, forKey: id) {
                report(number, columns[learner], "`\(id)` is on line \(earlier) already")
            }
            if id.isEmpty { report(number, columns[learner], "there is no learner's id") }
            if let problem = Mailbox.problem(texts[address]) {
                report(number, columns[address], "the address `\(texts[address])` \(problem)")
            }
            var recipient = Recipient(address: texts[address], locale: nil)
            if let locale, texts.count > locale, !texts[locale].isEmpty {
                recipient.locale = ReportLocale.known(texts[locale])
                if recipient.locale == nil {
                    let nearest = ReportLocale.nearest(to: texts[locale])
                    report(
                        number,
                        columns[locale],
                        "`\(texts[locale])` is no locale, such as de_DE\(didYouMean(code: nearest))"
                    )
                }
            }
            recipients[id] = recipient
        }

        private mutating func report(_ line: Int, _ column: Int, _ message: String) {
            mistakes.append("\(file):\(line):\(column): error: \(message)")
        }

        /// The positions at which the fields begin, in characters from 1.
        private static func columns(of record: ArraySlice<UInt8>) -> [Int] {
            var columns = [1]
            var isQuoted = false
            var column = 1
            for byte in record {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if byte & 0xC0 != 0x80 { column += 1 }
                if byte == UInt8(ascii: ","), !isQuoted { columns.append(column) }
            }
            return columns
        }

        /// The text without a leading apostrophe. Laurel's own tables put it before a text that looks like a formula.
        private static func withoutGuard(_ text: String) -> String {
            guard text.first == "'", let second = text.dropFirst().unicodeScalars.first else { return text }
            return "=+-@".unicodeScalars.contains(second) ? String(text.dropFirst()) : text
        }
    }
}
