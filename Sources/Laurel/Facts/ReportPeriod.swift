// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelProgress

/// The period of a report: a week, the included weeks before it, and the instant of the facts.
package struct ReportPeriod: Sendable {
    /// The week's first day.
    package var week: LocalDay
    /// The number of weeks, including this week; at least 1.
    package var weeks: Int
    /// The instant of the facts. If the week ends before it, the end of the week is used.
    package var at: Timestamp

    package init(week: LocalDay, weeks: Int, at: Timestamp) {
        self.week = week
        self.weeks = weeks
        self.at = at
    }

    package var lastDay: LocalDay { LocalDay(number: week.number + 6) }
    /// The first day covered.
    package var firstDay: LocalDay { LocalDay(number: week.number - Int32(7 * (weeks - 1))) }
    var days: ClosedRange<LocalDay> { firstDay...lastDay }
    /// The four weeks that end with this week.
    var lately: ClosedRange<LocalDay> { LocalDay(number: week.number - 21)...lastDay }
    /// The first days of the weeks covered, ascending.
    package var weekStarts: [LocalDay] {
        (0..<weeks).map { LocalDay(number: firstDay.number + Int32(7 * $0)) }
    }
}

extension ReportPeriod {
    /// The end of the week by the rules' clock; nil if the week is not over at ``at``.
    package func end(clock: LocalClock) -> Timestamp? { end([], clock: clock) }

    /// The end of a learner's week: the last millisecond at which the learner's wall clock showed one of its days.
    ///
    /// Between two events, the clock of the earlier event counts: its time zone, or else its written offset. Before
    /// the first event, the rules' clock counts. Void events also set the clock, because a retraction concerns the
    /// activity, not the time zone.
    /// - Parameter spans: the learner's events, in order.
    /// - Returns: the instant with the offset of that clock; nil if the week is not over at ``at``. The offset is
    ///   rounded down to whole minutes, so that it never gives a later day.
    func end(_ spans: [PlannedRows], clock: LocalClock) -> Timestamp? {
        var wall = WallClock(clock)
        let midnight = (Int64(lastDay.number) + 1) * millisecondsPerDay + clock.dayStart
        // Offsets are shorter than a day. So only instants within a day of midnight need an exact computation.
        guard at.milliseconds > midnight - millisecondsPerDay else { return nil }
        let window = midnight - millisecondsPerDay...min(midnight + millisecondsPerDay, at.milliseconds)
        var latest: Int64?
        var next: Int64?
        forEachRow(of: spans, in: window) { table, row in
            let time = table.milliseconds[row]
            if wall.day(of: row, in: table) <= lastDay {
                latest = time
                wall.adoptZone(row, in: table)
                next = nil
            } else if next == nil {
                next = time
            }
        }
        let end = max(min(wall.end(of: lastDay, midnight: midnight), next.map { $0 - 1 } ?? .max), latest ?? 0, 0)
        guard end < at.milliseconds else { return nil }
        let minutes = Int16(clamping: Int64(wall.offset(at: end)).dividedRoundingDown(by: 60))
        return Timestamp(milliseconds: end, offset: .minutes(minutes))
    }

    /// Visits the last row before an interval of time, and the rows in the interval.
    private func forEachRow(
        of spans: [PlannedRows],
        in window: ClosedRange<Int64>,
        _ body: (EventTable, Int) -> Void
    ) {
        var before: (bound: PlannedTable, row: Int)?
        for span in spans {
            let table = span.bound.table
            let first = span.rows.partitioningIndex { table.milliseconds[$0] >= window.lowerBound }
            if first > span.rows.lowerBound { before = (span.bound, first - 1) }
            guard first < span.rows.upperBound else { continue }
            if let last = before { body(last.bound.table, last.row) }
            before = nil
            for row in first..<span.rows.upperBound {
                guard table.milliseconds[row] <= window.upperBound else { break }
                body(table, row)
            }
        }
        if let last = before { body(last.bound.table, last.row) }
    }
}

/// The learner's wall clock, as set by the latest event that contains a time zone or an offset.
private struct WallClock {
    private var clock: LocalClock
    private var timezone: [UInt8] = []
    private var offsetCode = WrittenOffset.zuluCode

    init(_ clock: LocalClock) { self.clock = clock }

    mutating func day(of row: Int, in table: EventTable) -> LocalDay { clock.localTime(of: row, in: table).day }

    mutating func adoptZone(_ row: Int, in table: EventTable) {
        timezone = Array(table.texts[table.timezone[row]])
        offsetCode = table.offsets[row]
    }

    mutating func offset(at instant: Int64) -> Int32 {
        timezone.withUnsafeBufferPointer {
            clock.offsetSeconds(at: instant, offsetCode: offsetCode, timezone: $0)
        }
    }

    /// The last millisecond at which the clock shows a day. If a clock is set back around midnight, it may show the day
    /// twice.
    /// - Parameter midnight: the end of the day on a clock that shows UTC.
    mutating func end(of day: LocalDay, midnight: Int64) -> Int64 {
        let offsets = [midnight - millisecondsPerDay, midnight + millisecondsPerDay].map { offset(at: max(0, $0)) }
        let ends = offsets.map { midnight - Int64($0) * 1000 - 1 }
        return ends.filter { clock.localTime(at: $0, offset: offset(at: $0)).day <= day }.max() ?? ends.min()!
    }
}

private let millisecondsPerDay: Int64 = 86_400_000
