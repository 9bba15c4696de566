// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A chart over a horizontal axis of categories. It has bars side by side, stacked bars, lines, or a histogram. Numbers
/// below 0 are drawn below the line at zero.
///
/// The drawing has no viewBox. Horizontal positions are percentages, and vertical positions are pixels. So the chart is
/// as wide as its column, while letters and line widths keep their size. Paths do not accept percentages, so lines are
/// drawn in an inner drawing that is stretched.
struct ColumnChart {
    enum Style {
        case grouped, stacked, line, histogram
    }

    let table: DataTable
    let style: Style
    let locale: LocaleText
    /// The description of the chart for screen readers.
    let title: String
    /// The index of the column whose first value is drawn as a line across the chart; nil for no line.
    let target: Int?
    /// The label of the target. The key contains it, because a bar could hide a label in the chart.
    let targetLabel: String?
    let colors: SeriesColors

    /// The indexes of the columns with the series. The first column is the category, and the target's column is not a
    /// series.
    var series: [Int] { table.columns.indices.dropFirst().filter { $0 != target } }
    var count: Int { table.rows.count }
    let axis: Axis
    let tickLabels: [String]

    init(table: DataTable, style: Style, title: String, exhibit: Exhibit, locale: LocaleText) {
        let target = exhibit.target.flatMap(table.index)
        self.table = table
        self.style = style
        self.locale = locale
        self.title = title
        self.target = target
        targetLabel = exhibit.targetText(locale)
        let named = table.columns.indices.dropFirst().filter { $0 != target }.map { table.columns[$0].name }
        colors = SeriesColors(palette: exhibit.palette, names: named, numbers: exhibit.colors)
        let columns = table.columns.dropFirst()
        let values = ColumnChart.extremes(table, style, target)
        let isPercent = style != .histogram && columns.allSatisfy { $0.type == .percent }
        let isDuration = style != .histogram && columns.contains { $0.type == .duration }
        // Durations are drawn in minutes, so that the axis has round numbers.
        let scale = isDuration ? 60_000.0 : 1
        axis = Axis(
            values: values.map { $0 / scale },
            limit: isPercent ? 100 : nil,
            isWhole: values.allSatisfy { $0 / scale == ($0 / scale).rounded() } || isDuration,
            // If there is no unit above the numbers, less room is needed.
            top: isPercent ? 22 : 34
        )
        self.scale = scale
        tickLabels = axis.ticks.map { isPercent ? locale.percent($0) : locale.number($0) }
    }

    let scale: Double

    /// The values that must be within the axis's range.
    private static func extremes(_ table: DataTable, _ style: Style, _ target: Int?) -> [Double] {
        table.rows.flatMap { row -> [Double] in
            if style == .histogram { return [row[2].number ?? 0] }
            let numbers = row.indices.dropFirst().filter { $0 != target }.compactMap { row[$0].number }
            let goal = target.flatMap { row[$0].number }.map { [$0] } ?? []
            guard style == .stacked else { return numbers + goal }
            return [numbers.filter { $0 > 0 }.reduce(0, +), numbers.filter { $0 < 0 }.reduce(0, +)] + goal
        }
    }

    func draw(into markup: inout HTML) {
        let height = Int(axis.bottom) + (categoryTitle != nil || isOneWeek ? 47 : 29)
        let room = Axis.room(tickLabels)
        let links = table.rows.map { LearnerLinks.address($0[0], table.columns[0]) }
        ChartTips.layer(over: "room\(room)", table.rows.map(tip), links: links, in: &markup) { plot in
            plot.element("svg", ["class": "chart", "height": "\(height)", "role": "img"]) { svg in
                svg.element("title", text: title)
                drawAxis(&svg, Axis.pixels(room))
                switch style {
                case .grouped, .histogram: drawBars(&svg)
                case .stacked: drawStacks(&svg)
                case .line: drawLines(&svg)
                }
                drawTarget(&svg)
                drawCategories(&svg)
            }
        }
    }

    // MARK: Axes

    private func drawAxis(_ svg: inout HTML, _ room: Int) {
        for (tick, label) in zip(axis.ticks, tickLabels) {
            let y = axis.y(tick).brief
            svg.shape(
                "line",
                ["class": "\(tick == 0 ? "zero" : "grid-line")", "x1": "0", "x2": "100%", "y1": "\(y)", "y2": "\(y)"]
            )
            svg.element("text", ["x": "-8", "y": "\(y)", "dy": ".32em", "text-anchor": "end"], text: label)
        }
        if let unit { svg.element("text", ["x": "-\(room)", "y": "9"], text: unit.shortened(24)) }
        if let title = categoryTitle {
            let y = (axis.bottom + 41).brief
            svg.element("text", ["x": "50%", "y": "\(y)", "text-anchor": "middle"], text: title.shortened(40))
        }
    }

