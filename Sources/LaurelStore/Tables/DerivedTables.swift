// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// The kinds of names for which rows store codes.
enum NameTable {
    case languages, achievements
}

/// The changes of learners' projections in one write, in the order in which they are applied.
struct DerivedChanges {
    /// Learners' profiles. They are not written to a shadow, because profiles do not depend on the rules.
    var profiles: [(learner: Int64, profile: LearnerProjection)] = []
    /// Rows of `group_learners` to add; rows that exist already stay unchanged. A shadow does not get these rows,
    /// because they do not depend on the rules.
    var groups = TableRows(of: .groupLearners)
    /// Learners whose rows of progress are deleted.
    var deletedProgress: [Int64] = []
    var deletedAchievements: [(learner: Int64, language: Int64, position: Int64)] = []
    /// Days of which all rows are deleted.
    var deletedDays: [(learner: Int64, day: Int32)] = []
    var deletedDayRows: [(learner: Int64, day: Int32, language: Int64)] = []
    /// True if these learners have no rows yet, so there is nothing to replace.
    var areNew = false
    /// Rows of `progress_rows`. They replace rows with the same keys, as do the rows of the next two properties.
    var progress = TableRows.progress
    var achievements = TableRows.achievements
    var days = TableRows.days
}

/// A row of `snapshots`, or of `checkpoints` if its key has a point.
struct StoredFoldState {
    var key: PackedSnapshot.Key
    /// The state, packed.
    var data: [UInt8]
}

/// The stored form of ``StoredStates``.
typealias PackedStates = (state: StoredFoldState?, points: [CheckpointPoint])

/// The tables of numbers that are computed from events and rules. Rows of several columns are passed as ``TableRows``,
/// in the order of the relation's columns.
protocol DerivedTables {
    /// Returns the codes of names in UTF-8. A name without a code gets a new one.
    func codes(of names: [[UInt8]], in table: NameTable) throws -> [Int64]

    func write(_ changes: DerivedChanges, in target: DerivedTarget) throws
    /// For each partition, the highest id of a learner who has rows of progress, or a snapshot; nil if no learner has.
    func lastLearners(with kind: DerivedKind, of partitions: [Int], in target: DerivedTarget) throws -> [Int64?]
    /// The profiles of at most `limit` learners, ascending from an id. The columns are the learner's id, display name,
    /// cohort, native language, daily goal, and 0 if the learner is left out of leaderboards.
    func profiles(from learner: Int64, limit: Int) throws -> TableRows
    /// Reads the rows of learners from several tables, in one round trip. For each table, the rows are sorted by
    /// learner.
    func rows(_ wanted: [(table: DerivedTable, learners: [Int64])], in target: DerivedTarget) throws -> [TableRows]
    /// The names of codes. Unknown codes are left out.
    func names(of codes: [Int64], in table: NameTable) throws -> [Int64: String]

    /// The snapshots or checkpoints of learners that `wanted` selects, and the points of all their checkpoints,
    /// ascending.
    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [PackedStates]
    /// Writes snapshots and checkpoints, and replaces states with the same keys.
    func write(_ states: [StoredFoldState], in target: DerivedTarget) throws
    func deleteSnapshots(of learners: [Int64], in target: DerivedTarget) throws
    /// Deletes checkpoints of a learner.
    /// - Parameter points: the checkpoints to delete; nil for all of the learner's.
    func deleteCheckpoints(of learner: Int64, at points: [CheckpointPoint]?) throws
    /// Does the same as ``StoreReader/groupNames(after:limit:)``.
    func groupNames(after name: String, limit: Int) throws -> [String]
    /// The groups that each of some learners ever joined, in any order. A group may be listed more than once.
    func groupNames(of learners: [Int64]) throws -> [String]
    /// Empties all derived tables.
    func emptyDerivedTables() throws

    func setHidden(_ hidden: [(achievement: String, isHidden: Bool)]) throws

    /// Calls `body` for the overview of each selected learner, in byte order of their subjects.
    /// - Parameters:
    ///   - language: the track; only learners who have this track are included. nil for the overall track, which
    ///     includes learners without numbers.
    ///   - selection: the learners to visit.
    func forEachOverview(language: String?, of selection: OverviewSelection, _ body: (OverviewRecord) throws -> Void)
        throws
    /// The languages of every learner's tracks, in any order.
    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws
    /// Calls `body` for each row of achievements of all learners, sorted by learner.
    func forEachAchievement(_ body: (AchievementRecord) throws -> Void) throws
    /// Calls `body` with every learner's XP in a track.
    /// - Parameters:
    ///   - language: the track; nil for the overall track.
    ///   - cohort: the cohort of the learners to include; nil for all learners.
    func forEachXP(language: String?, cohort: String?, _ body: (_ learner: Int64, _ xp: Double) throws -> Void) throws
    /// Visits every learner's numbers on each day of a range, sorted by learner, then by day, then by language.
    /// - Parameter language: the track; nil for all tracks. The overall track, whose code is 0, is included on days
    ///   for which it has a row.
    func forEachDay(
        _ days: ClosedRange<LocalDay>,
        language: String?,
        cohort: String?,
        _ body: (_ learner: Int64, _ day: Int64, _ language: Int64, _ totals: DayTotals) throws -> Void
    ) throws
}

/// The tables that can be queried for learners' rows.
enum DerivedTable {
    /// `progress_rows`: the overall track first, then by language tag. The tag follows the relation's columns. Only the
    /// stored edition can be queried, not a shadow.
    case progress
    /// `achievement_rows`, by language, then by position.
    case achievements
    /// `daily_rows`, by day, then by language.
    case days
}

/// The table whose highest learner id is queried.
enum DerivedKind {
    case progress, snapshot
}

/// A second edition of the derived tables. It is built while the stored edition is read and written.
protocol ShadowTables {
    /// Makes an empty shadow. From now on, learners are recorded if their event count changes or if they are deleted.
    func makeShadow() throws
    /// Deletes learners' rows from the shadow, and their records of changes.
    func forgetChanges(of learners: [Int64]) throws
    /// Replaces the stored edition with the shadow.
    func adoptShadow(_ extent: ShadowExtent) throws
    /// True if there is a shadow, or an earlier shadow has left rows.
    func hasLeftovers() throws -> Bool
}
