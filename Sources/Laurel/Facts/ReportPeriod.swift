package import LaurelEvents
import LaurelProgress

/// The week that facts are about, the weeks before it that they reach back to, and the instant to read as of.
package struct ReportPeriod: Sendable {
    /// The week's first day.
    package var week: CivilDay
    /// How many weeks the facts cover, this one included; at least 1.
    package var weeks: Int
    /// Facts are as of this instant, or as of the end of the week if that is earlier.
    package var at: Timestamp

    package init(week: CivilDay, weeks: Int, at: Timestamp) {
        self.week = week
        self.weeks = weeks
        self.at = at
    }

    package var lastDay: CivilDay { CivilDay(number: week.number + 6) }
    /// The first day covered.
    package var firstDay: CivilDay { CivilDay(number: week.number - Int32(7 * (weeks - 1))) }
    var days: ClosedRange<CivilDay> { firstDay...lastDay }
    /// The first days of the weeks covered, ascending.
    package var weekStarts: [CivilDay] {
        (0..<weeks).map { CivilDay(number: firstDay.number + Int32(7 * $0)) }
    }
}

extension ReportPeriod {
    /// When the week is over by the rules' clock; nil where it is not at the instant to read as of.
    package func end(clock: LocalClock) -> Timestamp? { end([], clock: clock) }

    /// When a learner's week is over: the last millisecond at which the clock on their wall showed one of its days.
    ///
    /// Between two events the clock on the wall is that of the earlier one; before the first it is the rules'. Void
    /// events tell the time, too: what a learner retracts is what they did, not where they were.
    /// - Parameter spans: the learner's events, in order.
    /// - Returns: the instant with the offset of that clock, rounded down to whole minutes so that it never shows a later
    ///   day; nil where the week is not over at the instant to read as of.
    func end(_ spans: [BoundRun], clock: LocalClock) -> Timestamp? {
        var clock = clock
        let midnight = (Int64(lastDay.number) + 1) * millisecondsPerDay + clock.dayStart
        // No offset is as long as a day: what is further away from midnight than that cannot be on its wrong side.
        guard at.milliseconds > midnight - millisecondsPerDay else { return nil }
        let window = midnight - millisecondsPerDay...min(midnight + millisecondsPerDay, at.milliseconds)
        var latest: (time: Int64, offset: Int32)?
        var next: Int64?
        for (table, row) in rows(spans, in: window) {
            let time = table.milliseconds[row]
            let local = clock.localTime(of: row, in: table)
            if local.day <= lastDay {
                latest = (time, local.offset)
                next = nil
            } else if next == nil {
                next = time
            }
        }
        let offset = latest?.offset ?? clock.localTime(of: Timestamp(milliseconds: max(0, midnight))).offset
        let boundary = midnight - Int64(offset) * 1000
        let end = max(min(boundary, next ?? .max) - 1, latest?.time ?? 0)
        guard end < at.milliseconds else { return nil }
        let minutes = Int16(Int64(offset).dividedRoundingDown(by: 60))
        return Timestamp(milliseconds: max(0, end), offset: .minutes(minutes))
    }

    /// The rows in a window of time, after the last one before it.
    private func rows(_ spans: [BoundRun], in window: ClosedRange<Int64>) -> [(table: EventTable, row: Int)] {
        var before: (EventTable, Int)?
        var rows: [(EventTable, Int)] = []
        for span in spans {
            let table = span.bound.table
            let first = span.rows.partitioningIndex { table.milliseconds[$0] >= window.lowerBound }
            if first > span.rows.lowerBound { before = (table, first - 1) }
            for row in first..<span.rows.upperBound {
                guard table.milliseconds[row] <= window.upperBound else { break }
                rows.append((table, row))
            }
        }
        return (before.map { [$0] } ?? []) + rows
    }
}

private let millisecondsPerDay: Int64 = 86_400_000
