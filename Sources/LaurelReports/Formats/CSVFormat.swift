import LaurelEvents

/// A file per table, RFC 4180 with names in the first line: values as they are, whatever the locale.
enum CSVFormat {
    static func files(_ document: Document) -> [(suffix: String, content: String)] {
        var files: [(String, String)] = []
        for exhibit in document.sections.flatMap(\.exhibits) where !exhibit.table.columns.isEmpty {
            let number = files.count + 1
            let title = exhibit.title ?? exhibit.show.rawValue
            let suffix = "-\(number < 10 ? "0" : "")\(number)-\(FileName.slug(title)).csv"
            files.append((suffix, text(exhibit.table)))
        }
        return files
    }

    private static func text(_ table: DataTable) -> String {
        let head = table.columns.map { field($0.name) }.joined(separator: ",")
        let rows = table.rows.map { row in row.map(field).joined(separator: ",") }
        return ([head] + rows).map { $0 + "\r\n" }.joined()
    }

    private static func field(_ cell: Cell) -> String {
        switch cell {
        case .null: ""
        case .text(let text): field(text)
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        }
    }

    /// Spreadsheets run text that begins like a formula; an apostrophe before it makes them leave it alone.
    private static func field(_ text: String) -> String {
        let isFormula = text.utf8.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
        let text = isFormula ? "'" + text : text
        let needsQuotes = text.utf8.contains { "\",\r\n".utf8.contains($0) }
        guard needsQuotes else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
