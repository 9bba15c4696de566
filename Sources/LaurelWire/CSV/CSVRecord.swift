// SPDX-License-Identifier: Apache-2.0

/// A record of comma-separated values (RFC 4180), safe to open in a spreadsheet.
///
/// Spreadsheets run any text that begins like a formula, such as a learner's id or name. An apostrophe before such a
/// text prevents that. A text begins like a formula if its first character is `=`, `+`, `-` or `@` (also in full-width
/// form), a tab, a carriage return or a line feed. Numbers never get an apostrophe.
public struct CSVRecord: Sendable, Hashable, CustomStringConvertible {
    /// A value of a record.
    public enum Cell: Sendable, Hashable {
        /// An empty cell.
        case null
        /// Text, quoted if necessary. Text that begins like a formula gets an apostrophe.
        case text(String)
        /// A number. A whole number has no decimal point. Any other number has the shortest spelling that reads back as
        /// the same number.
        case number(Double)
    }

    /// The cells, from left to right.
    public var cells: [Cell]

    /// Creates a record from cells.
    public init(_ cells: [Cell]) { self.cells = cells }

    /// Creates a record of texts only, such as the names of columns.
    public init(texts: [String]) { cells = texts.map(Cell.text) }

    /// The record without a line break.
    /// - Complexity: O(length).
    public var description: String { cells.map(CSVRecord.written).joined(separator: ",") }

    private static func written(_ cell: Cell) -> String {
        switch cell {
        case .null: ""
        case .text(let text): written(text)
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        }
    }

    private static func written(_ text: String) -> String {
        // A carriage return and a line feed together form one Character, so scalars are compared.
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        // In locales with a decimal comma, the semicolon separates fields, so text after a semicolon may begin like a
        // formula.
        guard safe.utf8.contains(where: { "\",;\t\r\n".utf8.contains($0) }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
