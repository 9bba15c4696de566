// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// A chart with a dot for each row. Two numbers decide the dot's position, and a third number, such as a count, decides
/// its area.
///
/// If both axes show percentages, a line shows where both numbers are equal.
struct DotChart {
    /// The position from the left, the position from the bottom, and the size of each dot.
    let table: DataTable
    let title: String
    let locale: LocaleText

    private let across: Axis
    private let up: Axis
    private let labels: [String]
    private static let largest = 13.0
    private static let smallest = 2.5

    init(table: DataTable, title: String, locale: LocaleText) {
        (self.table, self.title, self.locale) = (table, title, locale)
        across = DotChart.axis(table, 0)
        up = DotChart.axis(table, 1)
        labels = up.ticks.map { DotChart.label($0, table.columns[1], locale) }
    }

    private static func axis(_ table: DataTable, _ column: Int) -> Axis {
        let numbers = table.rows.compactMap { $0[column].number }
        let isShare = table.columns[column].type == .percent
        return Axis(
            values: isShare ? numbers + [100] : numbers,
            limit: isShare ? 100 : nil,
            isWhole: isShare || numbers.allSatisfy { $0 == $0.rounded() },
            height: 210
        )
    }

    private static func label(_ tick: Double, _ column: DataTable.Column, _ locale: LocaleText) -> String {
        column.type == .percent ? locale.percent(tick) : locale.number(tick)
    }

    private var isCompared: Bool { table.columns[0].type == .percent && table.columns[1].type == .percent }

    func draw(into markup: inout HTML) {
        let room = Axis.room(labels)
        markup.element("svg", ["class": "chart room\(room)", "height": "\(Int(up.bottom) + 47)", "role": "group"]) {
            svg in
            svg.element("title", text: title)
            drawAxes(&svg, Axis.pixels(room))
            if isCompared {
                let ends: HTML.Attributes = ["x1": "0", "x2": "100%", "y1": up.bottom.brief, "y2": up.top.brief]
                svg.shape("line", ["class": "target"] + ends)
            }
            // The largest dots are drawn first, so that they hide no other dot.
            for row in table.rows.sorted(by: { ($0[2].number ?? 0) > ($1[2].number ?? 0) }) { draw(row, &svg) }
        }
        drawKey(&markup)
    }

    private func drawAxes(_ svg: inout HTML, _ room: Int) {
        for (tick, label) in zip(up.ticks, labels) {
            let y = up.y(tick).brief
            svg.shape(
                "line",
                ["class": tick == 0 ? "zero" : "grid-line", "x1": "0", "x2": "100%", "y1": y, "y2": y]
            )
            svg.element("text", ["x": "-8", "y": y, "dy": ".32em", "text-anchor": "end"], text: label)
        }
        for tick in across.ticks {
            svg.element(
                "text",
                ["x": "\(x(tick).brief)%", "y": (up.bottom + 21).brief, "text-anchor": "middle"],
                text: DotChart.label(tick, table.columns[0], locale)
            )
        }
        svg.element("text", ["x": "-\(room)", "y": "9"], text: table.columns[1].titleWithUnit.shortened(40))
        svg.element(
            "text",
            ["x": "50%", "y": (up.bottom + 41).brief, "text-anchor": "middle"],
            text: table.columns[0].titleWithUnit.shortened(40)
        )
    }

    /// The distance from the left, in percent of the width.
    private func x(_ value: Double) -> Double { 100 * (value - across.low) / (across.high - across.low) }

    /// Draws a dot and its tooltip. The tooltip appears when the reader points at the dot or taps it, or when it has
    /// the focus.
    private func draw(_ row: [Cell], _ svg: inout HTML) {
        guard let value = row[0].number, let height = row[1].number else { return }
        let most = table.rows.compactMap { $0[2].number }.max() ?? 0
        let share = most > 0 ? max(0, row[2].number ?? 0) / most : 0
        let radius = max(DotChart.smallest, DotChart.largest * sqrt(share))
        let (x, y) = (x(value), up.y(height))
        let texts = row.indices.map { locale.text(row[$0], table.columns[$0]) }
        let tip = "\(table.columns[0].title) \(texts[0]), \(table.columns[1].title) \(texts[1]): \(texts[2])"
        svg.element("g", ["class": "dot", "tabindex": "0", "role": "img", "aria-label": tip]) { dot in
            dot.shape("circle", ["class": "s1", "cx": "\(x.brief)%", "cy": y.brief, "r": radius.brief])
            let anchor = x < 34 ? "start" : x > 66 ? "end" : "middle"
            let place: HTML.Attributes = ["x": "\(x.brief)%", "y": (y - radius - 7).brief]
            dot.element("text", place + ["text-anchor": anchor, "aria-hidden": "true"], text: tip)
        }
    }

    private func drawKey(_ markup: inout HTML) {
        markup.element("ul", ["class": "key"]) { list in
            list.element("li") { item in
                item.element("svg", ["width": "30", "height": "14", "aria-hidden": "true"]) { svg in
                    svg.shape("circle", ["class": "s1", "cx": "4", "cy": "7", "r": "2.5"])
                    svg.shape("circle", ["class": "s1", "cx": "20", "cy": "7", "r": "6.5"])
                }
                let unit = table.columns[2].axisUnit(locale.texts) ?? table.columns[2].title
                item.write(locale.texts(.more, ["unit": unit]))
            }
            guard isCompared else { return }
            list.element("li") { item in
                item.element("svg", ["width": "22", "height": "12", "aria-hidden": "true"]) { svg in
                    svg.shape("line", ["class": "target", "x1": "0", "x2": "22", "y1": "6", "y2": "6"])
                }
                item.write(locale.texts(.bothEqual))
            }
        }
    }
}
