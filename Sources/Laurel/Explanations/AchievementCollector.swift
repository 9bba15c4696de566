import LaurelEvents
import LaurelProgress
import LaurelRules

/// Gathers what became of one achievement, in each track it lives in.
final class AchievementCollector: FoldObserver {
    private struct Track {
        var tier = 0
        var changes: [AchievementChange] = []
        var best: Reading?
        var latest: Reading?
    }

    /// A reading before a reference to its event is made.
    private struct Reading {
        var event: EventAtHand
        var when: ExplainedExpression?
        var value: ExplainedExpression
        var missing: [String]
    }

    private let plan: FoldPlan
    private let index: Int
    private let rule: AchievementRule
    private var clock: LocalClock
    /// nil is the overall track.
    private var tracks: [[UInt8]?: Track] = [:]
    private var voided: [EventReference] = []
    private var atHand: EventAtHand?

    /// - Parameter index: among the rules' achievements.
    init(plan: FoldPlan, achievement index: Int) {
        self.plan = plan
        self.index = index
        rule = plan.rules.achievements[index]
        clock = plan.clock
    }

    func explanation(_ state: LearnerState, language: String?) -> AchievementExplanation? {
        let reader = ProgressReader(plan: plan)
        guard let standing = reader.achievement(index, state, language: language) else { return nil }
        let key = language.map { Array($0.utf8) }
        let track = tracks[key] ?? Track()
        return AchievementExplanation(
            rule: rule,
            language: language,
            standing: standing,
            requires: rule.requires.compactMap { requirement($0, reader, state, language) },
            changes: track.changes,
            best: track.best.map(finished),
            latest: track.latest.map(finished),
            voided: voided.filter { rule.isPerLanguage ? $0.language == language : true }
        )
    }

    private func requirement(
        _ index: Int,
        _ reader: ProgressReader,
        _ state: LearnerState,
        _ language: String?
    ) -> AchievementExplanation.Requirement? {
        let required = plan.rules.achievements[index]
        let track = required.isPerLanguage ? language : nil
        return reader.achievement(index, state, language: track).map { standing in
            AchievementExplanation.Requirement(
                id: required.id,
                name: required.name,
                tier: standing.progress.tier,
                tiers: standing.progress.tiers
            )
        }
    }

    // MARK: Events

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        let atHand = EventAtHand(table, row, event)
        self.atHand = atHand
        // A grant of what is fully unlocked changes nothing, but it is part of the story.
        let hasTrack = !rule.isPerLanguage || table.language[row] != 0
        guard event.kind == .achievementGranted, hasTrack, names(table, row) else { return }
        let language = rule.isPerLanguage ? Array(table.texts[table.language[row]]) : nil
        if tracks[language]?.tier == rule.thresholds.count { note(.granted(nil), nil, tiers: 0, language) }
    }

    func didPassOver(_ table: EventTable, _ row: Int, _ reason: VoidReason) {
        switch EventKind(rawValue: table.types.string(table.type[row])) {
        case .achievementGranted, .achievementRevoked:
            if names(table, row) { voided.append(EventReference(void: table, row, reason, &clock, plan)) }
        default: break
        }
    }

    private func names(_ table: EventTable, _ row: Int) -> Bool {
        DataFields(table, row).text("achievement")?.utf8.elementsEqual(rule.id.utf8) ?? false
    }

    // MARK: What the fold does

    func willEvaluate(achievement: Int, missing: [Int], _ language: [UInt8]?, _ frame: Frame) {
        guard achievement == index, let atHand else { return }
        let reading = Reading(
            event: atHand,
            when: rule.when?.explained(frame),
            value: rule.value.explained(frame),
            missing: missing.map { plan.rules.achievements[$0].id }
        )
        var track = tracks.removeValue(forKey: language) ?? Track()
        track.latest = reading
        let isOpen = missing.isEmpty && reading.when.map { $0.value == .boolean(true) } ?? true
        if isOpen, let value = reading.value.value.number, track.best.map({ value > $0.value.value.number! }) ?? true {
            track.best = reading
        }
        tracks[language] = track
    }

    func didUnlock(achievement: Int, tier: Int, _ language: [UInt8]?) {
        guard achievement == index, let atHand else { return }
        let held = tracks[language]?.tier ?? 0
        let isGranted = atHand.kind == .achievementGranted && names(atHand.table, atHand.row)
        let reading = isGranted ? nil : tracks[language]?.latest.map(finished)
        note(isGranted ? .granted(held + 1...tier) : .unlocked(held + 1...tier), reading, tiers: tier - held, language)
        tracks[language, default: Track()].tier = tier
    }

    func didRevoke(achievement: Int, _ language: [UInt8]?) {
        guard achievement == index else { return }
        let held = tracks[language]?.tier ?? 0
        note(.revoked(held), nil, tiers: -held, language)
        tracks[language, default: Track()].tier = 0
        // From here on the best counts anew.
        tracks[language]?.best = nil
    }

    private func note(
        _ kind: AchievementChange.Kind,
        _ reading: AchievementReading?,
        tiers: Int,
        _ language: [UInt8]?
    ) {
        guard let atHand else { return }
        let change = AchievementChange(
            kind: kind,
            event: atHand.reference(plan),
            reading: reading,
            reason: reading == nil ? atHand.data.text("reason") : nil,
            xp: rule.xp * Double(tiers)
        )
        tracks[language, default: Track()].changes.append(change)
    }

    private func finished(_ reading: Reading) -> AchievementReading {
        AchievementReading(
            event: reading.event.reference(plan),
            when: reading.when,
            value: reading.value,
            missing: reading.missing
        )
    }
}
