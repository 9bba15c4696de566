// SPDX-License-Identifier: Apache-2.0

/// One record of comma-separated values (RFC 4180), safe to open in a spreadsheet.
///
/// Spreadsheets run any text that begins like a formula, such as a learner's id or name. An apostrophe before such a
/// text stops them. These beginnings count: `=`, `+`, `-`, `@`, each in its full-width form, too, a tab, a carriage
/// return and a line feed. A number is no text, and stands as it is, with its sign.
public struct CSVRecord: Sendable, Hashable, CustomStringConvertible {
    /// A value of a record.
    public enum Cell: Sendable, Hashable {
        /// An empty cell.
        case null
        /// Text, quoted where it has to be; what begins like a formula gets an apostrophe.
        case text(String)
        /// Without a point where it is whole, else in the shortest spelling that reads back the same.
        case number(Double)
    }

    /// From left to right.
    public var cells: [Cell]

    /// Each property says what its parameter means.
    public init(_ cells: [Cell]) { self.cells = cells }

    /// Nothing but texts, such as the names of columns.
    public init(texts: [String]) { cells = texts.map(Cell.text) }

    /// The record without its line's end.
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
        // A carriage return and a line feed are one Character, so scalars are looked at.
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        // Where a comma is the decimal point, the semicolon parts fields, and what follows one begins like a formula.
        guard safe.utf8.contains(where: { "\",;\t\r\n".utf8.contains($0) }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
