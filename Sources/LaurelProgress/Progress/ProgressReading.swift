// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelRules

/// Reads progress as of an instant from a state: docs/numbers.md. Not thread-safe.
package struct ProgressReader {
    package let plan: FoldPlan
    /// For each version, the values that expressions read when there is no event.
    private let noEvents: [NoEvent]

    package init(plan: FoldPlan) {
        self.plan = plan
        noEvents = plan.versions.map { NoEvent(plan: $0) }
    }

    /// Returns the progress of a learner as of an instant.
    /// - Parameter instant: must not be before the last folded event.
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
        let balances = balances(state, at: instant)
        fill(&progress.numbers, track, of: state, at: today, balances)
        if language == nil {
            fillBalances(&progress, state, balances)
            progress.goals = goals(state, subject: subject, on: today, balances)
        }
        let next = track.plan.rules.levels.start(of: progress.numbers.level + 1)
        progress.xpToNextLevel = next.map { ($0 - track.xp).rounded(.up) }
        fillDays(&progress, track, today)
        for vocabulary in state.vocabularies(of: track) {
            progress.wordsDueForReview += vocabulary.dueCount(at: instant.milliseconds)
        }
        progress.day = window(.day, on: today, track)
        progress.week = window(.week, on: today, track)
        if track.plan.layout.seasonXP != nil { progress.season = window(.season, on: today, track) }
        let experiments = track.plan.rules.experiments
        if language == nil, !experiments.isEmpty {
            progress.experiments = experiments.filter { $0.period.place(of: today) == .within }.compactMap {
                experiment in
                experiment.variant(of: subject).map {
                    NamedText(name: experiment.name, text: experiment.variants[$0].name)
                }
            }
        }
        progress.hasLimits = !track.plan.rules.plausible.isEmpty || state.tracks[0].flagged.events > 0
        if plan.versions.count > 1 {
            progress.rules = RulesVersion(name: track.plan.rules.name, from: track.plan.from?.description)
        }
        let later = achievements(ofVersionAt: instant, track)
        progress.achievements = (achievements(track) + later).filter { !$0.isHidden || $0.tier > 0 }
        return progress
    }

    /// The languages that have a track, in byte order.
    package func languages(_ state: LearnerState) -> [String] {
        state.tracks.compactMap(\.language).sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The week that contains an instant; nil if the learner does not have the track. The result has the week's first
    /// day, the local day of the instant, and the numbers of the track's days.
    package func week(
        of instant: Timestamp,
        _ state: LearnerState,
        language: String?
    ) -> (start: LocalDay, today: LocalDay, days: [DayProjection])? {
        guard let track = language.map({ state.track(language: Array($0.utf8)) }) ?? state.tracks[0] else {
            return nil
        }
        let today = localDay(of: instant, track)
        return (today.weekStart(firstWeekday: track.plan.rules.calendar.weekStartsOn), today, track.days)
    }

    /// The local day of an instant, by the offset written in the instant. Without an offset, the zone or the written
    /// offset of the latest folded event is used. If the event has neither, the rules' clock is used.
    func localDay(of instant: Timestamp, _ track: TrackState) -> LocalDay {
        var clock = track.plan.clock
        return track.lastClock.localTime(of: instant, &clock).day
    }

    /// The instant until which a state's progress stays the same without new events, in milliseconds since 1970.
    /// Progress changes when the local day ends in any track, when another word is due, and when a balance is refilled.
    /// - Parameters:
    ///   - instant: must not be before the last folded event.
    ///   - onlyDays: true to ignore words and balances.
    /// - Complexity: O(tracks + words).
    package func holds(_ state: LearnerState, from instant: Timestamp, onlyDays: Bool = false) -> Int64 {
        func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds, offset: instant.offset) }
        let days = state.tracks.map { localDay(of: instant, $0) }
        let vocabularies = onlyDays ? [] : state.vocabularies
        let due = vocabularies.reduce(0) { $0 + $1.dueCount(at: instant.milliseconds) }
        func isSame(_ milliseconds: Int64) -> Bool {
            zip(state.tracks, days).allSatisfy { localDay(of: at(milliseconds), $0) == $1 }
                && vocabularies.reduce(0) { $0 + $1.dueCount(at: milliseconds) } == due
        }
        // No local day is longer than 26 hours, and `isSame` changes only once in that time, from true to false.
        let start = Int(instant.milliseconds)
        let end = Int64((start + 1..<start + 26 * 3_600_000).partitioningIndex { !isSame(Int64($0)) })
        if onlyDays { return end }
        return zip(balances(state, at: instant), state.plan.currencies).compactMap { $0.nextRefill($1) }
            .reduce(end, min)
    }

    private func fillDays(_ progress: inout Progress, _ track: TrackState, _ today: LocalDay) {
        let week = today.weekStart(firstWeekday: track.plan.rules.calendar.weekStartsOn)
        for day in track.days.reversed() where day.day >= week {
            if day.day.number < week.number + 7 { progress.weeklyXP += day.xp }
            guard day.day == today else { continue }
            (progress.todayMinutes, progress.todayXP) = (Int(day.practiceMilliseconds / 60_000), day.xp)
        }
    }
}

