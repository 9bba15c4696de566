// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore
import LaurelWire

/// Settles the weeks of one league.
struct LeagueRun {
    let engine: ProgressEngine
    let league: String
    /// The instant that decides which weeks can be settled.
    let now: Date
    let actor: AuditActor?
    /// Called with the number of stored results so far.
    let observe: (Int) -> Void

    /// Stores the results of an interrupted run, then settles all weeks that can be settled, in order. At last, results
    /// of the latest settled week are improved if the rules allow it.
    func settle() throws -> [LeagueSettlement] {
        try deliver()
        try rememberStart()
        var settlements: [LeagueSettlement] = []
        while let step = try nextStep() {
            guard !step.events.isEmpty || !step.settlement.isAmendment else { break }
            guard try decide(step) else {
                // Another node has settled the week meanwhile. Its results may not be stored yet.
                try deliver()
                continue
            }
            try deliver()
            settlements.append(step.settlement)
            if step.settlement.isAmendment { break }
        }
        return settlements
    }

    /// The settlements that ``settle()`` would make next. Later weeks depend on results that are not stored yet, so at
    /// most one week is computed.
    func preview() throws -> [LeagueSettlement] {
        guard let step = try nextStep(), !step.events.isEmpty || !step.settlement.isAmendment else { return [] }
        return [step.settlement]
    }

    /// A settlement before it is stored.
    private struct Step {
        let week: LeagueWeek
        let settlement: LeagueSettlement
        let events: [Event]
        /// The content of the week's record before the settlement; nil if there is none.
        let before: String?
        let number: Int
    }

    /// Computes the next settlement; nil if no week can be settled.
    private func nextStep() throws -> Step? {
        let records = try engine.serviceRecords(prefixes: [LeagueRecords.prefix])
        return try engine.store.readTogether { state in
            let plan = try state.read { try engine.plan(for: $0) }
            let reader = LeagueReader(state: state, plan: plan, instant: .max)
            let latest = try latestSettled(records, reader)
            if let week = try nextWeek(after: latest, records, plan) {
                return try step(week, records, LeagueRanking(week, try reader.entrants(of: week), reader).outcomes, nil)
            }
            guard let latest, let week = plan.leagueWeek(league, containing: latest), week.rule.promotesLate else {
                return nil
            }
            let settled = try reader.results(of: week)
            let entrants = try reader.entrants(of: week, including: Set(settled.keys))
            let ranking = try LeagueRanking(week, entrants, settled: settled, reader)
            return try step(week, records, ranking.outcomes, settled)
        }
    }

    /// The first day of the latest settled week; nil if no week was settled.
    private func latestSettled(_ records: [String: String], _ reader: LeagueReader) throws -> LocalDay? {
        let prefix = LeagueRecords.weeks(of: league)
        let noted = try records.filter { $0.key.hasPrefix(prefix) }.map {
            try LaurelJSON.decode(LeagueRecords.Week.self, from: Data($0.value.utf8)).firstDay
        }
        if let latest = noted.max() { return latest }
        // A store that was filled by an export has results, but no records.
        return try reader.latestResultDay(in: league)
    }

    private func nextWeek(
        after latest: LocalDay?,
        _ records: [String: String],
        _ plan: FoldPlan
    ) throws -> LeagueWeek? {
        let first: LocalDay
        if let day = plan.firstDay(of: league) {
            first = plan.firstLeagueWeekStart(from: day)
        } else {
            let started = records[LeagueRecords.start(of: league)].flatMap { LocalDay(parsing: $0.utf8) }
            first = started ?? engine.localDay(of: Timestamp(milliseconds: now.milliseconds))
        }
        let weeks = plan.leagueWeeks(league, from: first, settledBy: now.milliseconds)
        return weeks.first { week in latest.map { $0 < week.days.lowerBound } ?? true }
    }

    /// Notes the day of the league's first run.
    private func rememberStart() throws {
        let name = LeagueRecords.start(of: league)
        let today = engine.localDay(of: Timestamp(milliseconds: now.milliseconds)).description
        guard try engine.serviceRecords(prefix: name)[name] == nil else { return }
        try engine.updateServiceRecords(prefixes: [name]) { $0[name] == nil ? [name: today] : [:] }
    }

