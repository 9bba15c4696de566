// SPDX-License-Identifier: Apache-2.0

/// Lines with a point for each value.
extension ColumnChart {
    func drawLines(_ svg: inout HTML) {
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
        // A rising line reaches the point from below. The label is then below the point, so that the line does not
        // cross it.
        let isBelow = index > 0 && (self.value(table.rows[index - 1], column) ?? value) > value
        let y = isBelow && label.y + 28 < axis.bottom ? label.y + 26 : label.y - 2
        let place: HTML.Attributes = ["x": "\(label.x.brief)%", "y": y.brief]
        svg.element("text", ["class": "strong"] + place + ["text-anchor": "middle"], text: label.text)
    }

    private static let dashes = ["none", "7 5", "2 4", "10 4 2 4"]

    /// The style of a series' line. The chart and its key use the same style.
    func trace(_ place: Int) -> HTML.Attributes {
        let dash = place % 4 == 0 ? nil : ColumnChart.dashes[place % 4]
        return ["class": "trace \(colors.stroke(place))", "stroke-dasharray": dash]
    }

    private func drawPoints(_ svg: inout HTML, _ place: Int, _ column: Int) {
        for (index, row) in table.rows.enumerated() {
            guard let value = value(row, column) else { continue }
            let point: HTML.Attributes = ["cx": "\(center(index).brief)%", "cy": axis.y(value).brief, "r": "3.25"]
            svg.shape("circle", ["class": "mark \(colors.fill(place))"] + point)
        }
    }
}
