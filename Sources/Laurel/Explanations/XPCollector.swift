// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules

/// Collects the sources of a track's XP.
final class XPCollector: FoldObserver {
    private struct Holding: Hashable {
        var achievement: [UInt8]
        var language: [UInt8]?
    }

    private var plan: VersionPlan
    private let versions: FoldPlan
    /// The language; nil for the overall track.
    private let language: [UInt8]?
    private let day: LocalDay?
    private let session: String?
    private let exceedingOnly: Bool
    private var clock: LocalClock
    /// The latest events, at most twice ``limit``.
    private var events: [XPExplanation.Event] = []
    private let limit: Int
    /// Sums by bucket. They are floating-point numbers, because the sum of a day or a session may be too large for an
    /// integer.
    private var sums: [[UInt8]: Double] = [:]
    /// The current event; nil if it is not selected for the explanation.
    private var currentEvent: ObservedEvent?
    private var entries: [XPExplanation.Entry] = []
    /// The number of unlocked tiers of each achievement in each track.
    private var tiers: [Holding: Int] = [:]

    /// Creates a collector for events with the given language, session and local day; nil selects all.
    /// - Parameters:
    ///   - exceedingOnly: true to select only events that exceed a limit of the rules. They are selected even if they
    ///     give no XP.
    ///   - limit: the maximum number of listed events. The latest are listed, and all are counted.
    init(plan: FoldPlan, language: String?, day: LocalDay?, session: String?, exceedingOnly: Bool, limit: Int) {
        self.plan = plan.versions[0]
        versions = plan
        self.language = language.map { Array($0.utf8) }
        (self.day, self.session, self.exceedingOnly, self.limit) = (day, session, exceedingOnly, limit)
        clock = plan.versions[0].clock
    }

    func explanation(of learner: String) -> XPExplanation {
        finishEvent()
        let total = sums.values.reduce(0, +)
        let buckets = sums.filter { $0.value != 0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return XPExplanation(
            learner: learner,
            language: text(language),
            day: day,
            session: session,
            events: events.suffix(limit),
            xpBreakdown: NumbersByName(
                buckets.map { NumbersByName.Element(name: String(decoding: $0.key, as: UTF8.self), value: $0.value) }
            ),
            totalXP: Int(whole: total)
        )
    }

    // MARK: Events

    func didSwitchVersion(to plan: VersionPlan) {
        finishEvent()
        self.plan = plan
        clock = plan.clock
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        finishEvent()
        guard isSelected(table, row), day == nil || day == event.day, !exceedingOnly || event.flag != .plausible
        else { return }
        let currentEvent = ObservedEvent(table, row, event)
        self.currentEvent = currentEvent
        guard event.kind == .xpAdjusted else { return }
        let data = currentEvent.data
        if let amount = data.number("amount") { add(.adjustment(reason: data.text("reason")), "adjustment", amount) }
    }

    func didSkip(_ table: EventTable, _ row: Int, _ reason: LaurelProgress.VoidReason) {
        finishEvent()
        guard !exceedingOnly, isSelected(table, row), counts(table.types.string(table.type[row])) else { return }
        let event = EventReference(void: table, row, reason, &clock, plan)
        guard day == nil || day == event.day else { return }
        addEvent(XPExplanation.Event(event: event, entries: []))
    }

    func didDeclare(total: Double, lacking: Double) {
        add(.declaration(total: Int(whole: total)), "adjustment", lacking)
    }

    private func isSelected(_ table: EventTable, _ row: Int) -> Bool {
        guard table.isOf(language, row) else { return false }
        guard let session else { return true }
        return table.session[row] != 0 && table.texts[table.session[row]].elementsEqual(session.utf8)
    }

    /// True if events of the type may give XP.
    private func counts(_ type: String) -> Bool {
        switch EventKind(rawValue: type) {
        case .xpAdjusted, .xpDeclared, .achievementGranted, .achievementRevoked: true
        default:
            versions.versions.contains { version in
                version.rules.xpRules.contains { $0.currency == nil && $0.types.contains(type) }
            }
        }
    }

    private func finishEvent() {
        if let currentEvent, exceedingOnly || !entries.isEmpty {
            for entry in entries { sums[Array(entry.bucket.utf8), default: 0] += Double(entry.amount) }
            addEvent(XPExplanation.Event(event: currentEvent.reference(plan), entries: entries))
        }
        currentEvent = nil
        entries = []
    }

    private func addEvent(_ event: XPExplanation.Event) {
        events.append(event)
        if events.count / 2 >= limit { events.removeFirst(events.count - limit) }
    }

    /// - Parameter amount: a whole number, as all XP is.
    private func add(_ cause: XPExplanation.Entry.Cause, _ bucket: String, _ amount: Double) {
        guard currentEvent != nil else { return }
        entries.append(XPExplanation.Entry(cause: cause, bucket: bucket, amount: Int(whole: amount)))
    }

    // MARK: Rules

    func didAward(rule index: Int, computed: Double, amount: Double, _ frame: Frame) {
        guard currentEvent != nil else { return }
        let rule = plan.rules.xpRules[index]
        add(
            .award(
                rule: rule.id,
                award: rule.award.explanation(frame),
                whole: Int(whole: wholeAward(computed)),
                dailyCap: rule.dailyCap.map { Int(whole: $0) }
            ),
            rule.bucket,
            amount
        )
    }

    func didWithhold(rule index: Int, _ frame: Frame) {
        let rule = plan.rules.xpRules[index]
        guard currentEvent != nil, rule.currency == nil, let when = rule.when else { return }
        add(
            .withheld(rule: rule.id, when: when.explanation(frame), award: rule.award.explanation(frame)),
            rule.bucket,
            0
        )
    }

    func didSkipRule(rule index: Int, _ frame: Frame) {
        let rule = plan.rules.xpRules[index]
        guard let currentEvent, rule.currency == nil else { return }
        let obstacle = rule.period.place(of: currentEvent.local.day).obstacle
        add(.outOfPeriod(rule: rule.id, obstacle: obstacle, award: rule.award.explanation(frame)), rule.bucket, 0)
    }

    // MARK: Achievements

    func didUnlock(achievement index: Int, tiers: ClosedRange<Int>, _ language: [UInt8]?) {
        let amount = plan.rules.achievements[index].xp.sum(of: tiers)
        reward(.reward(achievement: id(index), tiers: tiers, language: text(language)), language, amount)
        self.tiers[Holding(achievement: Array(id(index).utf8), language: language)] = tiers.upperBound
    }

    func didRevoke(achievement index: Int, given: Double, _ language: [UInt8]?) {
        let held = tiers.removeValue(forKey: Holding(achievement: Array(id(index).utf8), language: language)) ?? 0
        reward(.rewardTakenBack(achievement: id(index), tiers: held, language: text(language)), language, -given)
    }

    func didComplete(goal index: Int) {
        let goal = plan.rules.goals[index]
        if goal.xp != 0, language == nil { add(.goal(goal: goal.id), "goals", goal.xp) }
    }

    /// Records a reward. A reward in a language also counts in the overall track. An overall reward counts only in the
    /// overall track.
    private func reward(_ cause: XPExplanation.Entry.Cause, _ holder: [UInt8]?, _ amount: Double) {
        guard amount != 0, language == nil || language == holder else { return }
        add(cause, "achievements", amount)
    }

    private func id(_ index: Int) -> String { plan.rules.achievements[index].id }

    private func text(_ language: [UInt8]?) -> String? { language.map { String(decoding: $0, as: UTF8.self) } }
}
