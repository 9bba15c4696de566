// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A chart over a horizontal axis of categories: bars side by side or stacked, lines, or a histogram.
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
    private let targetLabel: String?
    let colors: SeriesColors

    /// The indexes of the columns of numbers. The first column is the category, and the target is not a series.
    private var series: [Int] { table.columns.indices.dropFirst().filter { $0 != target } }
    private var count: Int { table.rows.count }
    private let axis: Axis
    private let tickLabels: [String]

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

    private let scale: Double

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
        let height = Int(axis.bottom) + (style == .histogram || isOneWeek ? 47 : 29)
        let room = Axis.room(tickLabels)
        markup.element("svg", ["class": "chart room\(room)", "height": "\(height)", "role": "img"]) { svg in
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
        // The unit is written above the numbers of the axis.
        let unit =
            style == .histogram
            ? table.columns[2].title : table.columns.dropFirst().compactMap { $0.axisUnit(locale.texts) }.first
        if let unit { svg.element("text", ["x": "-\(room)", "y": "9"], text: unit.shortened(24)) }
        if style == .histogram {
            let name = [table.columns[0].caption, table.columns[0].axisUnit(locale.texts)].compactMap(\.self)
            let title = Set(name).count > 1 ? "\(name[0]) (\(name[1]))" : name.first ?? ""
            let y = (axis.bottom + 41).brief
            svg.element("text", ["x": "50%", "y": "\(y)", "text-anchor": "middle"], text: title.shortened(40))
        }
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
    private var band: Double { 100 / Double(max(1, count)) }

    private func center(_ index: Int) -> Double { (Double(index) + 0.5) * band }

    private func value(_ row: [Cell], _ column: Int) -> Double? { row[column].number.map { $0 / scale } }

    // MARK: Marks

    private func drawBars(_ svg: inout HTML) {
        let columns = style == .histogram ? [2] : series
        let share = style == .histogram ? 1 : count == 1 ? 0.3 : 0.68
        let width = band * share / Double(columns.count)
        var labels: [ValueLabel] = []
        for (index, row) in table.rows.enumerated() {
            for (place, column) in columns.enumerated() {
                guard let value = value(row, column), value != 0 else { continue }
                let x = Double(index) * band + band * (1 - share) / 2 + Double(place) * width
                bar(&svg, x, width, from: 0, to: value, place, tip(row, column))
                if columns.count == 1, count <= 8 { labels.append(label(x + width / 2, value, row[column], column)) }
            }
        }
        draw(labels, &svg)
    }

    private func drawStacks(_ svg: inout HTML) {
        let share = count == 1 ? 0.3 : 0.68
        var labels: [ValueLabel] = []
        for (index, row) in table.rows.enumerated() {
            var (above, below) = (0.0, 0.0)
            let x = Double(index) * band + band * (1 - share) / 2
            for (place, column) in series.enumerated() {
                guard let value = value(row, column), value != 0 else { continue }
                let start = value > 0 ? above : below
                bar(&svg, x, band * share, from: start, to: start + value, place, tip(row, column), gap: 2.5)
                if value > 0 { above += value } else { below += value }
            }
            if above > 0, count <= 8, let column = series.first {
                labels.append(label(x + band * share / 2, above, .number((above + below) * scale), column))
            }
        }
        draw(labels, &svg)
    }

    private func bar(
        _ svg: inout HTML,
        _ x: Double,
        _ width: Double,
        from start: Double,
        to end: Double,
        _ series: Int,
        _ tip: String,
        gap: Double = 0
    ) {
        let (top, bottom) = (axis.y(max(start, end)), axis.y(min(start, end)))
        // A gap separates the parts of a bar, so they need no outline. A small part must stay larger than its gap.
        let kind = gap > 0 ? "part" : "mark"
        let gap = min(gap, (bottom - top) / 4)
        let attributes: HTML.Attributes = [
            "class": "\(kind) \(colors.fill(series))", "rx": "2", "x": "\(x.brief)%", "width": "\(width.brief)%",
            "y": (top + gap / 2).brief, "height": max(1, bottom - top - gap).brief,
        ]
        svg.element("rect", attributes) { rect in
            rect.element("title", text: tip)
        }
    }

    /// A value's label, and its position above the bar.
    private struct ValueLabel {
        var x: Double
        var y: Double
        var text: String
    }

    private func label(_ x: Double, _ value: Double, _ cell: Cell, _ column: Int) -> ValueLabel {
        let text = scale == 1 ? locale.value(cell, table.columns[column]) : locale.number(value, decimals: 1)
        return ValueLabel(x: x, y: axis.y(max(0, value)) - 6, text: text)
    }

    /// Draws labels next to each other. The style sheet shows all labels, or no label if the longest one has no room
    /// above its bar.
    private func draw(_ labels: [ValueLabel], _ svg: inout HTML) {
        let letters = labels.map(\.text.count).max() ?? 0
        let needed = count * (7 * letters + 6) + Axis.pixels(Axis.room(tickLabels)) + 8
        let steps = min(max((needed + 39) / 40, 4), 20)
        for label in labels {
            svg.element(
                "text",
                [
                    "class": "strong w\(40 * steps)", "x": "\(label.x.brief)%", "y": "\(label.y.brief)",
                    "text-anchor": "middle",
                ],
                text: label.text
            )
        }
    }

    private func drawLines(_ svg: inout HTML) {
        for (place, column) in series.enumerated() {
            var runs: [[(x: Double, y: Double)]] = [[]]
            for (index, row) in table.rows.enumerated() {
                if let value = value(row, column) {
                    runs[runs.count - 1].append((center(index), axis.y(value)))
                } else if !runs[runs.count - 1].isEmpty {
                    runs.append([])
                }
            }
            let paths = runs.filter { $0.count > 1 }.map { run in
                "M"
                    + run.map { "\($0.x.brief) \((($0.y - axis.top) / axis.height * 100).brief)" }.joined(
                        separator: "L"
                    )
            }
            svg.element(
                "svg",
                [
                    "x": "0", "y": "\(axis.top.brief)", "width": "100%", "height": "\(axis.height.brief)",
                    "viewBox": "0 0 100 100", "preserveAspectRatio": "none", "overflow": "visible",
                ]
            ) { inner in
                inner.shape("path", trace(place) + ["d": paths.joined()])
            }
            drawPoints(&svg, place, column)
        }
        drawLastValue(&svg)
    }

    /// Draws the label of the last value, if the chart has a single line.
    private func drawLastValue(_ svg: inout HTML) {
        guard series.count == 1, let column = series.first,
            let index = table.rows.lastIndex(where: { $0[column].number != nil }),
            let value = value(table.rows[index], column)
        else { return }
        let label = label(center(index), value, table.rows[index][column], column)
        // A rising line reaches the point from below. The label is below the point then, and the line does not cross
        // it.
        let isBelow = index > 0 && (self.value(table.rows[index - 1], column) ?? value) > value
        let y = isBelow && label.y + 28 < axis.bottom ? label.y + 26 : label.y - 2
        let place: HTML.Attributes = ["x": "\(label.x.brief)%", "y": y.brief]
        svg.element("text", ["class": "strong"] + place + ["text-anchor": "middle"], text: label.text)
    }

    private static let dashes = ["none", "7 5", "2 4", "10 4 2 4"]

    /// The style of a series' line. The chart and its key use the same style.
    private func trace(_ place: Int) -> HTML.Attributes {
        let dash = place % 4 == 0 ? nil : ColumnChart.dashes[place % 4]
        return ["class": "trace \(colors.stroke(place))", "stroke-dasharray": dash]
    }

    private func drawPoints(_ svg: inout HTML, _ place: Int, _ column: Int) {
        for (index, row) in table.rows.enumerated() {
            guard let value = value(row, column) else { continue }
            let point: HTML.Attributes = ["cx": "\(center(index).brief)%", "cy": axis.y(value).brief, "r": "3.25"]
            svg.element("circle", ["class": "mark \(colors.fill(place))"] + point) { circle in
                circle.element("title", text: tip(row, column))
            }
        }
    }

    /// The tooltip of a value: `Mon 2 Feb 2026, Line: 120 XP`.
    private func tip(_ row: [Cell], _ column: Int) -> String {
        let category = locale.value(row[0], table.columns[0])
        if style == .histogram {
            let upper = locale.value(row[1], table.columns[1])
            return "\(category) – \(upper): \(locale.text(row[column], table.columns[column]))"
        }
        let name = series.count > 1 ? ", \(table.columns[column].title)" : ""
        return "\(category)\(name): \(locale.text(row[column], table.columns[column]))"
    }

    /// Draws the key of the series and of the target. A chart with one series and no target needs no key.
    /// - Parameter isList: true if the bars are horizontal, so that the line of the target is vertical.
    func drawKey(into markup: inout HTML, ofList isList: Bool = false) {
        let named = style != .histogram && series.count > 1 ? series : []
        guard !named.isEmpty || targetLabel != nil else { return }
        markup.element("ul", ["class": "key"]) { list in
            for (place, column) in named.enumerated() {
                list.element("li") { item in
                    if style == .line {
                        item.element("svg", ["width": "28", "height": "12", "aria-hidden": "true"]) { svg in
                            svg.shape("path", trace(place) + ["d": "M1 6H27"])
                        }
                    } else {
                        ChartPatterns.swatch(colors.fill(place), in: &item)
                    }
                    item.isolated(table.columns[column].title)
                }
            }
            guard let targetLabel else { return }
            list.element("li") { item in
                item.element("svg", ["width": "22", "height": "12", "aria-hidden": "true"]) { svg in
                    svg.shape(
                        "line",
                        isList
                            ? ["class": "goal", "x1": "11", "x2": "11", "y1": "0", "y2": "12"]
                            : ["class": "target", "x1": "0", "x2": "22", "y1": "6", "y2": "6"]
                    )
                }
                item.isolated(targetLabel)
            }
        }
    }
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