/// The parts that progress and projections share.
extension ProgressReader {
    /// The value of an expression on a local day, without an event.
    func number(
        _ program: Program,
        _ track: UnsafePointer<Double>,
        of state: LearnerState,
        _ day: NoEventTexts
    ) -> Double {
        noEvents[state.version].number(program, track, state, day)
    }

    func xpByBucket(_ track: TrackState) -> [NamedNumber] {
        let xp = track.values.pointee.xpByBucket
        var numbers: [NamedNumber] = []
        for bucket in track.plan.bucketsByName where xp[bucket] != 0 {
            if numbers.isEmpty { numbers.reserveCapacity(xp.count) }
            numbers.append(NamedNumber(name: track.plan.buckets[bucket], value: xp[bucket]))
        }
        return numbers
    }

    /// The XP of the window that contains a day, and the metrics that expressions read in the window, in byte order of
    /// the names. All numbers are 0 if the last event is in another window, for example on another day.
    func window(_ window: Window, on day: LocalDay, _ track: TrackState) -> [NamedNumber] {
        let (plan, layout) = (track.plan, track.plan.layout)
        let numbers = track.values.pointee.numbers + layout.start(of: window)
        let isOpen = track.values.pointee.windowKeys?[window] == plan.windowKeys(on: day)[window]
        func number(_ name: String, _ place: Int) -> NamedNumber {
            NamedNumber(name: name, value: isOpen ? numbers[place] : 0)
        }
        let metrics = plan.metricNames.list.enumerated().filter { plan.reads(metric: $0.offset, in: window) }
        let all = [number("xp", layout.stride - 1)] + metrics.map { number($0.element, $0.offset) }
        return all.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    func metrics(_ track: TrackState) -> NamedNumbers {
        let totals = UnsafeBufferPointer(
            start: track.values.pointee.numbers + track.plan.layout.total,
            count: track.plan.metricNames.list.count
        )
        return NamedNumbers(names: track.plan.metricNames, values: Array(totals))
    }

    func achievements(_ track: TrackState) -> [AchievementProgress] {
        scope(track).indexes.map { achievement($0, track) }
    }

    /// The achievements that exist only in the version in force at an instant. The track has not had an event under
    /// that version yet.
    private func achievements(ofVersionAt instant: Timestamp, _ track: TrackState) -> [AchievementProgress] {
        let version = track.lastClock.version(at: instant, in: plan)
        guard version.index > track.plan.index else { return [] }
        let own = scope(track).indexes.map { track.plan.rules.achievements[$0].id }
        return version.achievementScope(isOverall: track.values.pointee.isOverall).indexes.compactMap { index in
            let rule = version.rules.achievements[index]
            guard !own.contains(where: { $0.hasSameBytes(as: rule.id) }) else { return nil }
            return AchievementProgress(
                id: rule.id,
                names: rule.names,
                tier: 0,
                tiers: rule.thresholds.count,
                unlockedAt: nil,
                progress: 0,
                isHidden: rule.isHidden
            )
        }
    }

    /// The achievements that the track can unlock.
    func scope(_ track: TrackState) -> AchievementScope {
        track.plan.achievementScope(isOverall: track.values.pointee.isOverall)
    }

    /// - Parameter index: the achievement's index in the rules.
    func achievement(_ index: Int, _ track: TrackState) -> AchievementProgress {
        let thresholds = track.plan.achievements[index].thresholds
        let state = track.values.pointee.achievements[index]
        let progress: Double =
            if state.tier == thresholds.count {
                1
            } else if state.isRevoked {
                0
            } else {
                min(1, max(0, state.best / thresholds[state.tier]))
            }
        let rule = track.plan.rules.achievements[index]
        return AchievementProgress(
            id: rule.id,
            names: rule.names,
            tier: state.tier,
            tiers: thresholds.count,
            unlockedAt: state.unlockedAt,
            progress: progress,
            isHidden: rule.isHidden
        )
    }

    /// The highest band that the score reaches, and the share of the way to the next band in percent; nil for the
    /// overall track, and without an estimate.
    /// - Parameter balances: the learner's balances, which the score may read.
    func cefr(_ track: TrackState, of state: LearnerState, _ balances: [Balance]) -> CEFREstimate? {
        guard !track.values.pointee.isOverall, let bands = noEvents[track.plan.index].bands else { return nil }
        var score = track.withNumbers(of: state, balances) {
            noEvents[track.plan.index].score($0, state)
        }
        if score.isNaN { score = 0 }
        if let declared = track.declaredLevel { score += bands[declared] }
        let index = bands.lastIndex { $0 <= score } ?? 0
        var estimate = CEFREstimate(band: CEFRRule.levels[index], percent: 100, score: score, start: bands[index])
        guard index + 1 < bands.count else { return estimate }
        let next = bands[index + 1]
        estimate.percent = max(0, 100 * (score - estimate.start) / (next - estimate.start))
        estimate.next = (CEFRRule.levels[index + 1], next)
        return estimate
    }
}

/// The values that expressions read when there is no event. Not thread-safe.
private final class NoEvent {
    /// The scores at which the bands of the CEFR estimate start; nil if the rules have no estimate.
    let bands: [Double]?
    private let score: Program?
    private var numbers: [Double]
    private var texts: [TextSlice]
    /// The stored fields of the learner.
    private let learnerFields: [LearnerField]
    private let leagueNames: [LeagueName]
    private let slots: EventSlots