    /// The unit, shown above the numbers of the axis. Without a unit, the title of the only series is shown.
    /// Percentages have the percent sign at each number instead.
    private var unit: String? {
        if style == .histogram { return table.columns[2].title }
        if let unit = table.columns.dropFirst().compactMap({ $0.axisUnit(locale.texts) }).first { return unit }
        guard series.count == 1, let column = series.first, table.columns[column].type != .percent else { return nil }
        return table.columns[column].title
    }

    /// The title below the categories, if they are numbers; nil for other categories.
    private var categoryTitle: String? {
        let column = table.columns[0]
        if style == .histogram {
            let name = [column.caption, column.axisUnit(locale.texts)].compactMap(\.self)
            return Set(name).count > 1 ? "\(name[0]) (\(name[1]))" : name.first
        }
        return column.type.isNumeric ? column.titleWithUnit : nil
    }

    private func drawTarget(_ svg: inout HTML) {
        guard let target, let value = table.rows.first.flatMap({ self.value($0, target) }) else { return }
        let y = axis.y(value)
        svg.shape("line", ["class": "target", "x1": "0", "x2": "100%", "y1": "\(y.brief)", "y2": "\(y.brief)"])
    }

    private func drawCategories(_ svg: inout HTML) {
        let labels = categoryLabels
        // At most six labels fit on a phone.
        let stride = style == .histogram ? max(1, (count + 6) / 7) : max(1, (count + 11) / 12)
        let shown = (labels.count + stride - 1) / stride
        let letters = labels.map { min(14, $0.count) }.max() ?? 0
        // About forty letters fit on a phone.
        let narrowStride = max(1, (shown * (letters + 2) + 39) / 40)
        for (index, label) in labels.enumerated() where index % stride == 0 && !label.isEmpty {
            let isSkipped = (index / stride) % narrowStride != 0
            let x = style == .histogram ? Double(index) * band : center(index)
            // The label of the last bound is at the very end of the axis. If it is long, it is aligned so that it does
            // not leave the page.
            let anchor = style == .histogram && index == count && label.count > 5 ? "end" : "middle"
            svg.element(
                "text",
                [
                    "x": "\(x.brief)%", "y": (axis.bottom + 21).brief, "text-anchor": anchor,
                    "class": isSkipped ? "wide-only" : nil,
                ],
                text: label.shortened(14)
            )
        }
        if isOneWeek { drawDayNumbers(&svg) }
    }

    /// True if all days are in one week. Each label is then a weekday, with the day's number below.
    private var isOneWeek: Bool {
        guard style != .histogram, table.columns[0].type == .date, count <= 7 else { return false }
        let days = table.rows.compactMap { $0[0].text.flatMap { LocalDay(parsing: $0.utf8) } }
        guard let first = days.min(), let last = days.max() else { return false }
        return last.number - first.number < 7
    }

    private func drawDayNumbers(_ svg: inout HTML) {
        for (index, row) in table.rows.enumerated() {
            guard let day = row[0].text.flatMap({ LocalDay(parsing: $0.utf8) }) else { continue }
            let place: HTML.Attributes = ["x": "\(center(index).brief)%", "y": (axis.bottom + 36).brief]
            svg.element("text", place + ["text-anchor": "middle"], text: locale.date(day, .day))
        }
    }

    private var categoryLabels: [String] {
        let column = table.columns[0]
        if style == .histogram {
            // The bounds of the ranges. There is one more bound than there are bars.
            return table.rows.map { locale.value($0[0], column) }
                + (table.rows.last.map { [locale.value($0[1], column)] } ?? [])
        }
        guard column.type == .date else { return table.rows.map { locale.value($0[0], column) } }
        let days = table.rows.map { $0[0].text.flatMap { LocalDay(parsing: $0.utf8) } }
        return days.map { day in day.map { locale.date($0, isOneWeek ? .weekday : .short) } ?? "" }
    }

    // MARK: Positions

    /// The width of a category, in percent.
    var band: Double { 100 / Double(max(1, count)) }

    func center(_ index: Int) -> Double { (Double(index) + 0.5) * band }

    func value(_ row: [Cell], _ column: Int) -> Double? { row[column].number.map { $0 / scale } }

}

extension DataTable.Column {
    /// The unit of an axis for this column; nil if the axis shows no unit.
    func axisUnit(_ texts: TextTable) -> String? {
        switch type {
        case .duration: texts(.minutesOnAxis)
        case .percent: nil
        default: unit?.other
        }
    }
}

extension String {
    /// The beginning of the text, with an ellipsis if the rest is cut off.
    func shortened(_ length: Int) -> String { count > length ? prefix(length - 1) + "…" : self }
}
