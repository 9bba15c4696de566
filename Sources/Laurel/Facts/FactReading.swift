// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

/// Facts for reports, folded from each learner's events.
extension ProgressEngine {
    /// The first day of the week that contains an instant. The learner's clock decides; without a learner, the rules'
    /// clock.
    package func week(of instant: Timestamp, for learner: String? = nil) throws -> LocalDay {
        weekStart(try localDay(of: instant, for: learner))
    }

    /// The local day of an instant, by the learner's clock. If the learner is nil or unknown, the rules' clock decides.
    func localDay(of instant: Timestamp, for learner: String?) throws -> LocalDay {
        let own = try learner.flatMap { learner in
            try withState(of: learner, at: instant) { state, plan in
                ProgressReader(plan: plan).localDay(of: instant, state, language: nil)
            }
        }
        return (own ?? nil) ?? localDay(of: instant)
    }

    /// One learner's facts; nil for an unknown learner.
    /// - Complexity: O(events of the learner).
    package func facts(of id: String, _ period: ReportPeriod, wants: FactSelection) throws -> LearnerFacts? {
        try store.read { reader in
            guard let learner = try reader.learner(named: Array(id.utf8)) else { return nil }
            let runs = try reader.events(of: learner.id, since: nil, until: period.at.milliseconds, fields: .all)
            return FactReader(plan: plan, period: period, wants: wants).facts(learner, runs)
        }
    }

    /// Computes every learner's facts, on all cores.
    /// - Parameters:
    ///   - transform: called on several threads at once, with the facts of some learners at a time, by ascending store
    ///     id.
    ///   - receive: called on the calling thread, in any order, with the number of learners done so far.
    /// - Complexity: O(events); memory for a few hundred learners.
    package func mapFacts<Output: Sendable>(
        _ period: ReportPeriod,
        wants: FactSelection,
        transform: @escaping @Sendable ([LearnerFacts]) throws -> Output,
        receive: (Output, _ done: Int, _ total: Int) throws -> Void
    ) throws {
        try store.readTogether { state in
            let shares = try state.read { try $0.learnerShares(of: 64) }
            let total = shares.reduce(0) { $0 + $1.count }
            var done = 0
            let plan = plan
            try shares.mapInParallel { share in
                let folder = FactReader(plan: plan, period: period, wants: wants)
                var facts: [LearnerFacts] = []
                try state.read { reader in
                    try reader.forEachLearner(ids: share, fields: .all) { facts.append(folder.facts($0, $1)) }
                }
                return (share.count, try transform(facts))
            } receive: { count, output in
                done += count
                try receive(output, done, total)
            }
        }
    }
}

/// Folds one learner after another as of the end of a period.
private final class FactReader {
    private let plan: FoldPlan
    private let period: ReportPeriod
    private let wants: FactSelection
    private let folder: LearnerFolder
    private let reader: ProgressReader

    init(plan: FoldPlan, period: ReportPeriod, wants: FactSelection) {
        self.plan = plan
        self.period = period
        self.wants = wants
        folder = LearnerFolder(plan: plan)
        reader = ProgressReader(plan: plan)
    }

