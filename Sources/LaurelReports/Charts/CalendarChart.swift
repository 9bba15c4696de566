// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A square per day and a column per week, as calendars of contributions have them; what a day was shows in its shape, how
/// much in its shade.
struct CalendarChart {
    let days: CalendarDays
    let column: DataTable.Column
    let title: String
    let locale: LocaleText

    private static let cell = 16.0
    // Twelve weeks and a long weekday have room on a small phone.
    private static let step = 19.0
    private static let top = 20.0
    /// Of a letter of the names, at most.
    private static let letter = 7.5
    /// Where the first week stands: the weekdays' names are before it.
    private let left: Double
    /// The months' names, each over its first week.
    private let months: [(x: Double, name: String)]

    init(_ exhibit: Exhibit, title: String, locale: LocaleText) {
        days = CalendarDays(exhibit)
        column = exhibit.table.columns[1]
        self.title = title
        self.locale = locale
        let names = CalendarChart.weekdays(days, locale)
        left = 12 + 6.2 * Double(names.map(\.name.count).max() ?? 0)
        months = CalendarChart.months(days, left, locale)
    }

    /// The names that have room: none runs into the next, and the last ends where the weeks do.
    private static func months(_ days: CalendarDays, _ left: Double, _ locale: LocaleText) -> [(
        x: Double, name: String
    )] {
        var found: [(x: Double, name: String)] = []
        var month = -1
        let end = left + Double(days.weeks.count) * step
        for week in days.weeks.indices {
            let first = days.firstDay(ofWeek: week)
            guard first.civil.month != month else { continue }
            month = first.civil.month
            let name = locale.date(first, .month)
            let x = max(left, min(left + Double(week) * step, end - letter * Double(name.count) - 2))
            // The first is of a week or two at times; the next has more to name.
            if let last = found.last, last.x + letter * Double(last.name.count + 1) > x { found.removeLast() }
            found.append((x, name))
        }
        return found
    }

    func draw(into markup: inout Markup) {
        let names = months.last.map { $0.x + CalendarChart.letter * Double($0.name.count) + 2 } ?? 0
        let width = max(left + Double(days.weeks.count) * CalendarChart.step, names)
        let height = CalendarChart.top + 7 * CalendarChart.step
        markup.element("div", "class=\"scroll\" tabindex=\"0\"") { scroll in
            scroll.element("svg", "width=\"\(width.brief)\" height=\"\(height.brief)\" role=\"img\"") { svg in
                svg.element("title", text: title)
                drawNames(&svg)
                for (week, row) in days.weeks.enumerated() {
                    for (weekday, day) in row.enumerated() {
                        guard let day else { continue }
                        draw(day, at: place(week, weekday), &svg)
                    }
                }
            }
        }
    }

    private func place(_ week: Int, _ weekday: Int) -> (x: Double, y: Double) {
        (left + Double(week) * CalendarChart.step, CalendarChart.top + Double(weekday) * CalendarChart.step)
    }

    /// The names of every second weekday: more have no room.
    private static func weekdays(_ days: CalendarDays, _ locale: LocaleText) -> [(row: Int, name: String)] {
        guard let start = days.start else { return [] }
        return stride(from: 0, to: 7, by: 2).map { row in
            (row, locale.weekdayName(LocalDay(number: start.number + Int32(row)).weekday))
        }
    }

    private func drawNames(_ svg: inout Markup) {
        for (row, name) in CalendarChart.weekdays(days, locale) {
            let y = place(0, row).y + CalendarChart.cell / 2
            svg.element("text", "x=\"0\" y=\"\(y.brief)\" dy=\".32em\"", text: name)
        }
        for month in months { svg.element("text", "x=\"\(month.x.brief)\" y=\"11\"", text: month.name) }
    }

    private func draw(_ day: CalendarDays.Day, at place: (x: Double, y: Double), _ svg: inout Markup) {
        svg.element("g") { group in
            group.element("title", text: tip(day))
            let level = days.level(day.value)
            CalendarChart.drawSign(day.state ?? (level > 0 ? "active" : "missed"), level, place, &group)
        }
    }

    /// The shape of a state.
    static func drawSign(_ state: String, _ level: Int, _ place: (x: Double, y: Double), _ svg: inout Markup) {
        let square = "x=\"\(place.x.brief)\" y=\"\(place.y.brief)\" width=\"16\" height=\"16\" rx=\"3.5\""
        let inner = "x=\"\((place.x + 0.5).brief)\" y=\"\((place.y + 0.5).brief)\" width=\"15\" height=\"15\" rx=\"3\""
        let (x, y) = (place.x + cell / 2, place.y + cell / 2)
        switch state {
        case "active": svg.raw("<rect class=\"g\(max(1, level))\" \(square)/>")
        case "repaired":
            svg.raw(
                "<rect class=\"g3\" \(square)/><circle class=\"patch\" cx=\"\(x.brief)\" cy=\"\(y.brief)\" r=\"3.5\"/>"
            )
        case "frozen":
            svg.raw("<rect class=\"g0\" \(square)/>")
            let arms = [(0.0, 5.0), (4.33, 2.5), (4.33, -2.5)].map { dx, dy in
                "M\((x - dx).brief) \((y - dy).brief)L\((x + dx).brief) \((y + dy).brief)"
            }
            svg.raw("<path class=\"ice\" d=\"\(arms.joined())\"/>")
        case "rest":
            svg.raw("<rect class=\"g0\" \(square)/>")
            svg.raw(
                "<line class=\"rest\" x1=\"\((x - 3).brief)\" x2=\"\((x + 3).brief)\" y1=\"\(y.brief)\" y2=\"\(y.brief)\"/>"
            )
        case "open": svg.raw("<rect class=\"hollow dashed\" \(inner)/>")
        case "missed": svg.raw("<rect class=\"hollow\" \(inner)/>")
        default: svg.raw("<rect class=\"g0\" \(square)/>")
        }
    }

    private func tip(_ day: CalendarDays.Day) -> String {
        var parts = [locale.date(day.day, .full)]
        if let state = day.state {
            parts.append(Phrase.states.first { $0.name == state }.map { locale.texts($0.title) } ?? state)
        }
        if let value = day.value, value != 0 { parts.append(locale.text(.number(value), column)) }
        return parts.joined(separator: ", ")
    }

    func drawKey(into markup: inout Markup) {
        markup.element("ul", "class=\"key\"") { list in
            for state in Phrase.states where days.states.contains(state.name) && state.name != "active" {
                list.element("li") { item in
                    item.element("svg", "width=\"16\" height=\"16\" aria-hidden=\"true\"") { svg in
                        CalendarChart.drawSign(state.name, 3, (0, 0), &svg)
                    }
                    item.escaped(locale.texts(state.title))
                }
            }
            guard !days.values.isEmpty else { return }
            list.element("li") { item in
                item.escaped(locale.texts(.less))
                item.element("svg", "width=\"76\" height=\"16\" aria-hidden=\"true\"") { svg in
                    for level in 1...4 { CalendarChart.drawSign("active", level, (Double(level - 1) * 20, 0), &svg) }
                }
                item.escaped(locale.texts(.more, ["unit": column.axisUnit(locale.texts) ?? column.title]))
            }
        }
    }
}
