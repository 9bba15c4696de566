// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// Learners' projections as the rows that will be written. All that can be made without the store is: names alone stand
/// for their codes until the thread that writes has these, and days until it has put the languages' in order.
///
/// Its lists are changed by one after the other: to check that at run time would take a tenth of what a row takes.
final class PreparedProjections: ProjectionBatch, @unchecked Sendable {
    struct Learner {
        let id: Int64
        /// Without tracks; nil where it stays as it is.
        let profile: LearnerProjection?
        /// What is stored, where only what has changed is written.
        let old: LearnerProjection?
        /// Which of the stored days go, where what is stored is not known.
        let days: ReplacedDays
        /// Places in ``PreparedProjections/tracks``.
        let tracks: Range<Int>
        /// Places in ``PreparedProjections/achievements``.
        let achievements: Range<Int>
    }

    struct Track {
        /// 0: the overall one; else a place in ``PreparedProjections/languages``.
        let language: Int
        /// Places in ``PreparedProjections/days``.
        let days: Range<Int>
    }

    @exclusivity(unchecked) private(set) var learners: [Learner] = []
    @exclusivity(unchecked) private(set) var tracks: [Track] = []
    @exclusivity(unchecked) private(set) var days: [DayProjection] = []
    /// The overall track's has no name.
    @exclusivity(unchecked) private(set) var languages = [""]
    /// Where those stand that are not among the first few.
    private var otherLanguages: [[UInt8]: Int] = [:]
    private static let fewLanguages = 16
    @exclusivity(unchecked) private(set) var achievementIDs: [String] = []
    /// Of `progress_rows`; languages are places in ``languages`` at first.
    @exclusivity(unchecked) var progress = TableRows.progress
    /// Of `achievement_rows`; so are these, and their ids places in ``achievementIDs``.
    @exclusivity(unchecked) var achievements = TableRows.achievements
    /// Rows of `achievement_rows` that are no more; languages are places in ``languages``.
    private(set) var outdatedAchievements: [(learner: Int64, language: Int, position: Int)] = []
    @exclusivity(unchecked) private var texts = ProgressJSONCache()

    /// Keeps its memory.
    func removeAll() {
        learners.removeAll(keepingCapacity: true)
        tracks.removeAll(keepingCapacity: true)
        days.removeAll(keepingCapacity: true)
        languages.removeLast(languages.count - 1)
        otherLanguages.removeAll(keepingCapacity: true)
        achievementIDs.removeAll(keepingCapacity: true)
        progress.removeAll()
        achievements.removeAll()
        outdatedAchievements.removeAll(keepingCapacity: true)
        texts = ProgressJSONCache()
    }

    func append(_ projection: LearnerProjection, days: ReplacedDays, of learner: Int64) {
        take(projection, nil, days, learner)
    }

    func append(_ projection: LearnerProjection, replacing old: LearnerProjection, of learner: Int64) {
        take(projection, old, .listed, learner)
    }

    /// - Parameter old: rows that stay as they are, days excepted, are left out.
    private func take(
        _ projection: LearnerProjection,
        _ old: LearnerProjection?,
        _ replaced: ReplacedDays,
        _ learner: Int64
    ) {
        let (first, firstAchievement) = (tracks.count, achievements.count)
        let places = old.map(projection.places)
        // By places, for a copy of a track costs much of what its row does.
        for index in projection.tracks.indices {
            let language = place(ofLanguage: projection.tracks[index].language)
            let stored = places?[index]
            let isSame = stored.map { projection.tracks[index].hasSameRow(as: old!.tracks[$0]) }
            if isSame != true { appendProgress(of: projection.tracks[index], learner, language) }
            let achievements = projection.tracks[index].achievements
            append(achievements, replacing: stored.map { old!.tracks[$0].achievements } ?? [], learner, language)
            let newDays = projection.tracks[index].days
            tracks.append(Track(language: language, days: days.count..<days.count + newDays.count))
            days += newDays
        }
        let profile = projection.profile
        learners.append(
            Learner(
                id: learner,
                profile: old?.profile == profile ? nil : profile,
                old: old,
                days: replaced,
                tracks: first..<tracks.count,
                achievements: firstAchievement..<achievements.count
            )
        )
    }

