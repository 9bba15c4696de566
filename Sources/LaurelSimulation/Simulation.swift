// SPDX-License-Identifier: Apache-2.0

/// A realistic stream of learning events. The same arguments give the same bytes on every machine.
///
/// ## The model
///
/// A simulation is a school whose learners enrol on the first day. Each has a home time zone, a phone and perhaps a
/// tablet, one language or two, an hour and weekdays they like, and a motivation: the ranks are spread evenly over the
/// learners, so that large groups have the same mix whatever the seed. Habits feed themselves (yesterday's practice
/// makes today's likelier), enthusiasm fades after the first weeks, learners take breaks of days to months, and travel.
///
/// An active day has a dialog, line by line, with words met on the way; a review of the words that are due by a memory
/// model (`WordMemory`); sometimes a second visit, a conversation, a room scan. Accuracy rises with practice. Friends
/// of the same language and region play together: both then have events of the same session at matching times.
///
/// Devices write `Z` with a `timezone`, or a numeric offset. The latter live in zones without daylight saving, so that
/// the offset is right without time zone data; the former need none, as an hour's error in a habit does not show.
///
/// ## Order
///
/// Events come in order of time across all learners, and a shorter simulation is the beginning of a longer one (unless
/// `disorder` is set). With `disorder`, devices are offline for hours to days and deliver late, events overtake each
/// other, and about one in a hundred is sent again, up to three weeks later. The set of events stays the same.
///
/// Memory: some 250 bytes a learner, 8 a word met, and 40 an event for about a day and a half of events.
public struct Simulation: Sendable {
    /// What to simulate.
    public struct Options: Sendable {
        /// 0…`mostLearners`.
        public var learners: Int
        /// 0…`mostDays`.
        public var days: Int
        /// Another seed, another school.
        public var seed: UInt64
        /// First day, in UTC. All events lie between its beginning and `days` days later. Offsets are right from 1994 on.
        public var start: CalendarDay
        /// Deliver late, repeated and shuffled.
        public var disorder: Bool
        /// Random version 4 UUIDs as event ids instead of `e1`, `e2`, ….
        public var uuid: Bool
        /// Everyone practises every day and comes so often, 1…`mostVisits`; nil: as people do.
        public var visits: Int?

        /// The largest `learners`.
        public static let mostLearners = 10_000_000
        /// The largest `days`.
        public static let mostDays = 36_500
        /// The largest `visits`.
        public static let mostVisits = 24
        /// 2026-01-05, a Monday.
        public static let defaultStart = CalendarDay(daysSince1970: 20_458)!
        /// From so many days on, a simulation starts earlier: it must not reach into the future, where events are refused.
        private static let daysSinceDefaultStart = 180

        /// The first day of a simulation that names none: 2026-01-05, or for more than 180 days as many whole weeks earlier
        /// as it takes to end by 2026-07-04. Very long ones start in 1970.
        public static func defaultStart(days: Int) -> CalendarDay {
            let weeks = (max(0, days - daysSinceDefaultStart) + 6) / 7
            return CalendarDay(daysSince1970: max(4, defaultStart.daysSince1970 - 7 * weeks))!
        }

        /// A school; each property says what its parameter means. Without a start it is ``defaultStart(days:)``.
        public init(
            learners: Int,
            days: Int,
            seed: UInt64,
            start: CalendarDay? = nil,
            disorder: Bool = false,
            uuid: Bool = false,
            visits: Int? = nil
        ) {
            self.learners = learners
            self.days = days
            self.seed = seed
            self.start = start ?? Self.defaultStart(days: days)
            self.disorder = disorder
            self.uuid = uuid
            self.visits = visits
        }
    }

    private let options: Options
    private let learners: Int
    private let days: Int

    /// Counts out of range are brought into it; no simulation goes beyond the year 9999.
    public init(_ options: Options) {
        self.options = options
        learners = min(max(0, options.learners), Options.mostLearners)
        days = min(max(0, options.days), Options.mostDays, max(0, CalendarDay.last - 3 - options.start.daysSince1970))
    }

    /// Calls `emit` with consecutive chunks of NDJSON, each of which ends at a line's end.
    ///
    /// - Returns: the number of events, repeated ones included.
    /// - Throws: what `emit` throws; nothing is emitted after that.
    @discardableResult
    public func run(_ emit: (UnsafeRawBufferPointer) throws -> Void) rethrows -> Int {
        let firstDay = options.start.daysSince1970
        var writer = EventWriter(seed: options.seed, usesUUIDs: options.uuid, firstDay: firstDay, days: days)
        var classroom = Classroom(
            count: learners,
            seed: options.seed,
            firstWeekday: (firstDay + 3) % 7,
            visits: options.visits.map { min(max(1, $0), Options.mostVisits) }
        )
        var queue = ArrivalQueue(
            delivery: options.disorder ? Delivery(seed: options.seed) : nil,
            end: Int64(days) * Clock.day,
            expecting: min(learners * 24, 8_000_000)
        )
        // East of Greenwich the next local day begins before the last one in UTC has ended.
        let lastLocalDay = days == 0 ? -1 : days
        var day = 0
        while day <= lastLocalDay || !queue.isEmpty {
            if day <= lastLocalDay { classroom.live(through: day, into: &queue) }
            day += 1
            // Whatever happens on the next local day, happens later than that.
            try queue.release(before: Int64(day) * Clock.day - Zone.largestOffset) { record in
                writer.write(record)
                if writer.buffer.isFull { try writer.buffer.empty(into: emit) }
            }
        }
        try writer.buffer.empty(into: emit)
        return writer.count
    }
}
