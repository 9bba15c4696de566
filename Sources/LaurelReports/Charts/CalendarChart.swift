// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A square per day and a column per week, as calendars of contributions have them; what a day was shows in its shape, how
/// much in its shade.
///
/// Each week is a drawing of its own, the latest first in the page: where a card has no room for all, the earliest are on a
/// second line, which is hidden.
struct CalendarChart {
    let days: CalendarDays
    let column: DataTable.Column
    let title: String
    let locale: LocaleText

    private static let cell = 12.0
    private static let step = 15.0
    private static let top = 18.0
    private static let height = top + 7 * step - 3
    /// Of a letter of the names, at most.
    private static let letter = 7.5
    /// So many weeks fill a card, so that the room between them may grow.
    private static let full = 40

    /// The months' names, by the week over which they stand.
    private let months: [Int: String]

    init(_ exhibit: Exhibit, title: String, locale: LocaleText) {
        days = CalendarDays(exhibit)
        column = exhibit.table.columns[1]
        self.title = title
        self.locale = locale
        months = CalendarChart.months(days, locale)
    }

    /// The names that have room: none runs into the next, and none beyond the last week by more than a letter.
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
            // The first is of a week or two at times; the next has more to name.
            if let last = found.last, !hasRoom(last.name + " ", week - last.week) { found.removeLast() }
            if hasRoom(name, days.weeks.count - week) { found.append((week, name)) }
        }
        return Dictionary(found.map { ($0.week, $0.name) }) { first, _ in first }
    }

    func draw(into markup: inout Markup) {
        let label = Markup.escape(title)
        let kind = days.weeks.count >= CalendarChart.full ? "calendar full" : "calendar"
        markup.element("div", "class=\"\(kind)\" role=\"img\" aria-label=\"\(label)\"") { body in
            let names = CalendarChart.weekdays(days, locale)
            let left = 8 + 6.4 * Double(names.map(\.name.count).max() ?? 0)
            let size = "width=\"\(left.brief)\" height=\"\(CalendarChart.height.brief)\""
            body.element("svg", "class=\"weekdays\" \(size)") { svg in
                for (row, name) in names {
                    let y = CalendarChart.top + Double(row) * CalendarChart.step + CalendarChart.cell / 2
                    svg.element("text", "x=\"0\" y=\"\(y.brief)\" dy=\".32em\"", text: name)
                }
            }
            body.element("div", "class=\"weeks days\"") { body in
                for week in days.weeks.indices.reversed() { draw(week, &body) }
            }
        }
    }

    private func draw(_ week: Int, _ body: inout Markup) {
        body.element("svg") { svg in
            if let name = months[week] { svg.element("text", "x=\"0\" y=\"10\"", text: name) }
            for (weekday, day) in days.weeks[week].enumerated() {
                guard let day else { continue }
                draw(day, at: CalendarChart.top + Double(weekday) * CalendarChart.step, &svg)
            }
        }
    }

    /// The names of every second weekday: more have no room.
    private static func weekdays(_ days: CalendarDays, _ locale: LocaleText) -> [(row: Int, name: String)] {
        guard let start = days.start else { return [] }
        return stride(from: 0, to: 7, by: 2).map { row in
            (row, locale.weekdayName(LocalDay(number: start.number + Int32(row)).weekday))
        }
    }

    private func draw(_ day: CalendarDays.Day, at y: Double, _ svg: inout Markup) {
        let level = days.level(day.value)
        CalendarChart.drawSign(day.state ?? (level > 0 ? "active" : "missed"), level, y: y, tip: tip(day), &svg)
    }

    /// The shape of a state.
    /// - Parameter tip: what is shown to who points at it.
    static func drawSign(
        _ state: String,
        _ level: Int,
        x: Double = 0,
        y: Double = 0,
        tip: String = "",
        _ svg: inout Markup
    ) {
        let told = tip.isEmpty ? "" : "<title>\(Markup.escape(tip))</title>"
        let (middle, center) = (x + cell / 2, y + cell / 2)
        func square(_ fill: String, _ inside: String = "") -> String {
            let place = (x == 0 ? "" : " x=\"\(x.brief)\"") + (y == 0 ? "" : " y=\"\(y.brief)\"")
            let size = "width=\"\(cell.brief)\" height=\"\(cell.brief)\" rx=\"2.5\""
            let head = "<rect class=\"\(fill)\"\(place) \(size)"
            return inside.isEmpty ? "\(head)/>" : "\(head)>\(inside)</rect>"
        }
        func hollow(_ kind: String) -> String {
            let place = "x=\"0.5\" y=\"\((y + 0.5).brief)\""
            let size = "width=\"\((cell - 1).brief)\" height=\"\((cell - 1).brief)\" rx=\"2\""
            return "<rect class=\"\(kind)\" \(place) \(size)>\(told)</rect>"
        }
        switch state {
        case "active": svg.raw(square("g\(max(1, level))", told))
        case "repaired":
            let patch = "<circle class=\"patch\" cx=\"\(middle.brief)\" cy=\"\(center.brief)\" r=\"2.5\"/>"
            svg.raw("<g>\(told)\(square("g3"))\(patch)</g>")
        case "frozen":
            let arms = [(0.0, 4.0), (3.46, 2.0), (3.46, -2.0)].map { dx, dy in
                "M\((middle - dx).brief) \((center - dy).brief)l\((2 * dx).brief) \((2 * dy).brief)"
            }
            svg.raw("<g>\(told)\(square("g0"))<path class=\"ice\" d=\"\(arms.joined())\"/></g>")
        case "rest":
            let line = "<path class=\"rest\" d=\"M\((middle - 2.5).brief) \(center.brief)h5\"/>"
            svg.raw("<g>\(told)\(square("g0"))\(line)</g>")
        case "open": svg.raw(hollow("hollow dashed"))
        case "missed": svg.raw(hollow("hollow"))
        default: svg.raw(square("g0", told))
        }
    }

    /// Empty where there is nothing to tell: before the first active day.
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

    func drawKey(into markup: inout Markup) {
        markup.element("ul", "class=\"key days\"") { list in
            for state in Phrase.states where days.states.contains(state.name) && state.name != "active" {
                list.element("li") { item in
                    item.element("svg", "width=\"12\" height=\"12\" aria-hidden=\"true\"") { svg in
                        CalendarChart.drawSign(state.name, 3, &svg)
                    }
                    item.escaped(locale.texts(state.title))
                }
            }
            guard !days.values.isEmpty else { return }
            list.element("li") { item in
                item.escaped(locale.texts(.less))
                item.element("svg", "width=\"57\" height=\"12\" aria-hidden=\"true\"") { svg in
                    for level in 1...4 { CalendarChart.drawSign("active", level, x: Double(level - 1) * 15, &svg) }
                }
                item.escaped(locale.texts(.more, ["unit": column.axisUnit(locale.texts) ?? column.title]))
            }
        }
    }
}
