// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore
import LaurelWire

/// Settles the weeks of leagues, in their order.
struct LeagueRun {
    let engine: ProgressEngine
    /// The leagues, in the order of the rules.
    let leagues: [String]
    /// The instant that decides which weeks can be settled.
    let now: Date
    let actor: AuditActor?
    /// Called with the number of stored results so far.
    let observe: (Int) -> Void

    /// Stores the results of an interrupted run. Then settles all weeks that can be settled. Before that, results of
    /// each league's latest settled week are improved if the rules allow it.
    func settle() throws -> [LeagueSettlement] {
        try rememberStart()
        var settlements: [LeagueSettlement] = []
        var begun: Set<String> = []
        while let step = try nextStep(begun) {
            // If another node has settled a week meanwhile, the next step stores that node's results.
            guard try step.isEmpty || decide(step) else { continue }
            begun.insert(step.settlement.league)
            if !step.isEmpty { settlements.append(step.settlement) }
        }
        try deliver()
        return settlements
    }

    /// The settlement that ``settle()`` would make next. Further settlements depend on results that are not stored yet.
    func preview() throws -> [LeagueSettlement] {
        var begun: Set<String> = []
        while let step = try nextStep(begun, isPreview: true) {
            if !step.isEmpty { return [step.settlement] }
            begun.insert(step.settlement.league)
        }
        return []
    }

    /// A settlement before it is stored.
    private struct Step {
        let week: LeagueWeek
        let settlement: LeagueSettlement
        let events: [Event]
        /// The records of the league's settled weeks before the settlement, by name.
        let before: [String: String]
        let number: Int

        /// True if no result of a settled week is better now.
        var isEmpty: Bool { settlement.isAmendment && events.isEmpty }
    }

    /// Computes the next settlement; nil if no week can be settled.
    /// - Parameters:
    ///   - begun: the leagues of which this run has settled a week, or has tried to improve results.
    ///   - isPreview: true to store nothing.
    private func nextStep(_ begun: Set<String>, isPreview: Bool = false) throws -> Step? {
        let records = try engine.serviceRecords(
            prefixes: leagues.flatMap { [LeagueRecords.weeks(of: $0), LeagueRecords.start(of: $0)] }
        )
        // Another node may have settled a week since the last look. The next week depends on its results.
        if !isPreview { try deliver() }
        return try engine.readLeagues(until: .max) { reader in
            let next = try leagues.compactMap { try nextWeek(of: $0, records, reader, mayImprove: !begun.contains($0)) }
                .min { $0.week.days.lowerBound < $1.week.days.lowerBound }
            guard let next else { return nil }
            let entrants = try reader.entrants(of: next.week)
            let ranking = try LeagueRanking(next.week, entrants, isSettled: next.isSettled, reader)
            return try step(next.week, records, ranking.outcomes, isSettled: next.isSettled)
        }
    }

    /// The next week of a league to settle: the latest settled week if its results may be improved, else the first week
    /// that is not settled and has ended.
    private func nextWeek(
        of league: String,
        _ records: [String: String],
        _ reader: LeagueReader,
        mayImprove: Bool
    ) throws -> (week: LeagueWeek, isSettled: Bool)? {
        let latest = try latestSettled(league, records, reader)
        if mayImprove, let latest, let week = reader.scan.plan.leagueWeek(league, containing: latest),
            week.rule.promotesLate
        {
            return (week, true)
        }
        let started = records[LeagueRecords.start(of: league)].flatMap { LocalDay(parsing: $0.utf8) }
        let weeks = reader.scan.plan.leagueWeeks(league, firstRun: started ?? today, settledBy: now.milliseconds)
        return weeks.first { week in latest.map { $0 < week.days.lowerBound } ?? true }.map { ($0, false) }
    }

    /// The first day of a league's latest settled week; nil if no week was settled.
    private func latestSettled(
        _ league: String,
        _ records: [String: String],
        _ reader: LeagueReader
    ) throws -> LocalDay? {
        let noted = try records.filter { $0.key.hasPrefix(LeagueRecords.weeks(of: league)) }.map {
            try LaurelJSON.decode(LeagueRecords.Week.self, from: Data($0.value.utf8)).firstDay
        }
        // A store that was filled by an export has results, but no records.
        return try noted.max() ?? reader.latestResultDay(in: league)
    }