    private func place(ofLanguage tag: String?) -> Int {
        guard let tag else { return 0 }
        let first = languages.indices.prefix(PreparedProjections.fewLanguages).dropFirst()
        if let place = first.first(where: { languages[$0].hasSameBytes(as: tag) }) { return place }
        let bytes = Array(tag.utf8)
        if let place = otherLanguages[bytes] { return place }
        languages.append(tag)
        if languages.count > PreparedProjections.fewLanguages { otherLanguages[bytes] = languages.count - 1 }
        return languages.count - 1
    }

    private func appendProgress(of track: TrackProjection, _ learner: Int64, _ language: Int) {
        progress.append(learner)
        progress.append(language)
        progress.append(track.events)
        progress.append(track.firstEventAt)
        progress.append(track.lastEventAt)
        progress.append(track.xp)
        progress.append(track.level)
        progress.append(track.levelProgressPercent)
        progress.append(track.currentStreak)
        progress.append(track.longestStreak)
        progress.append(track.streakFreezes)
        progress.append(track.lastActivityDay.map { Int64($0.number) })
        progress.append(track.practiceMilliseconds)
        progress.append(track.sessions)
        progress.append(track.soloSessions)
        progress.append(track.multiplayerSessions)
        progress.append(track.wordsKnown)
        progress.append(track.wordsLearned)
        progress.append(track.wordsNew)
        progress.append(track.wordsLearning)
        progress.append(track.wordsReviewing)
        progress.append(track.wordsMastered)
        progress.append(track.successfulRepairs)
        progress.append(track.helpGiven)
        progress.append(track.teamWins)
        progress.append(track.estimatedCEFR)
        progress.append(track.cefrProgressPercent)
        texts.take(track, for: &progress)
        progress.append(texts.xpByBucket)
        progress.append(texts.metrics)
    }

    private func append(
        _ rows: [AchievementProjection],
        replacing old: [AchievementProjection],
        _ learner: Int64,
        _ language: Int
    ) {
        for position in old.indices where old[position].hasBegun {
            if position >= rows.count || !rows[position].hasBegun {
                outdatedAchievements.append((learner, language, position))
            }
        }
        for position in rows.indices where rows[position].hasBegun {
            if position < old.count, rows[position] == old[position] { continue }
            achievements.append(learner)
            achievements.append(language)
            achievements.append(position)
            achievements.append(place(ofAchievement: rows[position].id))
            achievements.append(rows[position].tier)
            achievements.append(rows[position].tiers)
            achievements.append(rows[position].unlockedAt)
            achievements.append(rows[position].progress)
            achievements.append(rows[position].isHidden ? 1 : 0)
        }
    }

    private func place(ofAchievement id: String) -> Int {
        if let place = achievementIDs.firstIndex(where: { $0.hasSameBytes(as: id) }) { return place }
        achievementIDs.append(id)
        return achievementIDs.count - 1
    }
}

extension LearnerProjection {
    /// What learners say of themselves.
    fileprivate var profile: LearnerProjection {
        LearnerProjection(
            displayName: displayName,
            cohort: cohort,
            nativeLanguage: nativeLanguage,
            dailyGoalMinutes: dailyGoalMinutes,
            tracks: []
        )
    }
}

extension TrackProjection {
    /// Whether the row of progress of both is the same, to the last bit.
    fileprivate func hasSameRow(as other: TrackProjection) -> Bool {
        // Nearly always an event has been counted.
        guard events == other.events, metrics.isIdentical(to: other.metrics),
            xpByBucket.isIdentical(to: other.xpByBucket)
        else { return false }
        var (one, other) = (self, other)
        (one.days, one.achievements) = ([], [])
        (other.days, other.achievements) = ([], [])
        return one == other
    }
}

/// The JSON of a row of progress. A learner's tracks often have the same numbers: the overall one and that of the only
/// language.
private struct ProgressJSONCache {
    private(set) var xpByBucket = ColumnValue.null
    private(set) var metrics = ColumnValue.null
    private var last: (xpByBucket: [NamedNumber], metrics: NamedNumbers)?

    mutating func take(_ track: TrackProjection, for rows: inout TableRows) {
        if let last, track.metrics.isIdentical(to: last.metrics), track.xpByBucket.isIdentical(to: last.xpByBucket) {
            return
        }
        last = (track.xpByBucket, track.metrics)
        xpByBucket = rows.text { NumbersJSON.append(track.xpByBucket, to: &$0) }
        metrics = rows.text { NumbersJSON.append(track.metrics, to: &$0) }
    }
}
