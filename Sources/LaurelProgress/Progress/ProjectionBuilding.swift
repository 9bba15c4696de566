// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// The state as of the learner's last event, in the form of the store's tables.
extension ProgressReader {
    /// - Parameter onlyTouchedDays: true to leave out days that no track changed since the state was created, decoded
    ///   or settled.
    package func projection(_ state: LearnerState, onlyTouchedDays: Bool = false) -> LearnerProjection {
        let tracks = state.tracksInOrder
        // The store replaces a day for all tracks at once. If one track changed the day, all tracks must list it.
        let touched = onlyTouchedDays ? Set(tracks.flatMap { $0.touchedDays }) : []
        var projection = LearnerProjection(
            displayName: state.profile.displayName,
            cohort: state.profile.cohort,
            nativeLanguage: state.profile.nativeLanguage,
            dailyGoalMinutes: state.profile.dailyGoalMinutes,
            tracks: []
        )
        projection.isOnLeaderboards = state.profile.isOnLeaderboards
        projection.joinedGroups = state.memberships.joined.map { String(decoding: $0, as: UTF8.self) }
        projection.tracks.reserveCapacity(tracks.count)
        for (place, track) in tracks.enumerated() {
            let language = track.language.map { String(decoding: $0, as: UTF8.self) }
            projection.tracks.append(TrackProjection(language: language))
            let day = track.lastPractice?.day ?? track.lastDay
            fill(&projection.tracks[place].numbers, track, of: state, at: day, state.balances)
            if place == 0 { projection.tracks[place].numbers.games = GamesJSON.text(self, state) }
            projection.tracks[place].achievements = scope(track).indexes.map {
                AchievementProjection(achievement($0, track))
            }
            projection.tracks[place].days = onlyTouchedDays ? track.days.rows(of: touched) : track.days
        }
        return projection
    }

    /// Sets the numbers of a track in place. They are many, and are read for every learner, so copies would take time.
    /// - Parameters:
    ///   - day: the reference day of the streak; nil without a streak.
    ///   - balances: the learner's balances.
    func fill(
        _ numbers: inout TrackNumbers,
        _ track: TrackState,
        of state: LearnerState,
        at day: LocalDay?,
        _ balances: [Balance]
    ) {
        numbers.counts = track.counts
        numbers.lastPracticeAt = track.lastPractice?.at
        var clock = track.plan.clock
        numbers.timezone = track.lastClock.text(&clock)
        numbers.xp = track.xp
        (numbers.flaggedEvents, numbers.flaggedXP) = (track.flagged.events, track.flagged.xp)
        let level = track.plan.levels.level(of: track.xp)
        numbers.level = level.level
        numbers.levelProgressPercent = level.percent(xp: track.xp)
        if track.plan.hasStreak, let day {
            let streak = track.streak.value(at: day, track.plan.streakTerms)
            numbers.currentStreak = streak.current
            numbers.longestStreak = streak.longest
            numbers.streakFreezes = streak.freezes
            numbers.lastActivityDay = track.streak.active.last
            numbers.streakEnds = track.streak.end(track.plan.streakTerms)
        }
        let estimate = cefr(track, of: state, balances)
        numbers.estimatedCEFR = estimate?.band
        numbers.cefrProgressPercent = estimate?.percent
        numbers.xpByBucket = xpByBucket(track)
        numbers.metrics = metrics(track)
    }
}

extension [DayProjection] {
    /// The rows of some days, ascending.
    /// - Complexity: O(days · log count). Usually one day of thousands is requested.
    fileprivate func rows(of days: Set<LocalDay>) -> [DayProjection] {
        days.sorted().compactMap { day in
            let place = indices.partitioningIndex { self[$0].day >= day }
            return place < count && self[place].day == day ? self[place] : nil
        }
    }
}

extension AchievementProjection {
    package init(_ achievement: AchievementProgress) {
        self.init(id: achievement.id)
        tier = achievement.tier
        tiers = achievement.tiers
        unlockedAt = achievement.unlockedAt
        progress = achievement.progress
        isHidden = achievement.isHidden
    }
}
