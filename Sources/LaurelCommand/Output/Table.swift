// SPDX-License-Identifier: Apache-2.0

/// A table with headings and aligned columns.
struct Table {
    enum Alignment: Sendable {
        case left, right
    }

    struct Column: Sendable {
        var title: String
        var alignment: Alignment
        /// True if cells may be cut on a narrow terminal.
        var isFlexible: Bool
        /// True if the column is left out before other columns on a narrow terminal.
        var isSpare = false

        static func text(_ title: String) -> Column { Column(title: title, alignment: .left, isFlexible: false) }
        static func prose(_ title: String) -> Column { Column(title: title, alignment: .left, isFlexible: true) }
        static func number(_ title: String) -> Column { Column(title: title, alignment: .right, isFlexible: false) }

        var spare: Column {
            var column = self
            column.isSpare = true
            return column
        }
    }

    private let columns: [Column]
    private var rows: [[String]] = []
    private static let gap = 2
    private static let narrowest = 8

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with one cell per column. Control characters in cells are escaped.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// - Complexity: O(cells).
    func write(to output: OutputStream, style: Style) throws(SystemError) { try write(rows, to: output, style: style) }

    /// Writes rows without collecting them. Each row is read twice: first for the widths, then to be written.
    func write(_ rows: some Collection<[String]>, to output: OutputStream, style: Style) throws(SystemError) {
        let rows = rows.lazy.map { $0.map(Visible.text) }
        let layout = layout(naturalWidths(rows), style.width)
        try output.writeLine(style.paint(line(columns.map(\.title), layout), .bold))
        for row in rows { try output.writeLine(line(row, layout)) }
        let left = columns.indices.filter { index in !layout.contains { $0.column == index } }.map { columns[$0].title }
        // A column without a title, such as a bar, is not mentioned.
        let names = left.filter { !$0.isEmpty }.joined(separator: ", ")
        guard !names.isEmpty else { return }
        try output.writeLine(style.paint("(no room for: \(names))", .dim))
    }

    /// The indexes of the shown columns, each with its width in cells.
    private typealias Layout = [(column: Int, width: Int)]

    private func line(_ cells: [String], _ layout: Layout) -> String {
        var line = ""
        for (index, shown) in layout.enumerated() {
            let cell = cells[shown.column].cut(toCells: shown.width)
            let padding = String(repeating: " ", count: shown.width - cell.cellWidth)
            let isLast = index == layout.count - 1
            line += columns[shown.column].alignment == .right ? padding + cell : cell + (isLast ? "" : padding)
            if !isLast { line += String(repeating: " ", count: Table.gap) }
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    private func naturalWidths(_ rows: some Collection<[String]>) -> [Int] {
        var widths = columns.map(\.title.cellWidth)
        for row in rows {
            precondition(row.count == columns.count)
            for index in columns.indices { widths[index] = max(widths[index], row[index].cellWidth) }
        }
        return widths
    }

    /// The columns and widths that fit into a width. On a narrow terminal, flexible columns shrink first, beginning
    /// with the widest. If that is not enough, columns are left out, beginning with spare columns and with the
    /// rightmost. The first column always stays.
    private func layout(_ natural: [Int], _ limit: Int?) -> Layout {
        var layout = natural.enumerated().map { (column: $0.offset, width: $0.element) }
        guard let limit else { return layout }
        func isTooWide(_ widths: [Int]) -> Bool { widths.reduce((widths.count - 1) * Table.gap, +) > limit }
        func least(_ shown: Layout.Element) -> Int {
            columns[shown.column].isFlexible ? min(shown.width, Table.narrowest) : shown.width
        }
        while layout.count > 1, isTooWide(layout.map(least)) {
            layout.remove(at: layout.lastIndex { columns[$0.column].isSpare } ?? layout.count - 1)
        }
        while isTooWide(layout.map(\.width)) {
            let flexible = layout.indices.filter { layout[$0].width > least(layout[$0]) }
            guard let widest = flexible.max(by: { layout[$0].width < layout[$1].width }) else { break }
            layout[widest].width -= 1
        }
        if layout.count == 1 { layout[0].width = min(layout[0].width, limit) }
        return layout
    }
}
