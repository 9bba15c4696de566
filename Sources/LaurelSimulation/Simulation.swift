// SPDX-License-Identifier: Apache-2.0

/// A realistic stream of learning events. The same arguments give the same bytes on every machine.
///
/// ## The model
///
/// A simulation is a school whose learners enrol on the first day. Each learner has a home time zone, a phone and
/// perhaps a tablet, one or two languages, a favourite hour and weekdays, and a motivation. Motivations are spread
/// evenly over the learners, so that large groups have the same mix whatever the seed. Habits reinforce themselves:
/// practice yesterday makes practice today likelier. Enthusiasm fades after the first weeks. Learners take breaks of
/// days to months, and travel.
///
/// An active day has a dialog, line by line, with words met on the way. Then comes a review of the words due by a
/// memory model (`WordMemory`). Sometimes there is a second visit, a conversation, or a room scan. Accuracy rises with
/// practice. Friends with the same language and region play together. Both then have events of the same session at
/// matching times.
///
/// Devices write `Z` with a `timezone`, or a numeric offset. Devices with an offset are in zones without daylight
/// saving, so the offset is right without time zone data. Devices with a `timezone` need no exact data, because an
/// hour's error in a habit does not show.
///
/// ## Order
///
/// Events are ordered by time across all learners, and a shorter simulation is the beginning of a longer one (unless
/// `disorder` is set). With `disorder`, devices are offline for hours to days and deliver late, and events overtake
/// each other. About one in a hundred is sent again, up to three weeks later. The set of events stays the same.
///
/// Memory: some 250 bytes per learner, 8 per met word, and 40 per event for about a day and a half of events.
public struct Simulation: Sendable {
    /// The parameters of a simulation.
    public struct Options: Sendable {
        /// The number of learners, 0…`mostLearners`.
        public var learners: Int
        /// The number of days, 0…`mostDays`.
        public var days: Int
        /// The seed; another seed gives another school.
        public var seed: UInt64
        /// The first day, in UTC. All events lie between its start and `days` days later. Offsets are right from 1994
        /// on.
        public var start: CalendarDay
        /// True to deliver events late, repeated and out of order.
        public var disorder: Bool
        /// True for random version 4 UUIDs as event ids instead of `e1`, `e2`, ….
        public var uuid: Bool
        /// The number of visits of every learner each day, 1…`mostVisits`; nil for realistic habits.
        public var visits: Int?

        /// The largest `learners`.
        public static let mostLearners = 10_000_000
        /// The largest `days`.
        public static let mostDays = 36_500
        /// The largest `visits`.
        public static let mostVisits = 24
        /// The default first day: 2026-01-05, a Monday.
        public static let defaultStart = CalendarDay(daysSince1970: 20_458)!
        /// The number of days above which a simulation starts earlier. It must not reach into the future, where events
        /// are refused.
        private static let daysSinceDefaultStart = 180

        /// The default first day: 2026-01-05. A simulation of more than 180 days starts whole weeks earlier, so that it
        /// ends by 2026-07-04. Very long ones start in 1970.
        public static func defaultStart(days: Int) -> CalendarDay {
            let weeks = (max(0, days - daysSinceDefaultStart) + 6) / 7
            return CalendarDay(daysSince1970: max(4, defaultStart.daysSince1970 - 7 * weeks))!
        }

        /// Creates options; each parameter is described at its property. Without a start, it is
        /// ``defaultStart(days:)``.
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

    /// Creates a simulation. Counts out of range are clamped, and no simulation goes beyond the year 9999.
    public init(_ options: Options) {
        self.options = options
        learners = min(max(0, options.learners), Options.mostLearners)
        days = min(max(0, options.days), Options.mostDays, max(0, CalendarDay.last - 3 - options.start.daysSince1970))
    }

    /// Calls `emit` with consecutive chunks of NDJSON, each of which ends with a line.
    ///
    /// - Returns: the number of events, repeated ones included.
    /// - Throws: the error of `emit`; nothing is emitted after that.
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
        // East of Greenwich, the next local day begins before the last day in UTC has ended.
        let lastLocalDay = days == 0 ? -1 : days
        var day = 0
        while day <= lastLocalDay || !queue.isEmpty {
            if day <= lastLocalDay { classroom.live(through: day, into: &queue) }
            day += 1
            // All events of the next local day are later than that.
            try queue.release(before: Int64(day) * Clock.day - Zone.largestOffset) { record in
                writer.write(record)
                if writer.buffer.isFull { try writer.buffer.empty(into: emit) }
            }
        }
        try writer.buffer.empty(into: emit)
        return writer.count
    }
}
