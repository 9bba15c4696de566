// SPDX-License-Identifier: Apache-2.0

import LaurelReports

/// A bar that shows a count, with a link to the counted items.
struct LinkedBar {
    var name: PageText
    var value: Int
    /// The value with its unit.
    var text: PageText
    var link: Link
}

/// Bars that show counts. They look like the charts of reports.
extension HTML {
    /// Writes bars below their names. A click on a bar opens its link.
    /// - Parameters:
    ///   - title: the name of the chart.
    ///   - value: the name of the values.
    mutating func linkedBars(_ title: PageText, value: PageText, _ bars: [LinkedBar]) {
        let most = max(1, bars.map(\.value).max() ?? 0)
        element("ul", ["class": "bars linked", "aria-label": title.written()]) { list in
            for bar in bars {
                list.element("li") { item in
                    item.element("a", ["href": bar.link.text]) { link in
                        link.element("span", ["class": "line"]) { line in
                            line.element("span", text: bar.name)
                            line.element("span", text: bar.text)
                        }
                        link.element("svg", ["class": "bar", "height": "8", "aria-hidden": "true"]) { svg in
                            let width = Double(bar.value) * 100 / Double(most)
                            svg.element("rect", ["class": "s1", "width": "\(width)%", "height": "8"], text: "")
                        }
                    }
                }
            }
        }
        let rows = HTML { rows in
            for bar in bars {
                rows.element("tr") { row in
                    row.element("th", text: bar.name)
                    row.element("td", ["class": "n"], text: "\(bar.value)")
                }
            }
        }
        exportLink(title, ["Name", value], rows: rows)
    }

    /// Writes a bar for each of fourteen days: the week before, and this week.
    /// - Parameters:
    ///   - title: the text for screen readers.
    ///   - begun: the number of days that have begun. Later days have no bar.
    mutating func sparkline(_ title: PageText, _ values: [Int], begun: Int) {
        let most = Double(max(1, values.max() ?? 0))
        let description = values.prefix(begun).map { WrittenText.number($0) }.joined(separator: ", ")
        element(
            "svg",
            ["class": "spark", "viewBox": "0 0 140 32", "preserveAspectRatio": "none", "role": "img"]
        ) { svg in
            svg.element("title", text: "\(title): \(description)")
            for (place, value) in values.prefix(begun).enumerated() {
                // A day without practice has a line, so that it differs from a day to come.
                let height = max(1, Double(max(0, value)) * 30 / most)
                svg.element(
                    "rect",
                    [
                        "class": place < 7 ? "before" : "now", "x": "\(place * 10 + 1)", "y": "\(32 - height)",
                        "width": "8", "height": "\(height)",
                    ],
                    text: ""
                )
            }
        }
    }
}
