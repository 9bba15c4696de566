// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// Learners' projections as rows to be written, prepared without the store. Instead of codes, they contain names,
/// because only the writing thread knows the codes. Days are not merged yet, because merging needs the order of the
/// codes.
///
/// Only one thread at a time changes the lists, so exclusive access is not checked at run time. The check would take a
/// tenth of the time that a row takes.
final class PreparedProjections: ProjectionBatch, @unchecked Sendable {
    struct Learner {
        let id: Int64
        /// The profile without tracks; nil if it stays unchanged.
        let profile: LearnerProjection?
        /// The stored projection, if only changes are to be written.
        let old: LearnerProjection?
        /// The stored days to delete, if the stored projection is unknown.
        let days: ReplacedDays
        /// A range of ``PreparedProjections/tracks``.
        let tracks: Range<Int>
        /// A range of ``PreparedProjections/achievements``.
        let achievements: Range<Int>
    }

    struct Track {
        /// 0 for the overall track; otherwise an index in ``PreparedProjections/languages``.
        let language: Int
        /// A range of ``PreparedProjections/days``.
        let days: Range<Int>
    }

    @exclusivity(unchecked) private(set) var learners: [Learner] = []
    @exclusivity(unchecked) private(set) var tracks: [Track] = []
    @exclusivity(unchecked) private(set) var days: [DayProjection] = []
    /// The names of languages. The name of the overall track is empty.
    @exclusivity(unchecked) private(set) var languages = [""]
    /// The indexes of languages that come after the first ``fewLanguages`` in ``languages``.
    private var otherLanguages: [[UInt8]: Int] = [:]
    private static let fewLanguages = 16
    @exclusivity(unchecked) private(set) var achievementIDs: [String] = []
    /// Rows of `progress_rows`. Until codes are known, a language is an index in ``languages``.
    @exclusivity(unchecked) var progress = TableRows.progress
    /// Rows of `achievement_rows`. Until codes are known, a language is an index in ``languages``, and an id an index
    /// in ``achievementIDs``.
    @exclusivity(unchecked) var achievements = TableRows.achievements
    /// Rows of `group_learners`.
    private(set) var groups = TableRows(of: .groupLearners)
    /// Rows of `achievement_rows` that no longer exist. A language is an index in ``languages``.
    private(set) var outdatedAchievements: [(learner: Int64, language: Int, position: Int)] = []

