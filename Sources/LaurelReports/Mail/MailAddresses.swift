// SPDX-License-Identifier: Apache-2.0

package import Laurel
import LaurelEvents
import LaurelRules
import LaurelYAML

/// The recipients of learners' reports. They are read from a CSV file with the columns `learner`, `address` and
/// optionally `locale`.
package struct MailAddresses: Sendable {
    struct Recipient: Sendable {
        /// The address; nil in a draft without an address.
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
        try self.init(reader)
    }

    /// Creates the recipients from a list.
    /// - Throws: `EngineError` of code `invalidReport`, with a line for each mistake.
    package init(_ list: [(learner: String, address: String, locale: String?)]) throws(EngineError) {
        var reader = Reader(file: "recipients")
        for (index, entry) in list.enumerated() {
            for (_, message) in reader.add(
                entry.learner,
                entry.address,
                entry.locale ?? "",
                at: "in recipients[\(index)]"
            ) {
                reader.mistakes.append("recipients[\(index)]: \(message)")
            }
        }
        try self.init(reader)
    }

    private init(_ reader: Reader) throws(EngineError) {
        guard reader.mistakes.isEmpty else {
            throw EngineError(.invalidReport, reader.mistakes.prefix(50).joined(separator: "\n"))
        }
        recipients = reader.recipients
    }

    private struct Reader {
        let file: String
        var mistakes: [String] = []
        var recipients: [String: Recipient] = [:]
        private var places: [String: String] = [:]
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
            let name = locale.flatMap { texts.count > $0 ? texts[$0] : nil } ?? ""
            for (field, message) in add(id, texts[address], name, at: "on line \(number)") {
                let column = [learner, address, locale ?? 0][field]
                report(number, columns[column], message)
            }
        }

        /// Adds a recipient.
        /// - Parameter place: the recipient's position in words, for the message if the same recipient is added again.
        /// - Returns: the mistakes, each with the number of the field: 0 for the learner, 1 for the address, 2 for the
        ///   locale.
        mutating func add(_ id: String, _ address: String, _ name: String, at place: String) -> [(Int, String)] {
            var mistakes: [(Int, String)] = []
            if let earlier = places.updateValue(place, forKey: id) {
                mistakes.append((0, "`\(id)` is \(earlier) already"))
            }
            if id.isEmpty { mistakes.append((0, "there is no learner's id")) }
            if let problem = Mailbox.problem(address) { mistakes.append((1, "the address `\(address)` \(problem)")) }
            var recipient = Recipient(address: address, locale: nil)
            if !name.isEmpty {
                recipient.locale = ReportLocale.known(name)
                if recipient.locale == nil {
                    let nearest = didYouMean(code: ReportLocale.nearest(to: name))
                    mistakes.append((2, "`\(name)` is no locale, such as de_DE\(nearest)"))
                }
            }
            recipients[id] = recipient
            return mistakes
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
