// SPDX-License-Identifier: Apache-2.0

/// Horizontal bars, each below its name. This chart is suitable for names of any length and text direction.
struct BarList {
    let table: DataTable
    let isStacked: Bool
    let colors: SeriesColors
    /// The index of the column whose first value is the target; nil for no target. Every bar has a mark at the target.
    let target: Int?
    let locale: LocaleText

    private var series: [Int] { table.columns.indices.dropFirst().filter { $0 != target } }

    func draw(into markup: inout HTML) {
        let most = whole ?? max(table.rows.map { row in length(row) }.max() ?? 0, goal ?? 0)
        let least = min(0, table.rows.map { row in depth(row) }.min() ?? 0)
        markup.element("ul", ["class": "bars"]) { list in
            for (index, row) in table.rows.enumerated() {
                list.element("li") { item in
                    item.element("div", ["class": "line"]) { line in
                        line.element("span", ["dir": "auto"]) { $0.isolated(locale.value(row[0], table.columns[0])) }
                        line.element("span", text: values(row))
                    }
                    drawBars(&item, row, index, least...max(most, least))
                }
            }
        }
    }

    private var goal: Double? { target.flatMap { table.rows.first?[$0].number } }

    private func length(_ row: [Cell]) -> Double {
        let numbers = series.map { max(0, row[$0].number ?? 0) }
        return isStacked ? numbers.reduce(0, +) : numbers.max() ?? 0
    }

    /// The length of a row's bars below 0. If bars are stacked, it is the sum of the losses; otherwise it is the
    /// largest loss. 0 without losses.
    private func depth(_ row: [Cell]) -> Double {
        let numbers = series.map { min(0, row[$0].number ?? 0) }
        return isStacked ? numbers.reduce(0, +) : numbers.min() ?? 0
    }

    /// The end of the axis: 100 for percentages, nil for other values.
    private var whole: Double? {
        let isShare = !isStacked && series.allSatisfy { table.columns[$0].type == .percent }
        return isShare && table.rows.allSatisfy { length($0) <= 100 && depth($0) >= 0 } ? 100 : nil
    }

    /// The text at the end of a line. If bars are stacked, it is the sum of their parts; otherwise it lists each value.
    private func values(_ row: [Cell]) -> String {
        if isStacked, let column = series.first {
            return locale.text(.number(series.reduce(0) { $0 + (row[$1].number ?? 0) }), table.columns[column])
        }
        return series.map { locale.text(row[$0], table.columns[$0]) }.joined(separator: " · ")
    }

    /// - Parameter range: the ends of the axis. If it begins below 0, a line marks zero.
    private func drawBars(_ item: inout HTML, _ row: [Cell], _ index: Int, _ range: ClosedRange<Double>) {
        let height = isStacked ? 10 : 8 * series.count + 2 * (series.count - 1)
        guard isStacked else { return draw(row, index, range, height, &item) }
        ChartTips.layer([ChartTips.text(row, series, table, locale)], in: &item) {
            draw(row, index, range, height, &$0)
        }
    }

    private func draw(
        _ row: [Cell],
        _ index: Int,
        _ range: ClosedRange<Double>,
        _ height: Int,
        _ item: inout HTML
    ) {
        let length = range.upperBound - range.lowerBound
        func x(_ value: Double) -> Double { 100 * (value - range.lowerBound) / length }
        // Screen readers read the numbers in the list and the table, so the drawing is hidden from them.
        item.element("svg", ["class": isStacked ? "parts" : "bar", "height": "\(height)", "aria-hidden": "true"]) {
            svg in
            guard length > 0 else { return }
            var (gains, losses) = (0.0, 0.0)
            for (place, column) in series.enumerated() {
                guard let number = row[column].number, number != 0 else { continue }
                let start = !isStacked ? 0 : number > 0 ? gains : losses
                let ends = [x(start), x(start + number)].sorted()
                let frame: HTML.Attributes = [
                    "x": "\(ends[0].brief)%", "y": "\(isStacked ? 0 : 10 * place)",
                    "width": "\((ends[1] - ends[0]).brief)%", "height": isStacked ? "10" : "8",
                ]
                svg.shape("rect", ["class": fill(place, row, index)] + frame)
                if number > 0 { gains += number } else { losses += number }
                if isStacked { drawLine("gap", at: x(start + number), height, &svg) }
            }
            if range.lowerBound < 0 { drawLine("goal", at: x(0), height, &svg) }
            if let goal { drawLine("goal", at: x(goal), height, &svg) }
        }
    }

    /// Draws a line across a bar. A line of the kind `gap` is left out at the ends of the bar.
    private func drawLine(_ kind: String, at x: Double, _ height: Int, _ svg: inout HTML) {
        guard kind != "gap" || (0.1..<99.9).contains(x) else { return }
        svg.shape(
            "line",
            ["class": kind, "x1": "\(x.brief)%", "x2": "\(x.brief)%", "y1": "0", "y2": "\(height)"]
        )
    }

    /// The fill of a bar. If each category has a single number, each category may have its own colour.
    private func fill(_ place: Int, _ row: [Cell], _ index: Int) -> String {
        if series.count == 1, row[series[0]].number ?? 0 < 0 { return "loss" }
        guard series.count == 1, !colors.numbers.isEmpty else { return colors.fill(place) }
        return colors.fill(of: row[0].key, place: index)
    }
}
