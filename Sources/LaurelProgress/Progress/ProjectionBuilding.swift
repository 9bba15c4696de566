// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// What the store keeps in plain tables: the state as of the learner's last event.
extension ProgressReader {
    /// - Parameter onlyTouchedDays: leaves out the days that no track touched since the state was made, decoded or settled.
    package func projection(_ state: LearnerState, onlyTouchedDays: Bool = false) -> LearnerProjection {
        let tracks = state.tracksInOrder
        // A day is replaced as a whole, so whatever touched it in one track, every track lists it.
        let touched = onlyTouchedDays ? Set(tracks.flatMap { $0.touchedDays }) : []
        var projection = LearnerProjection(
            displayName: state.profile.displayName,
            cohort: state.profile.cohort,
            nativeLanguage: state.profile.nativeLanguage,
            dailyGoalMinutes: state.profile.dailyGoalMinutes,
            tracks: []
        )
        projection.tracks.reserveCapacity(tracks.count)
        for (place, track) in tracks.enumerated() {
            let language = track.language.map { String(decoding: $0, as: UTF8.self) }
            projection.tracks.append(TrackProjection(language: language))
            fill(&projection.tracks[place], track)
            projection.tracks[place].days = onlyTouchedDays ? track.days.rows(of: touched) : track.days
        }
        return projection
    }

    /// In place: rows are large, and are made for every learner.
    private func fill(_ row: inout TrackProjection, _ track: TrackState) {
        row.events = track.events
        row.firstEventAt = track.firstEventAt
        row.lastEventAt = track.lastEventAt
        row.lastPracticeAt = track.lastPractice?.at
        row.xp = track.xp
        let level = track.plan.levels.place(of: track.xp)
        row.level = level.level
        row.levelProgressPercent = level.percent(xp: track.xp)
        if track.plan.hasStreak, let day = track.lastPractice?.day ?? track.lastDay {
            let streak = track.streak.value(at: day, track.plan.streakTerms)
            row.currentStreak = streak.current
            row.longestStreak = streak.longest
            row.streakFreezes = streak.freezes
            row.lastActivityDay = track.streak.active.last
        }
        row.practiceMilliseconds = track.practiceMilliseconds
        row.sessions = track.endedSessions
        row.soloSessions = track.soloSessions
        row.multiplayerSessions = track.multiplayerSessions
        row.wordsKnown = track.words.known
        row.wordsLearned = track.words.learned
        row.wordsNew = track.words.new
        row.wordsLearning = track.words.learning
        row.wordsReviewing = track.words.reviewing
        row.wordsMastered = track.words.mastered
        row.successfulRepairs = track.successfulRepairs
        row.helpGiven = track.helpGiven
        row.teamWins = track.teamWins
        let estimate = cefr(track)
        row.estimatedCEFR = estimate?.band
        row.cefrProgressPercent = estimate?.percent
        row.xpByBucket = xpByBucket(track)
        row.metrics = metrics(track)
        row.achievements = scope(track).indexes.map { AchievementProjection(achievement($0, track)) }
    }
}

extension [DayProjection] {
    /// Those of some days, ascending.
    /// - Complexity: O(days · log count): mostly it is one day of thousands.
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
