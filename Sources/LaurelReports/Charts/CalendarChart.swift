// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A calendar with a square per day and a column per week. The shape in a square shows the day's state, and the shade
/// shows the day's value.
///
/// Each week is a separate drawing, and the latest week comes first in the page's source. If a card has no room for all
/// weeks, the earliest weeks wrap to a second line, which is hidden.
struct CalendarChart {
    let days: CalendarDays
    let column: DataTable.Column
    let title: String
    let locale: LocaleText

    private static let cell = 12.0
    private static let step = 15.0
    private static let top = 18.0
    private static let height = top + 7 * step - 3
    /// The maximum width of a letter in a name, in pixels.
    private static let letter = 7.5
    /// The number of weeks from which a calendar is as wide as a card. The gaps between the weeks may then grow.
    private static let full = 40

    /// The names of months, by the index of the week above which they are written.
    private let months: [Int: String]

    init(_ exhibit: Exhibit, title: String, locale: LocaleText) {
        days = CalendarDays(exhibit)
        column = exhibit.table.columns[1]
        self.title = title
        self.locale = locale
        months = CalendarChart.months(days, locale)
    }

    /// The names of the months for which there is enough space. No name may overlap the next name, or extend more than
    /// a letter beyond the last week.
    private static func months(_ days: CalendarDays, _ locale: LocaleText) -> [Int: String] {
        var found: [(week: Int, name: String)] = []
        var month = -1
        for week in days.weeks.indices {
            let first = days.firstDay(ofWeek: week)
            guard first.civil.month != month else { continue }
            month = first.civil.month
            let name = locale.date(first, .month)
            func hasRoom(_ name: String, _ weeks: Int) -> Bool {
                letter * Double(name.count) <= step * Double(weeks)
            }
            // The first month may cover only a week or two. Then the name of the next month is more useful.
            if let last = found.last, !hasRoom(last.name + " ", week - last.week) { found.removeLast() }
            if hasRoom(name, days.weeks.count - week) { found.append((week, name)) }
        }
        return Dictionary(found.map { ($0.week, $0.name) }) { first, _ in first }
    }

    func draw(into markup: inout HTML) {
        let kind = days.weeks.count >= CalendarChart.full ? "calendar full" : "calendar"
        markup.element("div", ["class": "\(kind)", "role": "group", "aria-label": title]) { body in
            let names = CalendarChart.weekdays(days, locale)
            let left = 8 + 6.4 * Double(names.map(\.name.count).max() ?? 0)
            let size: HTML.Attributes = ["width": left.brief, "height": CalendarChart.height.brief]
            body.element("svg", ["class": "weekdays"] + size) { svg in
                for (row, name) in names {
                    let y = CalendarChart.top + Double(row) * CalendarChart.step + CalendarChart.cell / 2
                    svg.element("text", ["x": "0", "y": "\(y.brief)", "dy": ".32em"], text: name)
                }
            }
            body.element("div", ["class": "weeks days"]) { body in
                for week in days.weeks.indices.reversed() { draw(week, &body) }
            }
        }
    }

    private func draw(_ week: Int, _ body: inout HTML) {
        body.element("div", ["class": "week"]) { column in
            // Screen readers read the numbers in the table, so the drawing is hidden from them.
            column.element("svg", ["aria-hidden": "true"]) { svg in
                if let name = months[week] { svg.element("text", ["x": "0", "y": "10"], text: name) }
                for (weekday, day) in days.weeks[week].enumerated() {
                    guard let day else { continue }
                    draw(day, at: CalendarChart.top + Double(weekday) * CalendarChart.step, &svg)
                }
            }
            ChartTips.draw(days.weeks[week].map { $0.map(tip) ?? "" }, isReachable: false, in: &column)
        }
    }