    init(plan: VersionPlan) {
        bands = plan.rules.cefr?.bands
        score = plan.rules.cefr?.score
        numbers = Array(repeating: .nan, count: plan.rules.layout.eventNumberCount)
        texts = Array(repeating: TextSlice(), count: plan.rules.layout.textCount)
        learnerFields = Array(plan.learnerFields)
        leagueNames = plan.leagueNames
        slots = plan.slots
    }

    /// The score of the CEFR estimate; NaN if the rules have no estimate.
    func score(_ track: UnsafePointer<Double>, _ state: LearnerState) -> Double {
        score.map { number($0, track, state, NoEventTexts()) } ?? .nan
    }

    /// The value of an expression.
    /// - Parameter day: the local day, and the texts that depend on it.
    func number(
        _ program: Program,
        _ track: UnsafePointer<Double>,
        _ state: LearnerState,
        _ day: NoEventTexts
    ) -> Double {
        numbers[slots.day] = day.number
        return numbers.withUnsafeMutableBufferPointer { numbers in
            texts.withUnsafeMutableBufferPointer { texts in
                withExtendedLifetime(day) {
                    for (slot, text) in zip(day.slots, day.texts.slices) { texts[slot] = text }
                    for (field, value) in zip(learnerFields, state.profile.fields) {
                        field.publish(value, numbers.baseAddress!, texts.baseAddress!)
                    }
                    for name in leagueNames {
                        name.publish(state.leagues, numbers.baseAddress!, texts.baseAddress!)
                    }
                    return program.number(Frame(track: track, event: numbers.baseAddress!, texts: texts.baseAddress!))
                }
            }
        }
    }
}
