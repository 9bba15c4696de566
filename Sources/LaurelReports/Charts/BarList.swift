// SPDX-License-Identifier: Apache-2.0

/// Horizontal bars, each below its name. They suit names of any length and text direction.
struct BarList {
    let table: DataTable
    let isStacked: Bool
    let colors: SeriesColors
    /// The index of the column whose first value is marked in each bar; nil for no mark.
    let target: Int?
    let locale: LocaleText

    private var series: [Int] { table.columns.indices.dropFirst().filter { $0 != target } }

    func draw(into markup: inout HTML) {
        let most = whole ?? max(table.rows.map { row in length(row) }.max() ?? 0, goal ?? 0)
        markup.element("ul", ["class": "bars"]) { list in
            for (index, row) in table.rows.enumerated() {
                list.element("li") { item in
                    item.element("div", ["class": "line"]) { line in
                        line.element("span", ["dir": "auto"]) { $0.isolated(locale.value(row[0], table.columns[0])) }
                        line.element("span", text: values(row))
                    }
                    drawBars(&item, row, index, most)
                }
            }
        }
    }

    private var goal: Double? { target.flatMap { table.rows.first?[$0].number } }

    private func length(_ row: [Cell]) -> Double {
        let numbers = series.map { max(0, row[$0].number ?? 0) }
        return isStacked ? numbers.reduce(0, +) : numbers.max() ?? 0
    }

    /// The end of the axis: 100 for percentages, nil for other values.
    private var whole: Double? {
        let isShare = !isStacked && series.allSatisfy { table.columns[$0].type == .percent }
        return isShare && table.rows.allSatisfy { length($0) <= 100 } ? 100 : nil
    }

    /// The text at the end of a line: the sum of stacked parts, otherwise each value by itself.
    private func values(_ row: [Cell]) -> String {
        if isStacked, let column = series.first {
            return locale.text(.number(series.reduce(0) { $0 + (row[$1].number ?? 0) }), table.columns[column])
        }
        return series.map { locale.text(row[$0], table.columns[$0]) }.joined(separator: " · ")
    }

    private func drawBars(_ item: inout HTML, _ row: [Cell], _ index: Int, _ most: Double) {
        let height = isStacked ? 10 : 8 * series.count + 2 * (series.count - 1)
        // Screen readers read the numbers in the list and the table, so the drawing is hidden from them.
        item.element("svg", ["class": isStacked ? "parts" : "bar", "height": "\(height)", "aria-hidden": "true"]) {
            svg in
            var start = 0.0
            for (place, column) in series.enumerated() {
                let number = max(0, row[column].number ?? 0)
                guard number > 0, most > 0 else { continue }
                let width = 100 * number / most
                let y = isStacked ? 0 : 10 * place
                let frame: HTML.Attributes = [
                    "x": "\((isStacked ? start : 0).brief)%", "y": "\(y)", "width": "\(width.brief)%",
                    "height": isStacked ? "10" : "8",
                ]
                svg.element("rect", ["class": fill(place, row, index)] + frame) { rect in
                    let value = locale.text(row[column], table.columns[column])
                    if isStacked { rect.element("title", text: "\(table.columns[column].title): \(value)") }
                }
                start += width
                if isStacked, start < 99.9 {
                    svg.shape(
                        "line",
                        ["class": "gap", "x1": "\(start.brief)%", "x2": "\(start.brief)%", "y1": "0", "y2": "10"]
                    )
                }
            }
            if let goal, most > 0 {
                let x = (100 * goal / most).brief
                svg.shape("line", ["class": "goal", "x1": "\(x)%", "x2": "\(x)%", "y1": "0", "y2": "\(height)"])
            }
        }
    }

    /// The fill of a bar. If each category has a single number, each category may have its own colour.
    private func fill(_ place: Int, _ row: [Cell], _ index: Int) -> String {
        guard series.count == 1, !colors.numbers.isEmpty else { return colors.fill(place) }
        return colors.fill(of: row[0].key, place: index)
    }
}
