// SPDX-License-Identifier: Apache-2.0

/// Bars side by side, and stacked bars.
extension ColumnChart {
    func drawBars(_ svg: inout HTML) {
        let columns = style == .histogram ? [2] : series
        let share = style == .histogram ? 1 : count == 1 ? 0.3 : 0.68
        let width = band * share / Double(columns.count)
        var labels: [ValueLabel] = []
        for (index, row) in table.rows.enumerated() {
            for (place, column) in columns.enumerated() {
                guard let value = value(row, column), value != 0 else { continue }
                let x = Double(index) * band + band * (1 - share) / 2 + Double(place) * width
                bar(&svg, x, width, from: 0, to: value, fill(place, value))
                if columns.count == 1, count <= 8 { labels.append(label(x + width / 2, value, row[column], column)) }
            }
        }
        draw(labels, &svg)
    }

    func drawStacks(_ svg: inout HTML) {
        let share = count == 1 ? 0.3 : 0.68
        var labels: [ValueLabel] = []
        for (index, row) in table.rows.enumerated() {
            var (above, below) = (0.0, 0.0)
            let x = Double(index) * band + band * (1 - share) / 2
            for (place, column) in series.enumerated() {
                guard let value = value(row, column), value != 0 else { continue }
                let start = value > 0 ? above : below
                bar(&svg, x, band * share, from: start, to: start + value, colors.fill(place), gap: 2.5)
                if value > 0 { above += value } else { below += value }
            }
            // A bar with losses gets no label, because the sum is not its height.
            if above > 0, below == 0, count <= 8, let column = series.first {
                labels.append(label(x + band * share / 2, above, .number(above * scale), column))
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
        _ fill: String,
        gap: Double = 0
    ) {
        let (top, bottom) = (axis.y(max(start, end)), axis.y(min(start, end)))
        // A gap separates the parts of a bar, so they need no outline. A small part must stay larger than its gap.
        let kind = gap > 0 ? "part" : "mark"
        let gap = min(gap, (bottom - top) / 4)
        let attributes: HTML.Attributes = [
            "class": "\(kind) \(fill)", "rx": "2", "x": "\(x.brief)%", "width": "\(width.brief)%",
            "y": (top + gap / 2).brief, "height": max(1, bottom - top - gap).brief,
        ]
        svg.shape("rect", attributes)
    }

    /// The fill of a bar. If a chart with one series has gains and losses, gains have one colour and losses another.
    private func fill(_ place: Int, _ value: Double) -> String {
        guard series.count == 1, style == .grouped, axis.low < 0, axis.high > 0 else { return colors.fill(place) }
        return value < 0 ? "loss" : "gain"
    }

    /// A value's label, and its position above the bar.
    struct ValueLabel {
        var x: Double
        var y: Double
        var text: String
    }

    func label(_ x: Double, _ value: Double, _ cell: Cell, _ column: Int) -> ValueLabel {
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
}
