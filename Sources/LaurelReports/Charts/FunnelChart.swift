// SPDX-License-Identifier: Apache-2.0

/// A chart of steps. Each step counts a part of the previous step, and is drawn as a bar with its share of the previous
/// step.
struct FunnelChart {
    /// The steps, each with its number.
    let table: DataTable
    let locale: LocaleText

    func draw(into markup: inout HTML) {
        let most = table.rows.first?[1].number ?? 0
        markup.element("ol", ["class": "bars funnel"]) { list in
            var before: Double?
            for row in table.rows {
                list.element("li") { item in
                    item.element("div", ["class": "line"]) { line in
                        line.element("span", ["dir": "auto"]) { $0.isolated(locale.value(row[0], table.columns[0])) }
                        line.element("span", text: values(row, before))
                    }
                    drawBar((row[1].number ?? 0) / max(most, 1), &item)
                }
                before = row[1].number
            }
        }
    }

    /// The number of a step, and its share of the previous step.
    private func values(_ row: [Cell], _ before: Double?) -> String {
        let value = locale.text(row[1], table.columns[1])
        guard let number = row[1].number, let before, before > 0 else { return value }
        return "\(value) · \(locale.texts(.ofStepBefore, ["share": locale.percent(100 * number / before)]))"
    }

    /// - Parameter share: the step's share of the first step, 0 … 1.
    private func drawBar(_ share: Double, _ item: inout HTML) {
        let width = 100 * min(max(share, 0), 1)
        item.element("svg", ["height": "14", "aria-hidden": "true"]) { svg in
            let place: HTML.Attributes = [
                "x": "\((50 - width / 2).brief)%", "width": "\(width.brief)%", "height": "14",
            ]
            svg.shape("rect", ["class": "s1", "rx": "2"] + place)
        }
    }
}
