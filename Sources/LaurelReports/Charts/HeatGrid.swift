// SPDX-License-Identifier: Apache-2.0

/// A grid of numbers. The larger the number, the darker its cell. The grid is a table, so it needs no extra table for
/// its numbers.
struct HeatGrid {
    /// The categories of the rows, and one column of numbers for each category of the columns.
    let table: DataTable
    /// The title of the categories of the columns.
    let across: String
    let locale: LocaleText

    private static let shades = 4
    /// The maximum number of rows and of columns. Larger grids open slowly, and nobody can read them.
    private static let most = 60

    /// The number that has the darkest shade; 0 if no number is above 0.
    private var darkest: Double {
        let numbers = table.rows.flatMap { row in row.dropFirst().compactMap(\.number) }
        let largest = max(0, numbers.max() ?? 0)
        let isShare = table.columns.dropFirst().allSatisfy { $0.type == .percent }
        return isShare && largest > 50 && largest <= 100 ? 100 : NiceNumber.atLeast(largest)
    }

    private var shown: Range<Int> { 1..<min(table.columns.count, 1 + HeatGrid.most) }

    func draw(into markup: inout HTML, caption: String) {
        let darkest = darkest
        markup.element("div", ["class": "scroll", "tabindex": "0"]) { scroll in
            scroll.element("table", ["class": "heat", "aria-label": caption]) { body in
                body.element("thead", content: drawHeads)
                body.element("tbody") { body in
                    for row in table.rows.prefix(HeatGrid.most) { draw(row, darkest, &body) }
                }
            }
        }
        drawKey(darkest, &markup)
    }

    private func drawHeads(_ head: inout HTML) {
        head.element("tr") { row in
            row.element("th", ["scope": "col", "rowspan": "2"], text: table.columns[0].titleWithUnit)
            row.element("th", ["scope": "colgroup", "colspan": "\(shown.count)"], text: across)
        }
        head.element("tr") { row in
            for index in shown { row.element("th", ["scope": "col"], text: table.columns[index].title) }
        }
    }

    private func draw(_ cells: [Cell], _ darkest: Double, _ body: inout HTML) {
        body.element("tr") { row in
            row.element("th", ["scope": "row"]) { $0.isolated(locale.value(cells[0], table.columns[0])) }
            for index in shown {
                let text = cells[index] == .null ? "" : locale.value(cells[index], table.columns[index])
                row.element("td", ["class": "h\(shade(cells[index], darkest))"], text: text)
            }
        }
    }

    /// The shade of a number, from 0 for numbers that are not above 0; `none` without a number.
    private func shade(_ cell: Cell, _ darkest: Double) -> String {
        guard let number = cell.number else { return "none" }
        guard number > 0, darkest > 0 else { return "0" }
        return "\(min(HeatGrid.shades, 1 + Int(Double(HeatGrid.shades) * number / darkest)))"
    }

    /// Draws the key: all shades, between 0 and the largest number.
    private func drawKey(_ darkest: Double, _ markup: inout HTML) {
        guard darkest > 0, let column = table.columns.last else { return }
        markup.element("ul", ["class": "key"]) { list in
            list.element("li") { item in
                item.write(locale.text(.number(0), column))
                item.element("svg", ["width": "57", "height": "12", "aria-hidden": "true"]) { svg in
                    for level in 1...HeatGrid.shades {
                        CalendarChart.drawSign("active", level, x: Double(level - 1) * 15, &svg)
                    }
                }
                item.write(locale.text(.number(darkest), column))
            }
        }
    }
}
