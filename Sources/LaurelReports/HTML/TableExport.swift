// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelWire
import Synchronization

/// The export of a page's tables as CSV. Below each table, the page links to an address that returns only this table.
/// The CSV contains all rows of the table, while the page may show a part of them.
package final class TableExport: Sendable {
    private struct State {
        /// The number of tables so far for each name without its number, such as `learners`.
        var counts: [String: Int] = [:]
        var csv: String?
    }

    /// The export of the page that is being written; nil for a page without links to CSV, such as a file.
    @TaskLocal package static var current: TableExport?
    /// True if one table is requested in place of the page.
    package static var isRequested: Bool { current?.wanted != nil }

    private let wanted: String?
    private let address: @Sendable (_ table: String) -> String
    private let state = Mutex(State())

    /// - Parameters:
    ///   - wanted: the name of the requested table; nil for the page with all tables.
    ///   - address: returns the address of a table by its name.
    package init(wanted: String?, address: @escaping @Sendable (_ table: String) -> String) {
        (self.wanted, self.address) = (wanted, address)
    }

    /// The requested table, after the page was written; nil if the page has no table of that name.
    package var csv: String? { state.withLock { $0.csv } }

    /// Gives a name to a table of the page, and stores its rows if they are requested.
    /// - Returns: the table's name and address.
    fileprivate func add(_ title: String, _ csv: () -> String) -> (name: String, address: String) {
        let slug = FileName.slug(title)
        let count = state.withLock { state in
            state.counts[slug, default: 0] += 1
            return state.counts[slug] ?? 1
        }
        let name = count == 1 ? slug : "\(slug)-\(count)"
        if let wanted, wanted.utf8.elementsEqual(name.utf8) {
            let text = csv()
            state.withLock { $0.csv = text }
        }
        return (name, address(name))
    }
}

extension HTML {
    /// Writes a link to a table's rows as CSV. On pages without export, writes nothing.
    /// - Parameter english: the title in English, for the name of the file; nil if `title` is English.
    mutating func exportLink(_ title: String, english: String? = nil, _ csv: () -> String) {
        guard let (name, address) = TableExport.current?.add(english ?? title, csv) else { return }
        element("p", ["class": "export no-print"]) { line in
            line.element("a", ["href": address, "download": "\(name).csv", "aria-label": "CSV: \(title)"], text: "CSV")
        }
    }

    /// Writes a link to the rows of a table that is written as HTML.
    /// - Parameters:
    ///   - heads: the names of the columns.
    ///   - rows: the `tr` elements.
    package mutating func exportLink(_ title: PageText, _ heads: [PageText], rows: HTML) {
        exportLink(title.written(), english: title.english) {
            ([CSVRecord(texts: heads.map { $0.written() })] + MarkupRows.records(of: rows)).map { "\($0)\r\n" }.joined()
        }
    }
}

/// Reads the cells of a table's rows from HTML that ``HTML`` has written. A page can therefore describe each table only
/// once.
///
/// The value of a cell is that of its `data` or `time` element. Without such an element, it is the cell's text. A dash
/// stands for no value.
private struct MarkupRows {
    private var records: [CSVRecord] = []
    private var cells: [CSVRecord.Cell] = []
    private var text = ""
    private var value: String?
    private var isNumber = false

    static func records(of rows: HTML) -> [CSVRecord] {
        var reader = MarkupRows()
        for part in rows.text.split(separator: "<") {
            let pieces = part.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
            reader.read(tag: pieces[0])
            if pieces.count > 1 { reader.text += unescaped(pieces[1]) }
        }
        return reader.records
    }

    private mutating func read(tag: Substring) {
        switch tag.prefix(while: { $0 != " " }) {
        case "td", "th":
            (text, value, isNumber) = ("", nil, Self.attribute("class", of: tag) == "n")
        case "/td", "/th": cells.append(cell)
        case "tr": cells = []
        case "/tr": records.append(CSVRecord(cells))
        case "data": value = value ?? Self.attribute("value", of: tag)
        case "time": value = value ?? Self.attribute("datetime", of: tag)
        case "/p", "/li", "/div", "/span": text += " "
        default: break
        }
    }

    private var cell: CSVRecord.Cell {
        let shown = value ?? text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if shown.isEmpty || shown == "–" { return .null }
        return isNumber ? Double(shown).map { .number($0) } ?? .text(shown) : .text(shown)
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let start = tag.firstRange(of: " \(name)=\"") else { return nil }
        return unescaped(tag[start.upperBound...].prefix { $0 != "\"" })
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        return String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}