    func facts(_ learner: LearnerRecord, _ runs: [EventRun]) -> LearnerFacts {
        let spans = folder.spans(runs)
        let end = period.end(spans, clock: plan.version(on: period.lastDay).clock)
        let asOf = end ?? period.at
        let words = wants.contains(.words) ? WordCollector() : nil
        let sessions = wants.contains(.sessions) ? SessionCollector(plan: plan) : nil
        let reviews =
            wants.isDisjoint(with: [.reviewLog, .workload, .lapses])
            ? nil : ReviewCollector(days: wants.contains(.reviewLog) ? period.days : nil)
        let collector = FactCollector(plan: plan, period: period, wants: wants) { [folder] in folder.state }
        var observers: [any FoldObserver] = []
        if let words { observers.append(words) }
        if let sessions { observers.append(sessions) }
        if let reviews { observers.append(reviews) }
        // Without an observer, the fold is much faster.
        let observed = hasRepairs(spans) ? FactSelection.observed : .observed.subtracting(.streakDays)
        if !wants.isDisjoint(with: observed) { observers.append(collector) }
        folder.fold.observer = observers.isEmpty ? nil : ObserverGroup(observers)
        folder.refold(runs, until: asOf.milliseconds)
        folder.fold.switchVersion(asOf: asOf)
        folder.fold.observer = nil

        let state = folder.state
        let today =
            end == nil
            ? min(reader.localDay(of: asOf, state, language: nil) ?? period.lastDay, period.lastDay) : period.lastDay
        let projection = reader.projection(state)
        let id = String(decoding: learner.subject, as: UTF8.self)
        var facts = LearnerFacts(
            learner: id,
            storedEvents: learner.eventCount,
            asOf: asOf,
            today: today,
            displayName: projection.displayName,
            cohort: projection.cohort,
            nativeLanguage: projection.nativeLanguage,
            dailyGoalMinutes: projection.dailyGoalMinutes,
            tracks: projection.tracks.compactMap { track($0, state, id, asOf, today, isOver: end != nil) }
        )
        facts.hasSetGoal = collector.hasSetGoal
        facts.isOnLeaderboards = projection.isOnLeaderboards
        for index in facts.tracks.indices { collector.complete(&facts.tracks[index]) }
        facts.words = words.map { Array($0.list(state, language: nil, at: asOf.milliseconds)) } ?? []
        facts.sessions = sessions?.records() ?? []
        facts.reviews = reviews?.reviews ?? []
        facts.lapses = reviews?.lapses ?? [:]
        facts.desiredRetention = state.plan.scheduler.desiredRetention
        facts.forgottenWords = collector.forgottenWords()
        if wants.contains(.workload), let habits = reviews?.habits {
            let retentions = WorkloadForecast.usualRetentions
            facts.workloads = reader.workloads(state, habits, retentions: retentions, at: asOf)
        }
        return facts
    }

    /// True if the learner's streak was repaired. Then the state alone does not tell which days were practised.
    private func hasRepairs(_ spans: [PlannedRows]) -> Bool {
        var found = false
        for span in spans { span.bound.forEachRow(of: .streakRepaired, span.rows) { _ in found = true } }
        return found
    }

    private func track(
        _ projection: TrackProjection,
        _ state: LearnerState,
        _ learner: String,
        _ asOf: Timestamp,
        _ today: LocalDay,
        isOver: Bool
    ) -> TrackFacts? {
        guard let progress = reader.progress(state, subject: learner, language: projection.language, at: asOf) else {
            return nil
        }
        let language = projection.language.map { Array($0.utf8) }
        var projection = projection
        let activeDays = wants.contains(.activeDays) ? projection.days.filter(\.isActive).map(\.day) : []
        projection.days.removeAll { !period.days.contains($0.day) }
        // The projection's numbers are as of the last event. The numbers as of the instant replace them.
        projection.numbers = progress.numbers
        var facts = TrackFacts(
            progress: progress,
            projection: projection,
            weekXP: projection.days.reduce(0) { $1.day >= period.week ? $0 + $1.xp : $0 },
            levelStart: state.plan.rules.levels.start(of: progress.numbers.level) ?? 0,
            nextLevelStart: state.plan.rules.levels.start(of: progress.numbers.level + 1),
            estimate: reader.estimate(state, language: language),
            activeDays: activeDays
        )
        if wants.contains(.achievements) {
            facts.achievements = reader.achievements(progress, state, at: asOf, locale: nil)
        }
        if wants.contains(.streakDays) {
            // In a past week, the last day is over. So the streak is computed up to the next day.
            let reference = isOver ? LocalDay(number: today.number + 1) : today
            reader.walkStreak(state, language: projection.language, to: reference) { day, outcome, value in
                guard day >= period.firstDay, day <= today else { return }
                facts.streakDays.append(StreakMark(day: day, kind: .init(outcome), streak: value.current))
            }
        }
        return facts
    }
}
