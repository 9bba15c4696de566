// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules

/// Collects the history of one achievement in each of its tracks.
final class AchievementCollector: FoldObserver {
    private struct Track {
        var tier = 0
        var changes: [AchievementExplanation.Change] = []
        var best: Reading?
        var latest: Reading?
    }

    /// An evaluation of the achievement at an event, without its text. Only a few evaluations are shown, so the texts
    /// are created later.
    private struct Reading {
        var event: ObservedEvent
        var when: EvaluatedExpression?
        var value: EvaluatedExpression
        var missing: [String]
    }

    private var plan: VersionPlan
    private let id: String
    /// The achievement's index in the current version of the rules; nil if the version does not have it.
    private var index: Int?
    private let reader: ProgressReader
    private var clock: LocalClock
    /// The tracks by language; the key nil is the overall track.
    private var tracks: [[UInt8]?: Track] = [:]
    private var voided: [EventReference] = []
    private var currentEvent: ObservedEvent?

    init(plan: FoldPlan, achievement id: String) {
        self.plan = plan.versions[0]
        self.id = id
        index = plan.versions[0].rules.achievementIndex(id)
        reader = ProgressReader(plan: plan)
        clock = plan.versions[0].clock
    }

    private var rule: AchievementRule? { index.map { plan.rules.achievements[$0] } }

    func didSwitchVersion(to plan: VersionPlan) {
        let before = rule
        self.plan = plan
        clock = plan.clock
        index = plan.rules.achievementIndex(id)
        // If the measure or the scope has changed, the history starts again.
        guard let before, let rule, before.isPerLanguage == rule.isPerLanguage else {
            tracks = [:]
            return
        }
        guard !rule.isMeasured(as: before) else { return }
        for language in tracks.keys {
            tracks[language]?.best = nil
            tracks[language]?.latest = nil
        }
    }

    func explanation(_ state: LearnerState, language: String?, at instant: Timestamp) -> AchievementExplanation? {
        guard let rule, let index, let today = reader.localDay(of: instant, state, language: language),
            let standing = reader.achievement(index, state, language: language)
        else { return nil }
        let key = language.map { Array($0.utf8) }
        let track = tracks[key] ?? Track()
        var explanation = AchievementExplanation(rule, standing, language: language)
        explanation.period = rule.period.active(on: today)
        explanation.requires = rule.requires.compactMap { requirement($0, state, language) }
        explanation.history = track.changes
        explanation.voided = voided.filter { rule.isPerLanguage ? $0.language == language : true }
        explanation.latest = track.latest.map(finished)
        explanation.best = track.best.map(finished)
        return explanation
    }

    private func requirement(
        _ index: Int,
        _ state: LearnerState,
        _ language: String?
    ) -> AchievementExplanation.Requirement? {
        let required = plan.rules.achievements[index]
        let track = required.isPerLanguage ? language : nil
        return reader.achievement(index, state, language: track).map { standing in
            AchievementExplanation.Requirement(
                id: required.id,
                tier: standing.progress.tier,
                tiers: standing.progress.tiers
            )
        }
    }

    // MARK: Events

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        let currentEvent = ObservedEvent(table, row, event)
        self.currentEvent = currentEvent
        // A grant of a fully unlocked achievement changes nothing, but is part of the history.
        guard let rule else { return }
        let hasTrack = !rule.isPerLanguage || table.language[row] != 0
        guard event.kind == .achievementGranted, hasTrack, names(table, row) else { return }
        let language = rule.isPerLanguage ? table.languageTag(row) : nil
        if tracks[language]?.tier == rule.thresholds.count { note(.granted(nil), nil, xp: 0, language) }
    }

    func didSkip(_ table: EventTable, _ row: Int, _ reason: LaurelProgress.VoidReason) {
        switch EventKind(rawValue: table.types.string(table.type[row])) {
        case .achievementGranted, .achievementRevoked:
            if names(table, row) { voided.append(EventReference(void: table, row, reason, &clock, plan)) }
        default: break
        }
    }

    private func names(_ table: EventTable, _ row: Int) -> Bool {
        DataFields(table, row).text("achievement")?.utf8.elementsEqual(id.utf8) ?? false
    }

    // MARK: Observing the fold

    func willEvaluate(achievement: Int, missing: [Int], _ language: [UInt8]?, _ frame: Frame) {
        guard achievement == index, let currentEvent, let rule else { return }
        let reading = Reading(
            event: currentEvent,
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

    func didUnlock(achievement: Int, tiers: ClosedRange<Int>, _ language: [UInt8]?) {
        guard achievement == index, let currentEvent, let rule else { return }
        let isGranted = currentEvent.kind == .achievementGranted && names(currentEvent.table, currentEvent.row)
        let reading = isGranted ? nil : tracks[language]?.latest.map(finished)
        note(isGranted ? .granted(tiers) : .unlocked(tiers), reading, xp: rule.xp.sum(of: tiers), language)
        tracks[language, default: Track()].tier = tiers.upperBound
    }

    func didRevoke(achievement: Int, given: Double, _ language: [UInt8]?) {
        guard achievement == index else { return }
        let held = tracks[language]?.tier ?? 0
        note(.revoked(held), nil, xp: -given, language)
        tracks[language, default: Track()].tier = 0
        // From this event on, the best value is collected again.
        tracks[language]?.best = nil
    }

    private func note(
        _ kind: AchievementExplanation.Change.Kind,
        _ reading: AchievementExplanation.Reading?,
        xp: Double,
        _ language: [UInt8]?
    ) {
        guard let currentEvent else { return }
        let change = AchievementExplanation.Change(
            kind: kind,
            xp: Int(whole: xp),
            reason: reading == nil ? currentEvent.data.text("reason") : nil,
            event: currentEvent.reference(plan),
            reading: reading
        )
        tracks[language, default: Track()].changes.append(change)
    }

    private func finished(_ reading: Reading) -> AchievementExplanation.Reading {
        AchievementExplanation.Reading(
            event: reading.event.reference(plan),
            value: ExplainedExpression(reading.value),
            when: reading.when.map(ExplainedExpression.init),
            missing: reading.missing
        )
    }
}

extension AchievementExplanation {
    fileprivate init(_ rule: AchievementRule, _ standing: AchievementStanding, language: String?) {
        self.init(id: rule.id, name: rule.name, description: rule.description, value: rule.value.source)
        let progress = standing.progress
        self.language = language
        isHidden = rule.isHidden
        when = rule.when?.source
        thresholds = rule.thresholds.enumerated().map { index, threshold in
            Threshold(tier: index + 1, atLeast: threshold, isUnlocked: index < progress.tier)
        }
        (tier, tiers, self.progress) = (progress.tier, progress.tiers, progress.progress)
        unlockedAt = progress.unlockedAt.map(Date.init(milliseconds:))
        isRevoked = standing.isRevoked
        xpPerTier = rule.xp.single.map { Int(whole: $0) }
    }
}
