import LaurelEvents
import LaurelProgress
import LaurelRules

/// Gathers per local day what a track's streak is due to.
final class StreakCollector: FoldObserver {
    private var plan: VersionPlan
    private let reader: ProgressReader
    private let language: [UInt8]?
    private var clock: LocalClock
    private var stories: [LocalDay: StreakDayStory] = [:]
    private var atHand: EventAtHand?

    init(plan: FoldPlan, language: String?) {
        self.plan = plan.versions[0]
        reader = ProgressReader(plan: plan)
        self.language = language.map { Array($0.utf8) }
        clock = plan.versions[0].clock
    }

    /// nil where the learner's version of the rules has no streak.
    /// - Parameters:
    ///   - day: the one asked about; nil for those up to the reference day.
    ///   - instant: not before the last folded event.
    func explanation(_ state: LearnerState, around day: LocalDay?, at instant: Timestamp) -> StreakExplanation? {
        let track = language.map { String(decoding: $0, as: UTF8.self) }
        guard let rule = state.plan.rules.streak,
            let today = reader.localDay(of: instant, state, language: track)
        else { return nil }
        var explanation = StreakExplanation(
            language: track,
            rule: rule,
            reference: today,
            value: StreakValue(),
            days: []
        )
        let shown = StreakCollector.window(around: day ?? today, isCentred: day != nil)
        reader.walkStreak(state, language: track, to: today) { day, outcome, value in
            explanation.reference = day
            explanation.value = value
            let isBreak = if case .missed(lost: 1...) = outcome { true } else { false }
            guard isBreak || shown.contains(day.number) else { return }
            let told = StreakDay(day: day, outcome: outcome, value: value, story: stories[day] ?? StreakDayStory())
            if isBreak { explanation.lastBreak = told }
            if shown.contains(day.number) { explanation.days.append(told) }
        }
        return explanation
    }

    /// About a month.
    private static func window(around day: LocalDay, isCentred: Bool) -> ClosedRange<Int32> {
        let (before, after): (Int32, Int32) = isCentred ? (15, 15) : (30, .max - max(day.number, 0))
        return day.number - before...day.number + after
    }

    // MARK: Events

    func didGoOver(to plan: VersionPlan) {
        self.plan = plan
        clock = plan.clock
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        atHand = table.isOf(language, row) ? EventAtHand(table, row, event) : nil
    }

    func willJudgeDay(_ language: [UInt8]?, _ frame: Frame) {
        guard language == self.language, let atHand else { return }
        noteMending(atHand)
        var story = stories.removeValue(forKey: atHand.local.day) ?? StreakDayStory()
        story.events += 1
        defer { stories[atHand.local.day] = story }
        guard let rule = plan.rules.streak else { return }
        if rule.when.isTrue(frame) {
            let event = atHand.reference(plan)
            if story.activeEvents == 0 { (story.event, story.when) = (event, rule.when.explained(frame)) }
            if !story.zones.contains(event.zone) { story.zones.append(event.zone) }
            story.activeEvents += 1
        } else if story.activeEvents == 0 {
            (story.event, story.when) = (atHand.reference(plan), rule.when.explained(frame))
        }
    }

    private func noteMending(_ event: EventAtHand) {
        switch event.kind {
        case .streakRepaired:
            guard let date = event.data.date("date"), date <= event.local.day else { return }
            if stories[date]?.repairedBy == nil {
                stories[date, default: StreakDayStory()].repairedBy = event.reference(plan)
            }
        case .streakFrozen:
            guard let date = event.data.date("date") else { return }
            if stories[date]?.frozenBy == nil {
                stories[date, default: StreakDayStory()].frozenBy = event.reference(plan)
            }
        default: break
        }
    }

    func didPassOver(_ table: EventTable, _ row: Int, _ reason: VoidReason) {
        guard table.isOf(language, row) else { return }
        stories[clock.localTime(of: row, in: table).day, default: StreakDayStory()].voidEvents += 1
    }
}
