// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The days of a calendar, arranged in weeks.
struct CalendarDays {
    struct Day {
        var day: LocalDay
        var value: Double?
        var state: String?
    }

    /// The first day of the first week; nil if the calendar has no days.
    let start: LocalDay?
    /// The weeks with seven elements each. An element is nil before the first day, and after the last day. Every week
    /// contains a day.
    let weeks: [[Day?]]
    /// The states that occur in the calendar.
    let states: Set<String>
    /// The values above 0, ascending.
    let values: [Double]

    init(_ exhibit: Exhibit) {
        var days: [Day] = exhibit.table.rows.compactMap { row in
            guard let text = row[0].text, let day = LocalDay(parsing: text.utf8) else { return nil }
            return Day(day: day, value: row[1].number, state: row.count > 2 ? row[2].text : nil)
        }
        days.sort { $0.day < $1.day }
        states = Set(days.compactMap(\.state))
        values = days.compactMap(\.value).filter { $0 > 0 }.sorted()
        start = days.first?.day
        guard let first = start else {
            weeks = []
            return
        }
        // Each week starts on the weekday of the first day, because the query's result begins with a whole week.
        var weeks: [[Day?]] = []
        for day in days {
            let offset = Int(day.day.number - first.number)
            while weeks.count <= offset / 7 { weeks.append(Array(repeating: nil, count: 7)) }
            weeks[offset / 7][offset % 7] = day
        }
        self.weeks = weeks.filter { week in week.contains { $0 != nil } }
    }

    /// The rows of the days that have a value or an active state, the latest day first.
    func eventful(_ table: DataTable) -> DataTable {
        var table = table
        table.rows = table.rows.reversed().filter { row in
            (row[1].number ?? 0) != 0 || row.count > 2 && ["active", "repaired", "frozen"].contains(row[2].text)
        }
        return table
    }

    /// The last `count` weeks.
    func latest(_ count: Int) -> ArraySlice<[Day?]> { weeks.suffix(count) }

    /// The day at the top of a week's column. The calendar itself may not contain that day.
    func firstDay(ofWeek week: Int) -> LocalDay {
        guard let place = weeks[week].firstIndex(where: { $0 != nil }), let day = weeks[week][place]?.day else {
            return LocalDay(number: 0)
        }
        return LocalDay(number: day.number - Int32(place))
    }

    /// The shade of a day, 0 … 4. The quarters of the values above 0 decide the shade.
    func level(_ value: Double?) -> Int {
        guard let value, value > 0, let most = values.last else { return 0 }
        guard most > values[0] else { return 3 }
        let rank = values.partition(before: value)
        return 1 + min(3, rank * 4 / values.count)
    }
}

extension [Double] {
    /// The number of elements that are below a value, in an ascending list.
    /// - Complexity: O(log n).
    fileprivate func partition(before value: Double) -> Int {
        indices.partitioningIndex { self[$0] >= value }
    }
}
