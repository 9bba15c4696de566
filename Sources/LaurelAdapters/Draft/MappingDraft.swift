// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelWire

/// A first mapping for a file of an unknown format. It reads the file's first rows without a mistake. Comments say which
/// parts were guessed.
package struct MappingDraft {
    private let roles: ColumnRoles
    private let file: String
    private var lines: [String] = []

    /// - Parameter source: the file, a table or JSON records. Only its beginning is read.
    /// - Throws: an error if the file cannot be read, or if a draft cannot describe it.
    package init(_ source: any ByteSource) throws {
        file = source.name.split(separator: "/").last.map(String.init) ?? source.name
        do {
            roles = ColumnRoles(try SampleTable(source))
        } catch let error as AdapterError {
            throw AdapterError(message: "\(source.name): \(error.message)")
        }
        write()
    }

    /// The text of the mapping file.
    package var text: String { lines.joined(separator: "\n") + "\n" }

    private var table: SampleTable { roles.table }

    /// The name of the format: the file's name without its ending, in small letters.
    private var name: String {
        let words = (file.split(separator: ".").first ?? "").lowercased().split {
            !$0.isASCII || !($0.isLetter || $0.isNumber)
        }
        return words.isEmpty ? "my-table" : words.joined(separator: "-")
    }

    private mutating func write() {
        let shown = file.filter { !$0.isNewline && $0 != "\"" && $0 != "\\" }
        lines = [
            "# A first mapping, drafted from the first \(table.rows.count) rows of \(shown). Check each line with a comment.",
            "# Then try it, which stores nothing: laurel formats check FILE --sample DATA",
            "version: 1",
            "name: \(name)",
            "summary: \"\(shown)\"",
            "reads: \(table.dialect == nil ? "json-records" : "csv")",
        ]
        writeDialect()
        if roles[.learner] == nil { lines.append("needs: [subject]  # No column names the learner. Give --subject.") }
        lines.append("")
        lines.append("events:")
        if let word = roles[.word] {
            roles[.grade] == nil ? writeWords(word) : writeReviews(word)
        } else {
            writeSessions()
        }
        let unused = roles.free.map { table.columns[$0] }
        if !unused.isEmpty {
            lines.append(
                "# Columns that the mapping does not use: \(unused.joined(separator: ", ").filter { !$0.isNewline })"
            )
        }
    }

    private mutating func writeDialect() {
        guard let dialect = table.dialect else { return }
        let separator = dialect.separator == 9 ? "tab" : "\"\(Character(Unicode.Scalar(dialect.separator)))\""
        lines.append("csv:")
        lines.append("  separator: \(separator)")
        lines.append("  encoding: \(dialect.encoding.lowercased())  # Are accented letters right in the sample?")
        if table.lacksHeader {
            lines.append(
                "  columns: [\(table.columns.joined(separator: ", "))]  # The first row is data, so give names here."
            )
        } else {
            lines.append("  # The first row names the columns. If it is data, list names here: columns: [a, b]")
        }
    }

    // MARK: Entries

    private mutating func writeWords(_ word: String) {
        begin("words", "word.added")
        lines.append("    when: \(expression("\(path(word)) IS NOT NULL"))")
        lines.append("    data:")
        field("word", "trim(\(path(word)))", "The name of the word in Laurel: it must stay the same.")
        field("text", path(word))
        if let translation = roles[.translation] { field("translation", path(translation)) }
        if let category = roles[.category] { field("category", path(category)) }
        if let part = roles[.partOfSpeech] { field("partOfSpeech", path(part)) }
        if let tags = roles[.tags] { field("\"tags:json\"", "list(\(path(tags)), ',')", "Is the comma the separator?") }
        leaveOut(word)
    }

    private mutating func writeReviews(_ word: String) {
        begin("reviews", "review.graded")
        lines.append("    when: \(expression("\(path(word)) IS NOT NULL"))")
        lines.append("    data:")
        field("word", "trim(\(path(word)))")
        writeGrade()
        writeDuration()
        leaveOut(word)
    }

    private mutating func writeSessions() {
        begin("practice", "session.ended")
        lines.append("    data:")
        if roles[.duration] == nil { lines[lines.count - 1] = "    data: {}  # No column was recognised." }
        writeDuration()
    }

    private mutating func begin(_ what: String, _ type: String) {
        lines.append("  - what: \(what)")
        lines.append("    type: \(type)  # docs/events.md lists the types.")
        if let number = roles[.number] {
            lines.append("    id: \(expression("key('row', \(path(number)))"))")
        } else {
            lines.append(
                "    id: key('row', digest($))  # Equal rows are one event. A row that is edited is another event."
            )
        }
        writeTime()
        if let learner = roles[.learner] {
            lines.append(
                "    subject: \(expression("trim(\(path(learner)))"))  # The learner's id, as your app spells it."
            )
        }
        if let language = roles[.language] {
            lines.append("    language: \(expression(path(language)))  # A tag such as es.")
        }
    }

    private mutating func writeTime() {
        guard let column = roles.columns[.time], let time = roles.time else {
            lines.append("    time: \"'2001-01-01T00:00:00Z'\"  # No column has times, so all rows have the same time.")
            return
        }
        let values = table.values(column)
        let comment =
            time.isAmbiguous(values)
            ? "  # Is the day before the month?" : time.pattern == nil ? "" : "  # Give the zone as --timezone."
        var sql = time.read(path(table.columns[column]))
        // Some rows have no time.
        if values.count < table.rows.count { sql = "coalesce(\(sql), '2001-01-01T00:00:00Z')" }
        lines.append("    time: \(expression(sql))\(comment)")
    }

    private mutating func writeGrade() {
        guard let column = roles.columns[.grade], let form = GradeForm.of(table.values(column)) else { return }
        let path = path(table.columns[column])
        switch form {
        case .names: field("grade", "lower(trim(\(path)))")
        case .numbers:
            let cases = ["again", "hard", "good", "easy"].enumerated().map { "WHEN \($0 + 1) THEN '\($1)'" }
            field("grade", "CASE CAST(\(path) AS INTEGER) \(cases.joined(separator: " ")) END", "Is 1 the worst?")
        case .answers:
            let right = GradeForm.right.map { "'\($0)'" }.joined(separator: ", ")
            field("grade", "iif(lower(trim(\(path))) IN (\(right)), 'good', 'again')", "Which answers are right?")
        case .score(let most):
            let sign = roles.sign(column)
            let enough = most == 1 ? "0.6" : most == 10 ? "6" : "60"
            field(
                "grade",
                "iif(decimal(\(path), '\(sign)') >= \(enough), 'good', 'again')",
                "From which score on is it good?"
            )
        }
    }

    private mutating func writeDuration() {
        guard let column = roles.columns[.duration] else { return }
        let name = table.columns[column].lowercased()
        let factor = name.contains("ms") || name.contains("milli") ? 1 : name.contains("min") ? 60_000 : 1000
        let number = "decimal(\(path(table.columns[column])), '\(roles.sign(column))')"
        field("durationMs", "CAST(round(\(number) * \(factor)) AS INTEGER)", "Milliseconds. Is the unit right?")
    }

    private mutating func leaveOut(_ word: String) {
        lines += [
            "", "left_out:", "  - what: rows without a word", "    why: there is nothing to learn in them",
            "    when: \(expression("\(path(word)) IS NULL"))",
        ]
    }

    private mutating func field(_ name: String, _ sql: String, _ comment: String? = nil) {
        lines.append("      \(name): \(expression(sql))\(comment.map { "  # \($0)" } ?? "")")
    }

    // MARK: Spelling

    /// A column's path. A name with other characters than letters and digits is quoted.
    private func path(_ column: String) -> String {
        let isPlain = column.utf8.enumerated().allSatisfy { index, byte in
            65...90 ~= byte || 97...122 ~= byte || byte == 95 || (index > 0 && 48...57 ~= byte)
        }
        return isPlain ? "$.\(column)" : "$.\"\(column)\""
    }

    /// An expression as a YAML scalar.
    private func expression(_ sql: String) -> String {
        let isPlain = sql.utf8.allSatisfy { byte in
            65...90 ~= byte || 97...122 ~= byte || 48...57 ~= byte || "$._ ()".utf8.contains(byte)
        }
        return isPlain ? sql : "'\(sql.replacing("'", with: "''"))'"
    }
}