    /// The day of the run, by the rules' clock.
    private var today: LocalDay { engine.localDay(of: Timestamp(milliseconds: now.milliseconds)) }

    /// Notes the day of each league's first run.
    private func rememberStart() throws {
        let names = leagues.map(LeagueRecords.start)
        let known = try engine.serviceRecords(prefixes: names)
        let missing = names.filter { known[$0] == nil }
        guard !missing.isEmpty else { return }
        try engine.updateServiceRecords(prefixes: missing) { records in
            Dictionary(uniqueKeysWithValues: missing.filter { records[$0] == nil }.map { ($0, today.description) })
        }
    }

    private func step(
        _ week: LeagueWeek,
        _ records: [String: String],
        _ outcomes: [LeagueRanking.Outcome],
        isSettled: Bool
    ) throws -> Step {
        let due = outcomes.filter { outcome in
            let earlier = outcome.entrant.earlier
            guard isSettled else { return earlier.isEmpty }
            return !earlier.isRetracted && outcome.outcome > earlier.inForce?.outcome ?? .stayed
        }
        let league = week.rule.name
        let before = records.filter { $0.key.hasPrefix(LeagueRecords.weeks(of: league)) }
        let known = try before[LeagueRecords.record(of: week)].map {
            try LaurelJSON.decode(LeagueRecords.Week.self, from: Data($0.utf8)).settlements
        }
        return Step(
            week: week,
            settlement: LeagueSettlement(
                league: league,
                week: week.name,
                settledAt: Date(milliseconds: week.settlesAt),
                isAmendment: isSettled,
                results: due.count,
                promoted: due.count { $0.outcome == .promoted },
                demoted: due.count { $0.outcome == .demoted }
            ),
            events: due.map { $0.event(of: week) },
            before: before,
            number: (known ?? (isSettled ? 1 : 0)) + 1
        )
    }

    /// Notes the settlement and its results in one transaction.
    /// - Returns: false if another node has settled a week meanwhile.
    private func decide(_ step: Step) throws -> Bool {
        let league = step.week.rule.name
        let name = LeagueRecords.record(of: step.week)
        let note = LeagueRecords.Week(firstDay: step.week.days.lowerBound, settlements: step.number)
        let text = String(decoding: try LaurelJSON.encode(note), as: UTF8.self)
        let partName = "\(step.week.name)/\(step.number)"
        let parts = try LeagueRecords.parts(of: league, partName, step.events, now: Date())
        var isOurs = false
        try engine.updateServiceRecords(prefixes: [LeagueRecords.weeks(of: league)]) { records in
            isOurs = records == step.before
            return isOurs ? parts.merging([name: text]) { $1 } : [:]
        }
        return isOurs
    }
}

extension LeagueRanking.Outcome {
    /// The event that contains the result.
    fileprivate func event(of week: LeagueWeek) -> Event {
        var data: [String: JSONValue] = [
            "league": .string(week.rule.name), "week": .string(week.name), "tier": .string(week.rule.tiers[tier]),
            "xp": entrant.xp.rounded() == entrant.xp ? .integer(Int64(entrant.xp)) : .double(entrant.xp),
            "outcome": .string(outcome.name), "next": .string(week.rule.next(after: tier, outcome)),
        ]
        if let place {
            data["room"] = .integer(Int64(place.room))
            data["rank"] = .integer(Int64(place.rank))
            data["of"] = .integer(Int64(place.of))
        }
        let offset = entrant.timezone == nil ? entrant.offset : WrittenOffset(code: WrittenOffset.zuluCode)
        return Event(
            id: entrant.earlier.nextID(week),
            source: EarlierResults.source,
            type: EventKind.leagueFinished.rawValue,
            subject: entrant.id,
            time: Timestamp(
                milliseconds: week.settlesAt,
                offset: offset,
                spelling: Timestamp.Spelling(fractionDigits: 0)
            ),
            timezone: entrant.timezone,
            data: data
        )
    }
}
