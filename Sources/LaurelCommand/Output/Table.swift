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
    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count)
        rows.append(cells.map(Visible.text))
    }

    /// - Complexity: O(cells).
    func write(to output: OutputStream, style: Style) throws(SystemError) {
        let widths = fittingWidths(style.width)
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
    private func fittingWidths(_ limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in
            rows.reduce(columns[index].title.cellWidth) { max($0, $1[index].cellWidth) }
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