    /// Removes everything, but keeps the memory.
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
        groups.removeAll()
    }

    func append(_ projection: LearnerProjection, days: ReplacedDays, of learner: Int64) {
        take(projection, nil, days, learner)
    }

    func append(_ projection: LearnerProjection, replacing old: LearnerProjection, of learner: Int64) {
        take(projection, old, .listed, learner)
    }

    /// Adds the rows of a projection.
    /// - Parameter old: the stored projection; nil if it is unknown. New rows that equal its rows are left out, except
    ///   rows of days.
    private func take(
        _ projection: LearnerProjection,
        _ old: LearnerProjection?,
        _ replaced: ReplacedDays,
        _ learner: Int64
    ) {
        let (first, firstAchievement) = (tracks.count, achievements.count)
        let indexes = old.map(projection.indexes)
        let noTracks: [TrackProjection] = []
        for group in projection.joinedGroups {
            groups.append(learner)
            groups.append(group)
        }
        let profile = projection.profile
        // Pointers are used, because copying a track would cost almost as much as its row does.
        projection.tracks.withUnsafeBufferPointer { new in
            (old?.tracks ?? noTracks).withUnsafeBufferPointer { old in
                for index in new.indices {
                    take(new.baseAddress! + index, indexes?[index].map { old.baseAddress! + $0 }, learner)
                }
            }
        }
        learners.append(
            Learner(
                id: learner,
                profile: profile == old?.profile ? nil : profile,
                old: old,
                days: replaced,
                tracks: first..<tracks.count,
                achievements: firstAchievement..<achievements.count
            )
        )
    }

    private func take(_ track: UnsafePointer<TrackProjection>, _ old: UnsafePointer<TrackProjection>?, _ learner: Int64)
    {
        let language = index(ofLanguage: track.pointee.language)
        let isSame = old.map { TrackProjection.haveSameRow(track, $0) } ?? false
        if !isSame { appendProgress(of: track, learner, language) }
        append(track.pointee.achievements, replacing: old?.pointee.achievements ?? [], learner, language)
        let newDays = track.pointee.days
        tracks.append(Track(language: language, days: days.count..<days.count + newDays.count))
        days += newDays
    }

    private func index(ofLanguage tag: String?) -> Int {
        guard let tag else { return 0 }
        let first = languages.indices.prefix(PreparedProjections.fewLanguages).dropFirst()
        if let index = first.first(where: { languages[$0].hasSameBytes(as: tag) }) { return index }
        let bytes = Array(tag.utf8)
        if let index = otherLanguages[bytes] { return index }
        languages.append(tag)
        if languages.count > PreparedProjections.fewLanguages { otherLanguages[bytes] = languages.count - 1 }
        return languages.count - 1
    }

    private func appendProgress(of track: UnsafePointer<TrackProjection>, _ learner: Int64, _ language: Int) {
        progress.append(learner)
        progress.append(language)
        progress.append(TrackNumbers.relation.list.stored, of: UnsafeRawPointer(track) + Self.numbersOffset)
    }

    private static let numbersOffset = MemoryLayout<TrackProjection>.offset(of: \.numbers)!

    private func append(
        _ rows: [AchievementProjection],
        replacing old: [AchievementProjection],
        _ learner: Int64,
        _ language: Int
    ) {
        rows.withUnsafeBufferPointer { rows in
            old.withUnsafeBufferPointer { old in
                for position in old.indices where old[position].hasBegun {
                    if position >= rows.count || !rows[position].hasBegun {
                        outdatedAchievements.append((learner, language, position))
                    }
                }
                for position in rows.indices where rows[position].hasBegun {
                    let row = rows.baseAddress! + position
                    if position < old.count, AchievementProjection.areSame(row, old.baseAddress! + position) {
                        continue
                    }
                    append(row, at: position, learner, language)
                }
            }
        }
    }

    private func append(
        _ row: UnsafePointer<AchievementProjection>,
        at position: Int,
        _ learner: Int64,
        _ language: Int
    ) {
        achievements.append(learner)
        achievements.append(language)
        achievements.append(position)
        achievements.append(index(ofAchievement: row.pointee.id))
        achievements.append(row)
    }

    private func index(ofAchievement id: String) -> Int {
        if let index = achievementIDs.firstIndex(where: { $0.hasSameBytes(as: id) }) { return index }
        achievementIDs.append(id)
        return achievementIDs.count - 1
    }
}

extension AchievementProjection {
    fileprivate static func areSame(
        _ one: UnsafePointer<AchievementProjection>,
        _ other: UnsafePointer<AchievementProjection>
    ) -> Bool {
        one.pointee.tier == other.pointee.tier && one.pointee.tiers == other.pointee.tiers
            && one.pointee.unlockedAt == other.pointee.unlockedAt && one.pointee.progress == other.pointee.progress
            && one.pointee.isHidden == other.pointee.isHidden && one.pointee.id == other.pointee.id
    }
}

extension TrackProjection {
    /// True if both have the same row of progress, to the last bit.
    fileprivate static func haveSameRow(
        _ one: UnsafePointer<TrackProjection>,
        _ other: UnsafePointer<TrackProjection>
    ) -> Bool {
        // The number of events nearly always differs, so it is compared first.
        guard one.pointee.numbers.counts.events == other.pointee.numbers.counts.events,
            one.pointee.numbers.metrics.isIdentical(to: other.pointee.numbers.metrics),
            one.pointee.numbers.xpByBucket.isIdentical(to: other.pointee.numbers.xpByBucket)
        else { return false }
        return one.pointee.language == other.pointee.language && one.pointee.numbers == other.pointee.numbers
    }
}
