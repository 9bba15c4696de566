// SPDX-License-Identifier: Apache-2.0

/// The texts beside the drawing.
extension ColumnChart {
    /// The tooltip of a category: `Mon 2 Feb 2026: 120 XP`.
    func tip(_ row: [Cell]) -> String {
        let category = locale.value(row[0], table.columns[0])
        if style == .histogram {
            let upper = locale.value(row[1], table.columns[1])
            return "\(category) – \(upper): \(locale.text(row[2], table.columns[2]))"
        }
        guard series.count == 1, let column = series.first else {
            return "\(category): \(ChartTips.text(row, series, table, locale))"
        }
        return "\(category): \(locale.text(row[column], table.columns[column]))"
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