    /// - Parameter settled: the results that are stored already; nil for the first settlement of the week.
    private func step(
        _ week: LeagueWeek,
        _ records: [String: String],
        _ outcomes: [LeagueRanking.Outcome],
        _ settled: [Int64: EarlierResults]?
    ) throws -> Step {
        let due = outcomes.filter { outcome in
            guard let settled else { return true }
            let earlier = settled[outcome.entrant.learner]
            return earlier?.isRetracted != true && outcome.outcome > earlier?.inForce?.outcome ?? .stayed
        }
        let before = records[LeagueRecords.weeks(of: league) + week.name]
        let known = try before.map { try LaurelJSON.decode(LeagueRecords.Week.self, from: Data($0.utf8)).settlements }
        return Step(
            week: week,
            settlement: LeagueSettlement(
                league: league,
                week: week.name,
                settledAt: Date(milliseconds: week.settlesAt),
                isAmendment: settled != nil,
                results: due.count,
                promoted: due.count { $0.outcome == .promoted },
                demoted: due.count { $0.outcome == .demoted }
            ),
            events: due.map { $0.event(of: week, id: settled?[$0.entrant.learner]?.nextID(week) ?? week.eventID) },
            before: before,
            number: (known ?? (settled == nil ? 0 : 1)) + 1
        )
    }

    /// Notes the settlement and its results in one transaction.
    /// - Returns: false if another node has settled the week meanwhile.
    private func decide(_ step: Step) throws -> Bool {
        let name = LeagueRecords.weeks(of: league) + step.week.name
        let note = LeagueRecords.Week(firstDay: step.week.days.lowerBound, settlements: step.number)
        let text = String(decoding: try LaurelJSON.encode(note), as: UTF8.self)
        let partName = "\(step.week.name)/\(step.number)"
        let parts = try LeagueRecords.parts(of: league, partName, step.events, now: Date())
        var isOurs = false
        try engine.updateServiceRecords(prefixes: [name]) { records in
            isOurs = records[name] == step.before
            return isOurs ? parts.merging([name: text]) { $1 } : [:]
        }
        return isOurs
    }

    /// Ingests the results that are noted, part by part. A part that was interrupted is ingested again, and its events
    /// are then duplicates.
    private func deliver() throws {
        var done = 0
        let prefix = LeagueRecords.parts(of: league)
        while true {
            let parts = try engine.store.read { try $0.serviceRecords(prefix: prefix, before: nil, limit: 16) }
            guard !parts.isEmpty else { return }
            for (name, text) in parts.sorted(by: { $0.key < $1.key }) {
                try Cancellation.check()
                let part = try LaurelJSON.decode(LeagueRecords.Part.self, from: Data(text.utf8))
                try ingest(part)
                try engine.setServiceRecords([name: nil])
                done += part.results.count
                observe(done)
            }
        }
    }

    private func ingest(_ part: LeagueRecords.Part) throws {
        // A result must not bring back a learner who was erased after the settlement.
        let erasures = try engine.serviceRecords(prefix: ServiceRecordName.erasures)
        let events = part.results.filter { result in
            erasures[result.erasure].flatMap(Int64.init).map { $0 < part.decidedAt } ?? true
        }
        guard !events.isEmpty else { return }
        var request = IngestRequest(.lines, Array(events.map(\.event).joined(separator: "\n").utf8))
        (request.name, request.actor) = ("league", actor)
        let clock = max(now, Date()).milliseconds
        switch try GroupIngest(engine, now: clock, nil).run([request])[0] {
        case .done(let report):
            if let problem = report.problems.first { throw EngineError(.invalidRequest, problem.message) }
        case .nothingStored, .notAllowed, .unreadable:
            throw EngineError(.invalidRequest, "the results of the league `\(league)` could not be stored")
        case .failed(let error): throw error
        }
    }
}

extension LeagueRanking.Outcome {
    /// The event that contains the result.
    fileprivate func event(of week: LeagueWeek, id: String) -> Event {
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
            id: id,
            source: EarlierResults.source,
            type: EventKind.leagueFinished.rawValue,
            subject: entrant.id,
            time: Timestamp(milliseconds: week.settlesAt, offset: offset),
            timezone: entrant.timezone,
            data: data
        )
    }
}
