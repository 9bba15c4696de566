import LaurelEvents
import LaurelProgress
import LaurelRules

/// Gathers what gave a track its XP.
final class XPCollector: FoldObserver {
    private struct Holding: Hashable {
        var achievement: [UInt8]
        var language: [UInt8]?
    }

    private var plan: VersionPlan
    private let versions: FoldPlan
    private let selection: XPSelection
    private let language: [UInt8]?
    private var clock: LocalClock
    private var events: [ExplainedEvent] = []
    /// nil where it is not of the selection.
    private var atHand: EventAtHand?
    private var entries: [XPEntry] = []
    /// How many tiers are unlocked.
    private var tiers: [Holding: Int] = [:]

    init(plan: FoldPlan, selection: XPSelection) {
        self.plan = plan.versions[0]
        versions = plan
        self.selection = selection
        language = selection.language.map { Array($0.utf8) }
        clock = plan.versions[0].clock
    }

    func explanation() -> XPExplanation {
        finishEvent()
        var sums: [[UInt8]: Double] = [:]
        for entry in events.lazy.flatMap(\.entries) { sums[Array(entry.bucket.utf8), default: 0] += entry.amount }
        return XPExplanation(
            events: events,
            buckets: sums.filter { $0.value != 0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { NamedNumber(name: String(decoding: $0.key, as: UTF8.self), value: $0.value) },
            total: sums.values.reduce(0, +)
        )
    }

    // MARK: Events

    func didGoOver(to plan: VersionPlan) {
        finishEvent()
        self.plan = plan
        clock = plan.clock
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        finishEvent()
        guard isSelected(table, row), selection.day == nil || selection.day == event.day else { return }
        let atHand = EventAtHand(table, row, event)
        self.atHand = atHand
        guard event.kind == .xpAdjusted else { return }
        let data = atHand.data
        if let amount = data.number("amount") { add(.adjustment(reason: data.text("reason")), "adjustment", amount) }
    }

    func didPassOver(_ table: EventTable, _ row: Int, _ reason: VoidReason) {
        finishEvent()
        guard isSelected(table, row), counts(table.types.string(table.type[row])) else { return }
        let event = EventReference(void: table, row, reason, &clock, plan)
        guard selection.day == nil || selection.day == event.day else { return }
        events.append(ExplainedEvent(event: event, entries: []))
    }

    func didDeclare(total: Double, lacking: Double) { add(.declaration(total: total), "adjustment", lacking) }

    private func isSelected(_ table: EventTable, _ row: Int) -> Bool {
        guard table.isOf(language, row) else { return false }
        guard let session = selection.session else { return true }
        return table.session[row] != 0 && table.texts[table.session[row]].elementsEqual(session.utf8)
    }

    /// Whether events of a type may bring XP.
    private func counts(_ type: String) -> Bool {
        switch EventKind(rawValue: type) {
        case .xpAdjusted, .xpDeclared, .achievementGranted, .achievementRevoked: true
        default: versions.versions.contains { $0.rules.xpRules.contains { $0.types.contains(type) } }
        }
    }

    private func finishEvent() {
        if let atHand, !entries.isEmpty {
            events.append(ExplainedEvent(event: atHand.reference(plan), entries: entries))
        }
        atHand = nil
        entries = []
    }

    private func add(_ cause: XPEntry.Cause, _ bucket: String, _ amount: Double) {
        guard atHand != nil else { return }
        entries.append(XPEntry(cause: cause, bucket: bucket, amount: amount))
    }

    // MARK: Rules

    func didAward(rule index: Int, computed: Double, amount: Double, _ frame: Frame) {
        guard atHand != nil else { return }
        let rule = plan.rules.xpRules[index]
        add(
            .rule(
                id: rule.id,
                award: rule.award.explained(frame),
                whole: wholeAward(computed),
                dailyCap: rule.dailyCap
            ),
            rule.bucket,
            amount
        )
    }

    func didWithhold(rule index: Int, _ frame: Frame) {
        let rule = plan.rules.xpRules[index]
        guard atHand != nil, let when = rule.when else { return }
        add(
            .withheld(rule: rule.id, when: when.explained(frame), award: rule.award.explained(frame)),
            rule.bucket,
            0
        )
    }

    func didRest(rule index: Int, _ frame: Frame) {
        let rule = plan.rules.xpRules[index]
        guard let atHand else { return }
        let place = rule.period.place(of: atHand.local.day)
        add(.resting(rule: rule.id, period: place, award: rule.award.explained(frame)), rule.bucket, 0)
    }

    // MARK: Achievements

    func didUnlock(achievement index: Int, tiers: ClosedRange<Int>, _ language: [UInt8]?) {
        let amount = plan.rules.achievements[index].xp * Double(tiers.count)
        reward(.unlocked(achievement: id(index), tiers: tiers, language: text(language)), language, amount)
        self.tiers[Holding(achievement: Array(id(index).utf8), language: language)] = tiers.upperBound
    }

    func didRevoke(achievement index: Int, given: Double, _ language: [UInt8]?) {
        let held = tiers.removeValue(forKey: Holding(achievement: Array(id(index).utf8), language: language)) ?? 0
        reward(.revoked(achievement: id(index), tiers: held, language: text(language)), language, -given)
    }

    /// A language's rewards reach the overall track, too; overall ones stay there.
    private func reward(_ cause: XPEntry.Cause, _ holder: [UInt8]?, _ amount: Double) {
        guard amount != 0, language == nil || language == holder else { return }
        add(cause, "achievements", amount)
    }

    private func id(_ index: Int) -> String { plan.rules.achievements[index].id }

    private func text(_ language: [UInt8]?) -> String? { language.map { String(decoding: $0, as: UTF8.self) } }
}
