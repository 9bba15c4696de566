// SPDX-License-Identifier: Apache-2.0

/// A realistic stream of learning events. The same options give the same bytes on every machine.
///
/// ## The model
///
/// A simulation is a school whose learners enrol on the first day. Each learner has a home time zone, a phone, and one
/// or two languages; some also have a tablet. Each has a favourite hour, favourite weekdays and a motivation.
/// Motivations are spread evenly over the learners, so that large groups have the same mix for every seed. Habits
/// reinforce themselves: practice yesterday makes practice today more likely. Enthusiasm fades after the first weeks.
/// Learners travel, and take breaks of days to months.
///
/// An active day has a dialog, line by line, in which the learner meets words. Then the learner reviews the words that
/// are due by a memory model (`WordMemory`). Sometimes there is a second visit, a conversation, or a room scan. Accuracy
/// rises with practice. Learners with the same language and region play together. Both then have events of the same
/// session at matching times.
///
/// With `together`, there are also groups and rarer people. Three of four learners are in a group of 2 to 5 friends, who
/// practise on the same days more often. Most are in a team of 8 to 30. One in 200 is a cheat, whose script sends
/// hundreds of events within a minute or two. One in 33 stops, and comes back after 2 to 8 months.
///
/// A device writes times either with `Z` and a `timezone`, or with a numeric offset. Devices with an offset are in
/// zones without daylight saving time. So a correct offset needs no time zone data. Devices with a `timezone` need no
/// exact data either, because nobody notices an error of an hour in a habit.
///
/// ## Order
///
/// Events are ordered by time across all learners. A shorter simulation is the beginning of a longer simulation, unless
/// `disorder` is set. With `disorder`, devices are offline for hours to days and deliver late, and events overtake each
/// other. About 1 % of the events are sent a second time, up to three weeks later. The set of events stays the same.
///
/// Memory: about 250 bytes per learner, 8 bytes per word that a learner has met, and 40 bytes for each event of the
/// latest one and a half days.
public struct Simulation: Sendable {
    /// The parameters of a simulation.
    public struct Options: Sendable {
        /// The number of learners, from 0 to `mostLearners`.
        public var learners: Int
        /// The number of days, from 0 to `mostDays`.
        public var days: Int
        /// The seed. Another seed gives another school.
        public var seed: UInt64
        /// The first day, in UTC. All events are in the `days` days from its start. Numeric offsets are correct from
        /// 1994 on.
        public var start: CalendarDay
        /// True if events are delivered late, repeatedly and out of order.
        public var disorder: Bool
        /// True for random UUIDs (version 4) as event ids; false for `e1`, `e2`, ….
        public var uuid: Bool
        /// The number of visits of each learner per day, from 1 to `mostVisits`; nil for realistic habits.
        public var visits: Int?
        /// True with groups of friends, teams, cheats, and learners who come back after months. With `visits`, nobody is
        /// away.
        public var together: Bool

        /// The maximum of `learners`.
        public static let mostLearners = 10_000_000
        /// The maximum of `days`.
        public static let mostDays = 36_500
        /// The maximum of `visits`.
        public static let mostVisits = 24
        /// The usual first day: 2026-01-05, a Monday. It applies to simulations of up to 180 days.
        public static let defaultStart = CalendarDay(daysSince1970: 20_458)!
        /// The maximum length in days of a simulation that starts on the default day. A longer simulation starts
        /// earlier, because events in the future are refused.
        private static let daysSinceDefaultStart = 180

        /// The default first day: 2026-01-05. A simulation of more than 180 days starts earlier by whole weeks, so that
        /// it ends by 2026-07-04. If it would start before 1970, it starts in 1970.
        public static func defaultStart(days: Int) -> CalendarDay {
            let weeks = (max(0, days - daysSinceDefaultStart) + 6) / 7
            return CalendarDay(daysSince1970: max(4, defaultStart.daysSince1970 - 7 * weeks))!
        }

        /// Creates options. The properties of the same names describe the parameters. If `start` is nil, the first day
        /// is ``defaultStart(days:)``.
        public init(
            learners: Int,
            days: Int,
            seed: UInt64,
            start: CalendarDay? = nil,
            disorder: Bool = false,
            uuid: Bool = false,
            visits: Int? = nil,
            together: Bool = false
        ) {
            self.learners = learners
            self.days = days
            self.seed = seed
            self.start = start ?? Self.defaultStart(days: days)
            self.disorder = disorder
            self.uuid = uuid
            self.visits = visits
            self.together = together
        }
    }

    private let options: Options
    private let learners: Int
    private let days: Int

    /// Creates a simulation. Numbers out of range are clamped. A simulation that would end after the year 9999 is
    /// shortened.
    public init(_ options: Options) {
        self.options = options
        learners = min(max(0, options.learners), Options.mostLearners)
        days = min(max(0, options.days), Options.mostDays, max(0, CalendarDay.last - 3 - options.start.daysSince1970))
    }

    /// Calls `emit` with consecutive chunks of NDJSON. Each chunk ends at the end of a line.
    ///
    /// - Returns: the number of events. A repeated event counts each time.
    /// - Throws: the error of `emit`, which is then not called again.
    @discardableResult
    public func run(_ emit: (UnsafeRawBufferPointer) throws -> Void) rethrows -> Int {
        let firstDay = options.start.daysSince1970
        var writer = EventWriter(seed: options.seed, usesUUIDs: options.uuid, firstDay: firstDay, days: days)
        var classroom = Classroom(
            count: learners,
            seed: options.seed,
            firstWeekday: (firstDay + 3) % 7,
            visits: options.visits.map { min(max(1, $0), Options.mostVisits) },
            together: options.together
        )
        var queue = ArrivalQueue(
            delivery: options.disorder ? Delivery(seed: options.seed) : nil,
            end: Int64(days) * Clock.day,
            expecting: min(learners * 24, 8_000_000)
        )
        // East of Greenwich, another local day begins before the last UTC day ends.
        let lastLocalDay = days == 0 ? -1 : days
        var day = 0
        while day <= lastLocalDay || !queue.isEmpty {
            if day <= lastLocalDay { classroom.live(through: day, into: &queue) }
            day += 1
            // The events of all later local days are after this time.
            try queue.release(before: Int64(day) * Clock.day - Zone.largestOffset) { record in
                writer.write(record)
                if writer.buffer.isFull { try writer.buffer.empty(into: emit) }
            }
        }
        try writer.buffer.empty(into: emit)
        return writer.count
    }
}
