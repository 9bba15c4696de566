package import LaurelEvents
import LaurelRules

/// Reads progress off a state, as of an instant: docs/numbers.md. Not for two threads at once.
package struct ProgressReader {
    let plan: FoldPlan
    /// What expressions see where there is no event.
    private let noEvent: NoEvent

    package init(plan: FoldPlan) {
        self.plan = plan
        noEvent = NoEvent(plan: plan)
    }

    /// - Parameter instant: not before the last folded event.
    package func progress(
        _ state: LearnerState,
        subject: String,
        language: String? = nil,
        at instant: Timestamp
    ) -> Progress? {
        guard let track = language.map({ state.track(language: Array($0.utf8)) }) ?? state.tracks[0] else {
            return nil
        }
        var progress = Progress(userId: subject, language: language)
        progress.displayName = state.profile.displayName
        progress.dailyGoalMinutes = state.profile.dailyGoalMinutes
        let today = localDay(of: instant, track)
        fillStreak(&progress, track, today)
        fillXP(&progress, track)
        fillDays(&progress, track, today)
        fillWords(&progress, track, state, instant)
        fillCounters(&progress, track)
        fillEstimate(&progress, track)
        progress.metrics = Array(metrics(track))
        progress.achievements = achievements(track).filter { !$0.isHidden || $0.tier > 0 }
        return progress
    }

    /// Languages with a track, in byte order.
    package func languages(_ state: LearnerState) -> [String] {
        state.tracks.compactMap(\.language).sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The day of an instant: by the offset written in it, else by that of the latest folded event, else by the rules'.
    func localDay(of instant: Timestamp, _ track: TrackState) -> CivilDay {
        var clock = plan.clock
        if case .minutes = instant.offset { return clock.localTime(of: instant).day }
        guard track.events > 0 else { return clock.localTime(of: instant).day }
        return clock.localTime(at: instant.milliseconds, offset: track.lastOffsetSeconds).day
    }

    private func fillStreak(_ progress: inout Progress, _ track: TrackState, _ today: CivilDay) {
        guard let terms = plan.streakTerms else { return }
        let value = track.streak.value(at: today, terms)
        progress.currentStreak = value.current
        progress.longestStreak = value.longest
        progress.streakFreezes = value.freezes
        progress.lastActivityDate = track.streak.active.last?.description
    }

    private func fillXP(_ progress: inout Progress, _ track: TrackState) {
        progress.totalXP = track.xp
        progress.currentLevel = plan.rules.levels.level(for: track.xp)
        progress.levelProgressPercent = plan.rules.levels.progressPercent(xp: track.xp)
        progress.xpBreakdown = xpByBucket(track)
    }

    private func fillDays(_ progress: inout Progress, _ track: TrackState, _ today: CivilDay) {
        let week = today.weekStart(firstWeekday: plan.rules.calendar.weekStartsOn)
        for day in track.days.reversed() where day.day >= week {
            if day.day.number < week.number + 7 { progress.weeklyXP += day.xp }
            if day.day == today { progress.todayMinutes = Int(day.practiceMilliseconds / 60_000) }
        }
        progress.totalMinutesPlayed = Int(track.practiceMilliseconds / 60_000)
    }

    private func fillWords(
        _ progress: inout Progress,
        _ track: TrackState,
        _ state: LearnerState,
        _ instant: Timestamp
    ) {
        progress.totalWordsKnown = track.words.known
        progress.totalWordsLearned = track.words.learned
        progress.vocabulary.new = track.words.new
        progress.vocabulary.learning = track.words.learning
        progress.vocabulary.reviewing = track.words.reviewing
        progress.vocabulary.mastered = track.words.mastered
        if track.words.known > 0 {
            progress.vocabularyMasteryPercent = 100 * Double(track.words.learned) / Double(track.words.known)
        }
        for vocabulary in state.vocabularies where track.language == nil || track.language == vocabulary.language {
            progress.wordsDueForReview += vocabulary.dueCount(at: instant.milliseconds)
        }
    }

    private func fillCounters(_ progress: inout Progress, _ track: TrackState) {
        progress.totalSessions = track.endedSessions
        progress.soloSessions = track.soloSessions
        progress.multiplayerSessions = track.multiplayerSessions
        progress.successfulRepairs = track.successfulRepairs
        progress.helpGiven = track.helpGiven
        progress.teamWins = track.teamWins
        progress.events = track.events
    }

    private func fillEstimate(_ progress: inout Progress, _ track: TrackState) {
        guard let estimate = cefr(track) else { return }
        progress.estimatedCEFR = estimate.band
        progress.cefrProgressPercent = estimate.percent
    }
}

/// What progress and projections share.
extension ProgressReader {
    func xpByBucket(_ track: TrackState) -> [NamedNumber] {
        let xp = track.values.pointee.xpByBucket
        var numbers: [NamedNumber] = []
        for bucket in plan.bucketsByName where xp[bucket] != 0 {
            if numbers.isEmpty { numbers.reserveCapacity(xp.count) }
            numbers.append(NamedNumber(name: plan.buckets[bucket], value: xp[bucket]))
        }
        return numbers
    }

    func metrics(_ track: TrackState) -> NamedNumbers {
        let totals = UnsafeBufferPointer(
            start: track.values.pointee.numbers + plan.layout.total,
            count: plan.metricNames.list.count
        )
        return NamedNumbers(names: plan.metricNames, values: Array(totals))
    }

    func achievements(_ track: TrackState) -> [AchievementProgress] {
        scope(track).indexes.map { achievement($0, track) }
    }

    /// Those of the rules' achievements that the track can unlock.
    func scope(_ track: TrackState) -> AchievementScope {
        plan.achievementScope(isOverall: track.values.pointee.isOverall)
    }

    /// - Parameter index: among the rules' achievements.
    func achievement(_ index: Int, _ track: TrackState) -> AchievementProgress {
        let thresholds = plan.achievements[index].thresholds
        let state = track.values.pointee.achievements[index]
        let progress: Double =
            if state.tier == thresholds.count {
                1
            } else if state.isRevoked {
                0
            } else {
                min(1, max(0, state.best / thresholds[state.tier]))
            }
        return AchievementProgress(
            id: plan.rules.achievements[index].id,
            tier: state.tier,
            tiers: thresholds.count,
            unlockedAt: state.unlockedAt,
            progress: progress,
            isHidden: plan.rules.achievements[index].isHidden
        )
    }

    /// The highest band whose start the score reaches, and the way to the next in percent.
    func cefr(_ track: TrackState) -> CEFREstimate? {
        guard let rule = plan.rules.cefr, track.language != nil else { return nil }
        var score = rule.score.number(noEvent.scratch.frame(track.values.pointee.numbers))
        if score.isNaN { score = 0 }
        if let declared = track.declaredLevel { score += rule.bands[declared] }
        let index = rule.bands.lastIndex { $0 <= score } ?? 0
        var estimate = CEFREstimate(band: CEFRRule.levels[index], percent: 100, score: score, start: rule.bands[index])
        guard index + 1 < rule.bands.count else { return estimate }
        let next = rule.bands[index + 1]
        estimate.percent = max(0, 100 * (score - estimate.start) / (next - estimate.start))
        estimate.next = (CEFRRule.levels[index + 1], next)
        return estimate
    }
}

/// An event without any fields. Not for two threads at once.
private final class NoEvent {
    let scratch: EventScratch

    init(plan: FoldPlan) { scratch = EventScratch(plan: plan) }
}
