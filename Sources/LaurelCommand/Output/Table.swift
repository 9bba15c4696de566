// SPDX-License-Identifier: Apache-2.0

/// Rows under a heading, aligned.
struct Table {
    enum Alignment: Sendable {
        case left, right
    }

    struct Column: Sendable {
        var title: String
        var alignment: Alignment
        /// Whether it may be cut where the terminal is too narrow.
        var isFlexible: Bool

        static func text(_ title: String) -> Column { Column(title: title, alignment: .left, isFlexible: false) }
        static func prose(_ title: String) -> Column { Column(title: title, alignment: .left, isFlexible: true) }
        static func number(_ title: String) -> Column { Column(title: title, alignment: .right, isFlexible: false) }
    }

    private let columns: [Column]
    private var rows: [[String]] = []
    private static let gap = 2
    private static let narrowest = 8

    init(_ columns: [Column]) { self.columns = columns }

    /// Takes one cell per column; control characters in them are escaped.
    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// - Complexity: O(cells).
    func write(to output: OutputStream, style: Style) throws(SystemError) { try write(rows, to: output, style: style) }

    /// Writes rows that are not kept: each is asked for twice, first to see how wide it is.
    func write(_ rows: some Collection<[String]>, to output: OutputStream, style: Style) throws(SystemError) {
        let rows = rows.lazy.map { $0.map(Visible.text) }
        let widths = fittingWidths(rows, style.width)
        try output.writeLine(style.paint(line(columns.map(\.title), widths), .bold))
        for row in rows { try output.writeLine(line(row, widths)) }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let cell = cell.cut(toCells: widths[index])
            let padding = String(repeating: " ", count: widths[index] - cell.cellWidth)
            let isLast = index == cells.count - 1
            line += columns[index].alignment == .right ? padding + cell : cell + (isLast ? "" : padding)
            if !isLast { line += String(repeating: " ", count: Table.gap) }
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// The columns' natural widths; where they exceed the terminal's, the widest flexible ones give way.
    private func fittingWidths(_ rows: some Collection<[String]>, _ limit: Int?) -> [Int] {
        var widths = columns.map(\.title.cellWidth)
        for row in rows {
            precondition(row.count == columns.count)
            for index in columns.indices { widths[index] = max(widths[index], row[index].cellWidth) }
        }
        guard let limit else { return widths }
        var excess = widths.reduce(0, +) + (columns.count - 1) * Table.gap - limit
        while excess > 0 {
            let flexible = columns.indices.filter { columns[$0].isFlexible && widths[$0] > Table.narrowest }
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
