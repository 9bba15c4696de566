// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelRules

/// A learner's results in leagues, and the parts of the learner's state that a settlement reads.
package struct LeagueResults: Sendable, Equatable {
    /// The content of a `league.finished` event.
    package struct Result: Sendable, Equatable {
        package let league: [UInt8]
        /// The name of the week: `2026-W06`, or the date of its first day.
        package let week: [UInt8]
        /// The tier in that week, and the tier for the next week.
        package let tier: [UInt8]
        package let next: [UInt8]
        package let outcome: LeagueOutcome
        /// The room, the rank in the room and the number of learners in the room; nil if the learner did not compete.
        package let room: Int?
        package let rank: Int?
        package let of: Int?
        package let xp: Double

        /// The first day of the week; nil if the week's name is invalid.
        package var firstDay: LocalDay? { LocalDay(parsing: week) ?? LocalDay(startOfISOWeek: week) }
    }

    /// XP of the bucket `adjustment` on a local day. It does not count in leagues.
    struct Adjustment: Sendable, Equatable {
        let day: LocalDay
        var xp: Double
    }

    /// The latest result of each league, in byte order of the leagues' names.
    private(set) var latest: [Result] = []
    /// The days with XP of the bucket `adjustment` in the overall track, ascending. XP of flagged events is left out.
    private(set) var adjustments: [Adjustment] = []
    /// True if the learner does not compete.
    package internal(set) var isOut = false

    init() {}

    /// Returns nil if folding can never produce such results.
    init?(latest: [Result], adjustments: [Adjustment], isOut: Bool) {
        let isAscending =
            zip(latest, latest.dropFirst()).allSatisfy { $0.league.lexicographicallyPrecedes($1.league) }
            && zip(adjustments, adjustments.dropFirst()).allSatisfy { $0.day < $1.day }
        guard isAscending else { return nil }
        (self.latest, self.adjustments, self.isOut) = (latest, adjustments, isOut)
    }

    /// The latest result in a league; nil before the first.
    package func result(in league: some Collection<UInt8>) -> Result? {
        latest.first { $0.league.elementsEqual(league) }
    }

    mutating func finish(_ result: Result) {
        let index = latest.indices.partitioningIndex { !latest[$0].league.lexicographicallyPrecedes(result.league) }
        if index < latest.count, latest[index].league == result.league {
            latest[index] = result
        } else {
            latest.insert(result, at: index)
        }
    }

    mutating func adjust(by xp: Double, on day: LocalDay) {
        let index = adjustments.indices.partitioningIndex { adjustments[$0].day >= day }
        if index < adjustments.count, adjustments[index].day == day {
            adjustments[index].xp += xp
        } else {
            adjustments.insert(Adjustment(day: day, xp: xp), at: index)
        }
    }
}

extension LeagueRule {
    /// The tier, as an index into ``LeagueRule/tiers``, in which a learner with such results competes.
    package func tier(_ results: LeagueResults) -> Int {
        results.result(in: name.utf8).flatMap { tier(named: $0.next) } ?? 0
    }

    package func tier(named name: [UInt8]) -> Int? { tiers.firstIndex { $0.utf8.elementsEqual(name) } }
}

extension LearnerState {
    /// The XP of some local days that counts in leagues: without flagged XP, and without the bucket `adjustment`.
    package func leagueXP(on days: ClosedRange<LocalDay>) -> Double {
        let earned = tracks[0].days.within(days).reduce(0) { $0 + $1.xp - $1.flaggedXP }
        return leagues.adjustments.reduce(earned) { days.contains($1.day) ? $0 - $1.xp : $0 }
    }

    /// True if an event is retracted.
    package func isRetracted(_ table: EventTable, _ row: Int) -> Bool { voids.isRetracted(table, row) }

    /// The clock of the learner's latest event: the zone if the event names one, and the offset in its time.
    package var latestClock: (timezone: String?, offset: WrittenOffset) {
        let clock = tracks[0].values.pointee.lastClock
        let zone = clock.timezone.isEmpty ? nil : String(decoding: clock.timezone, as: UTF8.self)
        return (zone, WrittenOffset(code: clock.offsetCode))
    }
}

extension FoldCore {
    /// Applies a `league.finished` event. An event with an unknown outcome has no effect.
    mutating func finishLeague() {
        let result = LeagueResults.Result(
            text: { scratch.bytes($0, columns) },
            number: { scratch.number($0, columns) }
        )
        guard let result else { return }
        learner.leagues.finish(result)
        publishLeagues()
    }

    /// Makes the results in leagues readable by expressions.
    mutating func publishLeagues() {
        for name in plan.leagueNames { name.publish(learner.leagues, scratch.numbers, scratch.texts) }
    }
}

extension LeagueResults.Result {
    /// The content of an event; nil if a required field is missing, or if the outcome is unknown.
    /// - Parameters:
    ///   - text: returns a field's text; nil if the event has none.
    ///   - number: returns a field's number; nil if the event has none.
    fileprivate init?(text: (FieldRole) -> [UInt8]?, number: (FieldRole) -> Double?) {
        guard let league = text(.league), let week = text(.week), let tier = text(.tier), let next = text(.next),
            let name = text(.outcome),
            let outcome = LeagueOutcome.allCases.first(where: { $0.name.utf8.elementsEqual(name) })
        else { return nil }
        func integer(_ role: FieldRole) -> Int? { number(role).flatMap { Int(exactly: $0) } }
        self.init(
            league: league,
            week: week,
            tier: tier,
            next: next,
            outcome: outcome,
            room: integer(.room),
            rank: integer(.rank),
            of: integer(.of),
            xp: number(.xp) ?? 0
        )
    }

    /// The content of the event in a row of a table.
    package init?(_ table: EventTable, _ row: Int) {
        func value(_ role: FieldRole) -> EventValue? {
            table.values(of: row).first { table.fields.equals($0.field, role.stringValue) }
        }
        let result = table.withColumns { columns in
            Self(
                text: { value($0).flatMap { CurrentEvent.text($0, columns) }.map { Array($0) } },
                number: { value($0).flatMap { CurrentEvent.finite($0, columns) } }
            )
        }
        guard let result else { return nil }
        self = result
    }
}
