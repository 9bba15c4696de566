/// Horizontal bars under their names: for categories with names of any length and direction.
struct BarList {
    let table: DataTable
    let isStacked: Bool
    let title: String
    let locale: LocaleText

    private var series: [Int] { Array(table.columns.indices.dropFirst()) }

    func draw(into markup: inout Markup) {
        let most = table.rows.map { row in length(row) }.max() ?? 0
        markup.element("ul", "class=\"bars\"") { list in
            for row in table.rows {
                list.element("li") { item in
                    item.element("div", "class=\"line\"") { line in
                        line.element("span", "dir=\"auto\"") { $0.isolated(locale.value(row[0], table.columns[0])) }
                        line.element("span", text: values(row))
                    }
                    drawBars(&item, row, most)
                }
            }
        }
    }

    private func length(_ row: [Cell]) -> Double {
        let numbers = series.map { max(0, row[$0].number ?? 0) }
        return isStacked ? numbers.reduce(0, +) : numbers.max() ?? 0
    }

    private func values(_ row: [Cell]) -> String {
        series.map { locale.text(row[$0], table.columns[$0]) }.joined(separator: " · ")
    }

    private func drawBars(_ item: inout Markup, _ row: [Cell], _ most: Double) {
        let height = isStacked ? 10 : 8 * series.count + 2 * (series.count - 1)
        // The list tells the numbers; what is drawn adds nothing to hear.
        item.element("svg", "height=\"\(height)\" aria-hidden=\"true\"") { svg in
            var start = 0.0
            for (place, column) in series.enumerated() {
                let number = max(0, row[column].number ?? 0)
                guard number > 0, most > 0 else { continue }
                let width = 100 * number / most
                let y = isStacked ? 0 : 10 * place
                svg.raw(
                    "<rect class=\"s\(place % 7 + 1)\" x=\"\((isStacked ? start : 0).brief)%\" y=\"\(y)\""
                        + " width=\"\(width.brief)%\" height=\"\(isStacked ? 10 : 8)\"/>"
                )
                start += width
            }
        }
    }
}
