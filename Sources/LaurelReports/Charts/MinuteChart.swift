// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension PageChart {
    /// A chart of stacked parts with one column per minute.
    /// - Parameters:
    ///   - title: the text for screen readers.
    ///   - unit: the unit of the values.
    ///   - series: the names of the parts.
    ///   - rows: the minutes, ascending, each with a value per part.
    package static func stackedMinutes(
        _ title: String,
        unit: String,
        series: [String],
        rows: [(minute: Date, values: [Double])]
    ) -> HTML {
        let axis = Axis(values: rows.map { $0.values.reduce(0, +) }, top: 26, height: 110)
        let labels = axis.ticks.map { LocaleText.current.number($0) }
        let room = Axis.room(labels)
        let table = table(unit, series, rows)
        let tips = table.rows.map { row in
            "\(row[0].key): \(ChartTips.text(row, Array(table.columns.indices.dropFirst()), table, .current))"
        }
        var markup = HTML()
        ChartTips.layer(over: "room\(room)", tips, in: &markup) { plot in
            plot.element("svg", ["class": "chart", "height": "\(Int(axis.bottom) + 24)", "role": "img"]) { svg in
                svg.element("title", text: title)
                svg.element("text", ["x": "-\(Axis.pixels(room))", "y": "9"], text: unit)
                draw(axis, labels, &svg)
                let width = 100 / Double(max(rows.count, 1))
                for (index, row) in rows.enumerated() {
                    draw(row, series, x: Double(index) * width, width: width, axis, &svg)
                }
            }
        }
        writeKey(series, &markup)
        HTMLTable(table: table, locale: .current).writeBelowChart(into: &markup, caption: title)
        return markup
    }

    private static func table(
        _ unit: String,
        _ series: [String],
        _ rows: [(minute: Date, values: [Double])]
    ) -> DataTable {
        DataTable(
            columns: [column("minute", "Time", .text)] + series.map { column($0, $0, .number, unit: unit) },
            rows: rows.map { [.text(clock($0.minute).text)] + $0.values.map { .number($0) } }
        )
    }

    /// The time of day in UTC, as text and as minutes.
    private static func clock(_ instant: Date) -> (text: String, minute: Int) {
        let minutes = Int(instant.timeIntervalSince1970 / 60) % 1440
        let (hour, minute) = (minutes / 60, minutes % 60)
        return ("\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)", minutes)
    }

    private static func draw(_ axis: Axis, _ labels: [String], _ svg: inout HTML) {
        for (tick, label) in zip(axis.ticks, labels) {
            let y = axis.y(tick).brief
            let kind = tick == 0 ? "zero" : "grid-line"
            svg.shape("line", ["class": "\(kind)", "x1": "0", "x2": "100%", "y1": "\(y)", "y2": "\(y)"])
            svg.element("text", ["x": "-8", "y": "\(y)", "dy": ".32em", "text-anchor": "end"], text: label)
        }
    }

    private static func draw(
        _ row: (minute: Date, values: [Double]),
        _ series: [String],
        x: Double,
        width: Double,
        _ axis: Axis,
        _ svg: inout HTML
    ) {
        let clock = clock(row.minute)
        if clock.minute % 15 == 0, x < 92 {
            svg.element("text", ["x": "\(x.brief)%", "y": "\((axis.bottom + 17).brief)"], text: clock.text)
        }
        var sum = 0.0
        for (place, value) in row.values.enumerated() where value > 0 {
            let (top, bottom) = (axis.y(sum + value), axis.y(sum))
            sum += value
            let frame: HTML.Attributes = [
                "x": "\((x + width * 0.1).brief)%", "width": "\((width * 0.8).brief)%", "y": top.brief,
                "height": max(bottom - top, 1).brief,
            ]
            svg.shape("rect", ["class": fill(place, series)] + frame)
        }
    }

    /// The fill of a series. The last series, which contains all other values, has a separate colour.
    private static func fill(_ place: Int, _ series: [String]) -> String {
        series[place] == other ? "s0" : "s\(place % 7 + 1)"
    }

    private static func writeKey(_ series: [String], _ markup: inout HTML) {
        markup.element("ul", ["class": "key"]) { list in
            for (place, name) in series.enumerated() {
                list.element("li") { item in
                    ChartPatterns.swatch(fill(place, series), in: &item)
                    item.isolated(name)
                }
            }
        }
    }
}