    /// The names of every second weekday. There is no room for all weekdays.
    private static func weekdays(_ days: CalendarDays, _ locale: LocaleText) -> [(row: Int, name: String)] {
        guard let start = days.start else { return [] }
        return stride(from: 0, to: 7, by: 2).map { row in
            (row, locale.weekdayName(LocalDay(number: start.number + Int32(row)).weekday))
        }
    }

    private func draw(_ day: CalendarDays.Day, at y: Double, _ svg: inout HTML) {
        let level = days.level(day.value)
        CalendarChart.drawSign(day.state ?? (level > 0 ? "active" : "missed"), level, y: y, &svg)
    }

    /// Draws the sign of a state.
    static func drawSign(
        _ state: String,
        _ level: Int,
        x: Double = 0,
        y: Double = 0,
        _ svg: inout HTML
    ) {
        let (middle, center) = (x + cell / 2, y + cell / 2)
        func square(_ fill: String) -> HTML.Attributes {
            [
                "class": fill, "x": x == 0 ? nil : x.brief, "y": y == 0 ? nil : y.brief, "width": cell.brief,
                "height": cell.brief, "rx": "2.5",
            ]
        }
        func hollow(_ kind: String) {
            let size = (cell - 1).brief
            let place: HTML.Attributes = ["x": "0.5", "y": (y + 0.5).brief, "width": size, "height": size, "rx": "2"]
            svg.shape("rect", ["class": kind] + place)
        }
        /// A square with a sign in it.
        func signed(_ fill: String, _ tag: StaticString, _ attributes: HTML.Attributes) {
            svg.shape("rect", square(fill))
            svg.shape(tag, attributes)
        }
        switch state {
        case "active": svg.shape("rect", square("g\(max(1, level))"))
        case "repaired":
            signed("g3", "circle", ["class": "patch", "cx": middle.brief, "cy": center.brief, "r": "2.5"])
        case "frozen":
            let arms = [(0.0, 4.0), (3.46, 2.0), (3.46, -2.0)].map { dx, dy in
                "M\((middle - dx).brief) \((center - dy).brief)l\((2 * dx).brief) \((2 * dy).brief)"
            }
            signed("g0", "path", ["class": "ice", "d": arms.joined()])
        case "rest": signed("g0", "path", ["class": "rest", "d": "M\((middle - 2.5).brief) \(center.brief)h5"])
        case "open": hollow("hollow dashed")
        case "missed": hollow("hollow")
        default: svg.shape("rect", square("g0"))
        }
    }

    /// The tooltip of a day; empty for a day before the first active day.
    private func tip(_ day: CalendarDays.Day) -> String {
        if let state = day.state, !Phrase.states.contains(where: { $0.name == state }), day.value ?? 0 == 0 {
            return ""
        }
        var parts = [locale.date(day.day, .full)]
        if let state = day.state {
            parts += Phrase.states.filter { $0.name == state }.map { locale.texts($0.title) }
        }
        if let value = day.value, value != 0 { parts.append(locale.text(.number(value), column)) }
        return parts.joined(separator: ", ")
    }

    func drawKey(into markup: inout HTML) {
        markup.element("ul", ["class": "key days"]) { list in
            for state in Phrase.states where days.states.contains(state.name) && state.name != "active" {
                list.element("li") { item in
                    item.element("svg", ["width": "12", "height": "12", "aria-hidden": "true"]) { svg in
                        CalendarChart.drawSign(state.name, 3, &svg)
                    }
                    item.write(locale.texts(state.title))
                }
            }
            guard !days.values.isEmpty else { return }
            list.element("li") { item in
                item.write(locale.texts(.less))
                item.element("svg", ["width": "57", "height": "12", "aria-hidden": "true"]) { svg in
                    for level in 1...4 { CalendarChart.drawSign("active", level, x: Double(level - 1) * 15, &svg) }
                }
                item.write(locale.texts(.more, ["unit": column.axisUnit(locale.texts) ?? column.title]))
            }
        }
    }
}
