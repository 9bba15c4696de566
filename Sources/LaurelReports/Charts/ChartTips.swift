// SPDX-License-Identifier: Apache-2.0

/// The tooltips of a chart. They need no script. A tooltip appears when the reader points at a mark or taps it, or when
/// it has the focus.
///
/// Above the drawing is a layer of fields with equal widths, one for each category. The style sheet shows the label of
/// a field as its tooltip.
enum ChartTips {
    /// The maximum number of fields that the Tab key can reach. More fields would need too many key presses, and the
    /// chart's table has the same numbers.
    private static let mostStops = 14

    /// Draws a chart below its tooltips.
    /// - Parameters:
    ///   - room: the class that reserves room for the labels of the vertical axis; nil for none.
    ///   - tips: the texts from left to right. All fields have the same width.
    ///   - links: the addresses that the fields open; empty for none.
    static func layer(
        over room: String? = nil,
        _ tips: [String],
        links: [String?] = [],
        in markup: inout HTML,
        drawing: (inout HTML) -> Void
    ) {
        markup.element("div", ["class": room.map { "plot \($0)" } ?? "plot"]) { plot in
            drawing(&plot)
            draw(tips, links: links, isReachable: tips.count <= mostStops, in: &plot)
        }
    }

    /// Draws the fields of the tooltips.
    /// - Parameter isReachable: true if the Tab key and screen readers reach the fields.
    static func draw(_ tips: [String], links: [String?] = [], isReachable: Bool, in markup: inout HTML) {
        markup.element("div", ["class": "tips", "aria-hidden": isReachable ? nil : "true"]) { layer in
            for (index, tip) in tips.enumerated() {
                let side = 3 * index < tips.count ? "start" : 3 * index >= 2 * tips.count ? "end" : nil
                let link = links.indices.contains(index) ? links[index] : nil
                layer.element(
                    link == nil ? "span" : "a",
                    [
                        "class": side, "href": link, "role": isReachable && link == nil ? "img" : nil,
                        "tabindex": isReachable ? "0" : "-1",
                        "aria-label": tip.isEmpty ? nil : tip,
                    ],
                    text: ""
                )
            }
        }
    }

    /// The text of several series: `Line 120 XP, Review 40 XP`. Series without a value are left out.
    static func text(_ row: [Cell], _ series: [Int], _ table: DataTable, _ locale: LocaleText) -> String {
        let texts = series.filter { (row[$0].number ?? 0) != 0 }.map { column in
            "\(table.columns[column].title) \(locale.text(row[column], table.columns[column]))"
        }
        return texts.isEmpty ? "–" : texts.joined(separator: ", ")
    }
}
