// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelResults

/// Makes the rows of tables from a store.
struct TableUpdate {
    private let engine: ProgressEngine
    private let period: ReportPeriod
    private let plan: FoldPlan
    private let origin: String

    init(_ engine: ProgressEngine, _ store: StoreLocation, at instant: Timestamp) {
        (self.engine, plan) = (engine, engine.plan)
        // The period contains every local day that an event up to the instant can have.
        let week = LocalDay(number: LocalDay(containing: instant.milliseconds).number + 1)
        period = ReportPeriod(week: week, weeks: (Int(week.number) + 14) / 7 + 1, at: instant)
        let versions = plan.versions.map { "\($0.from.map(\.description) ?? "") \($0.rules.contentHash)" }
        origin = (["\(store)", laurelVersion] + versions).joined(separator: "\n")
    }

    /// The mark for the updated tables, and the learners whose rows may have changed since the last mark; nil for all
    /// learners.
    func plan(after last: TableMark?, tables: [String]) throws -> (mark: TableMark, learners: [String]?) {
        let changes = try engine.changes(since: last?.commit ?? 0)
        let mark = TableMark(tables: tables, commit: changes.commit, asOf: period.at, origin: origin)
        guard let last, last.origin == origin, last.asOf.milliseconds <= period.at.milliseconds, !changes.everyone,
            !plan.changes(from: last.asOf, to: period.at)
        else { return (mark, nil) }
        var learners = Set(changes.learners)
        // These learners had events after the instant of the last mark.
        try engine.forEachLearner(at: nil) { learner in
            if let time = learner.lastEventAt, time > last.asOf.date { learners.insert(learner.id) }
        }
        return (mark, learners.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    /// Replaces the rows of some learners.
    func replace(
        _ learners: [String],
        in database: any TableTarget,
        _ names: [String],
        observe: (Int, Int) -> Void
    ) throws {
        let tables = DetailTable.named(names)
        for (done, learner) in learners.enumerated() {
            for table in tables { try database.delete(learner, from: table) }
            if let facts = try engine.facts(of: learner, period, wants: wants(tables)) {
                try database.add(facts, to: tables, source)
            }
            observe(done + 1, learners.count)
        }
    }

    /// Writes the rows of all learners.
    /// - Returns: the number of learners.
    func fill(_ database: any TableTarget, _ names: [String], observe: (Int, Int) -> Void) throws -> Int {
        let tables = DetailTable.named(names)
        var learners = 0
        try engine.mapFacts(period, wants: wants(tables)) {
            $0
        } receive: { facts, done, total in
            for learner in facts { try database.add(learner, to: tables, source) }
            learners += facts.count
            observe(done, total)
        }
        return learners
    }

    private func wants(_ tables: [ReportTable]) -> FactSelection { tables.reduce(into: []) { $0.formUnion($1.facts) } }

    private var source: TableSource { TableSource(period: period, plan: plan, texts: .english, locale: "en") }
}
