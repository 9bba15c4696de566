// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules

/// Collects the reasons for a track's streak, for each local day.
final class StreakCollector: FoldObserver {
    private var plan: VersionPlan
    private let reader: ProgressReader
    private let language: [UInt8]?
    private var clock: LocalClock
    /// The events of each day. The day's outcome is added later.
    private var days: [LocalDay: StreakExplanation.Day] = [:]
    private var currentEvent: ObservedEvent?

    init(plan: FoldPlan, language: String?) {
        self.plan = plan.versions[0]
        reader = ProgressReader(plan: plan)
        self.language = language.map { Array($0.utf8) }
        clock = plan.versions[0].clock
    }

    /// The explanation; nil if the learner's version of the rules has no streak.
    /// - Parameters:
    ///   - day: the day to explain; nil for the days up to the reference day.
    ///   - instant: the instant of the explanation, not before the last folded event.
    func explanation(
        _ state: LearnerState,
        of learner: String,
        around day: LocalDay?,
        at instant: Timestamp
    ) -> StreakExplanation? {
        let track = language.map { String(decoding: $0, as: UTF8.self) }
        guard let rule = state.plan.rules.streak,
            let today = reader.localDay(of: instant, state, language: track)
        else { return nil }
        var explanation = StreakExplanation(learner: learner, language: track, when: rule.when.source, day: today)
        explanation.terms = StreakExplanation.Terms(rule)
        explanation.streakFreezes = reader.streak(state, language: track, at: today)?.freezes ?? 0
        let shown = StreakCollector.window(around: day ?? today, isCentred: day != nil)
        reader.walkStreak(state, language: track, to: today) { day, outcome, value in
            explanation.day = day
            (explanation.currentStreak, explanation.longestStreak) = (value.current, value.longest)
            explanation.streakFreezes = value.freezes
            let isBreak = if case .missed(lost: 1...) = outcome { true } else { false }
            guard isBreak || shown.contains(day.number) else { return }
            var explained = self.day(beginning: day, state.plan.streakTerms)
            explained.take(outcome)
            (explained.currentStreak, explained.longestStreak) = (value.current, value.longest)
            explained.streakFreezes = value.freezes
            if isBreak { explanation.lastBreak = explained }
            if shown.contains(day.number) { explanation.days.append(explained) }
        }
        return explanation
    }

    private func day(_ day: LocalDay) -> StreakExplanation.Day {
        days[day] ?? StreakExplanation.Day(day: day, outcome: .open)
    }

    /// The events of a day. Under a weekly streak, the events of the week that begins on the day.
    private func day(beginning day: LocalDay, _ terms: StreakSchedule) -> StreakExplanation.Day {
        let known = terms.days(ofPeriodOf: day).compactMap { days[$0] }
        let decisive =
            known.first { $0.activeEvents > 0 } ?? known.first { $0.repairedBy != nil }
            ?? known.first { $0.frozenBy != nil } ?? known.first
        guard var explained = decisive else { return self.day(day) }
        for other in known where other.day != explained.day {
            explained.events += other.events
            explained.activeEvents += other.activeEvents
            explained.voidEvents += other.voidEvents
        }
        explained.day = day
        return explained
    }

    /// The numbers (``LocalDay/number``) of the days to show, about a month.
    private static func window(around day: LocalDay, isCentred: Bool) -> ClosedRange<Int32> {
        let (before, after): (Int32, Int32) = isCentred ? (15, 15) : (30, .max - max(day.number, 0))
        return day.number - before...day.number + after
    }

    // MARK: Events

    func didSwitchVersion(to plan: VersionPlan) {
        self.plan = plan
        clock = plan.clock
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        currentEvent = table.isOf(language, row) ? ObservedEvent(table, row, event) : nil
    }

    func willJudgeDay(_ language: [UInt8]?, _ frame: Frame) {
        guard language == self.language, let currentEvent else { return }
        noteRepair(currentEvent)
        var day = self.day(currentEvent.local.day)
        // The value is removed from the dictionary while it is changed, so that it is not copied.
        days[day.day] = nil
        defer { days[day.day] = day }
        day.events += 1
        guard let rule = plan.rules.streak else { return }
        if rule.when.isTrue(frame) {
            let event = currentEvent.reference(plan)
            if day.activeEvents == 0 { (day.event, day.when) = (event, rule.when.explanation(frame)) }
            if !day.zones.contains(event.zone) { day.zones.append(event.zone) }
            day.activeEvents += 1
        } else if day.activeEvents == 0 {
            (day.event, day.when) = (currentEvent.reference(plan), rule.when.explanation(frame))
        }
    }

    private func noteRepair(_ event: ObservedEvent) {
        switch event.kind {
        case .streakRepaired:
            guard let date = event.data.date("date"), date <= event.local.day else { return }
            var day = self.day(date)
            day.repairedBy = day.repairedBy ?? event.reference(plan)
            days[date] = day
        case .streakFrozen: if let date = event.data.date("date") { noteFrozen(date...date, event) }
        case .streakPaused:
            guard let from = event.data.date("from"), let through = event.data.date("through"), from <= through,
                through.number - from.number < 366
            else { return }
            noteFrozen(from...through, event)
        default: break
        }
    }

    private func noteFrozen(_ dates: ClosedRange<LocalDay>, _ event: ObservedEvent) {
        let reference = event.reference(plan)
        for number in dates.lowerBound.number...dates.upperBound.number {
            var day = self.day(LocalDay(number: number))
            day.frozenBy = day.frozenBy ?? reference
            days[day.day] = day
        }
    }

    func didSkip(_ table: EventTable, _ row: Int, _ reason: LaurelProgress.VoidReason) {
        guard table.isOf(language, row) else { return }
        let date = clock.localTime(of: row, in: table).day
        var day = self.day(date)
        day.voidEvents += 1
        days[date] = day
    }
}

extension StreakExplanation.Terms {
    fileprivate init(_ rule: StreakRule) {
        self.init(freezeEvery: rule.earnEvery, mostFreezes: rule.hold, restDays: (1...7).filter(rule.isRestDay))
        isWeekly = rule.isWeekly
    }
}

extension StreakExplanation.Day {
    fileprivate mutating func take(_ outcome: StreakOutcome) {
        switch outcome {
        case .active(let earnsFreeze):
            self.outcome = activeEvents == 0 && repairedBy != nil ? .repaired : .active
            self.earnsFreeze = earnsFreeze
        case .restDay: self.outcome = .restDay
        case .frozen: self.outcome = .frozen
        case .freezeSpent: self.outcome = .freezeSpent
        case .missed(let lost):
            self.outcome = .missed
            self.lost = lost > 0 ? lost : nil
        case .open: self.outcome = .open
        }
    }
}
