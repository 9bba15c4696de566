// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The line, broken into lines of a width in cells. A line is broken at blanks and between wide characters. A word
    /// that is wider than a line is broken at the line's end.
    /// In a line such as `  Streak      4 days`, the further lines are indented to the value. In other lines, they are
    /// indented two cells more than the first line. Escape sequences have no width.
    func broken(toCells width: Int) -> [String] {
        let cells = LineBreaking.cells(of: self)
        guard cells.reduce(0, { $0 + $1.width }) > width else { return [self] }
        return LineBreaking(width: width, hang: LineBreaking.hang(cells, width: width)).lines(cells)
    }
}

/// Breaks one line into several.
private struct LineBreaking {
    /// A character as a terminal draws it, or an escape sequence.
    struct Cell {
        var text: String
        var width: Int

        var isBlank: Bool { text == " " }
        var isWide: Bool { width > 1 }
    }

    let width: Int
    /// The indentation of the lines after the first.
    let hang: Int

    static func cells(of text: String) -> [Cell] {
        var cells: [Cell] = []
        var isEscape = false
        for character in text {
            if isEscape {
                cells[cells.count - 1].text.append(character)
                isEscape = character != "m"
            } else {
                isEscape = character == "\u{1B}"
                cells.append(Cell(text: String(character), width: isEscape ? 0 : String(character).cellWidth))
            }
        }
        return cells
    }

    /// The position of a value in its line. A value follows a name and at least two blanks, in the left half of the
    /// line.
    static func hang(_ cells: [Cell], width: Int) -> Int {
        let drawn = cells.filter { $0.width > 0 }
        let indent = drawn.prefix { $0.isBlank }.count
        var (position, blanks) = (indent, 0)
        for cell in drawn.dropFirst(indent) {
            guard position <= width / 2 else { break }
            if !cell.isBlank, blanks > 1 { return position }
            blanks = cell.isBlank ? blanks + 1 : 0
            position += cell.width
        }
        return indent <= width / 2 ? indent + 2 : 0
    }

    func lines(_ cells: [Cell]) -> [String] {
        var lines: [String] = []
        var line: [Cell] = []
        var taken = 0
        for cell in cells {
            if taken + cell.width > width, !cell.isBlank {
                let end = breakPoint(line, before: cell, start: startOfText(line))
                lines.append(Self.text(line[..<end]))
                let rest = line[end...].drop { $0.isBlank }
                line = Array(repeating: Cell(text: " ", width: 1), count: hang) + rest
                taken = line.reduce(0) { $0 + $1.width }
            }
            line.append(cell)
            taken += cell.width
        }
        return lines + [Self.text(line[...])]
    }

    /// The first position at which the line may be broken. A line is not broken in its indentation, nor between a name
    /// and its value.
    private func startOfText(_ line: [Cell]) -> Int {
        var taken = 0
        let start = line.firstIndex { cell in
            taken += cell.width
            return taken > hang
        }
        return start ?? line.count
    }

    /// The last position at which the line may be broken; the end of the line if there is no such position.
    private func breakPoint(_ line: [Cell], before next: Cell, start: Int) -> Int {
        var end = line.count
        while end > start + 1 {
            let following = end < line.count ? line[end] : next
            if line[end - 1].isBlank || line[end - 1].isWide || following.isWide { return end }
            end -= 1
        }
        return line.count
    }

    private static func text(_ cells: ArraySlice<Cell>) -> String {
        let end = cells.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? cells.startIndex
        return cells[..<end].map(\.text).joined()
    }
}
