// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// Names that rows have codes for.
enum NameTable {
    case languages, achievements
}

/// The changes of learners' projections in one write, in the order in which they are applied.
struct DerivedChanges {
    /// Learners' profiles. Not written to a shadow, because profiles do not depend on the rules.
    var profiles: [(learner: Int64, profile: LearnerProjection)] = []
    /// Learners whose rows of progress go.
    var deletedProgress: [Int64] = []
    var deletedAchievements: [(learner: Int64, language: Int64, position: Int64)] = []
    /// All rows of a day.
    var deletedDays: [(learner: Int64, day: Int32)] = []
    var deletedDayRows: [(learner: Int64, day: Int32, language: Int64)] = []
    /// True if these learners have no rows yet, so there is nothing to replace.
    var areNew = false
    /// Rows of `progress_rows`, `achievement_rows` and `daily_rows`, in place of those of the same keys.
    var progress = TableRows.progress
    var achievements = TableRows.achievements
    var days = TableRows.days
}

/// A row of `snapshots`, or of `checkpoints` where it has a place.
struct StoredFoldState {
    var key: PackedSnapshot.Key
    /// Packed.
    var data: [UInt8]
}

/// ``StoredStates`` as they are stored.
typealias PackedStates = (state: StoredFoldState?, points: [CheckpointPoint])

/// A cache of the numbers that follow from events and rules. Rows of several columns come and go as ``TableRows``, in the order
/// of the relation's columns.
protocol DerivedTables {
    /// The codes of some names in UTF-8; those that have none are given one.
    func codes(of names: [[UInt8]], in table: NameTable) throws -> [Int64]

    func write(_ changes: DerivedChanges, in target: DerivedTarget) throws
    /// The greatest learner of each of some partitions who has rows of progress, or a snapshot; nil where nobody has.
    func lastLearners(with kind: DerivedKind, of partitions: [Int], in target: DerivedTarget) throws -> [Int64?]
    /// The learners from one on, ascending: number, display name, cohort, native language, daily goal.
    func profiles(from learner: Int64, limit: Int) throws -> TableRows
    /// Some learners' rows of some tables, of each learner by learner; all of them at one go.
    func rows(_ wanted: [(table: DerivedTable, learners: [Int64])], in target: DerivedTarget) throws -> [TableRows]
    /// The names that some codes stand for; those that stand for none are left out.
    func names(of codes: [Int64], in table: NameTable) throws -> [Int64: String]

    /// Snapshots or checkpoints of some learners, and the places of all checkpoints, ascending; what is not wanted is left out.
    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [PackedStates]
    /// Snapshots and checkpoints, in place of those of the same keys.
    func write(_ states: [StoredFoldState], in target: DerivedTarget) throws
    func deleteSnapshots(of learners: [Int64], in target: DerivedTarget) throws
    /// - Parameter points: nil for all.
    func deleteCheckpoints(of learner: Int64, at points: [CheckpointPoint]?) throws
    /// Empties all derived tables.
    func emptyDerivedTables() throws

    func setHidden(_ hidden: [(achievement: String, isHidden: Bool)]) throws

    /// - Parameters:
    ///   - language: nil for the overall track, whose numbers may be missing; else only learners who have that one.
    ///   - learner: nil for all, in byte order of the subjects.
    func forEachOverview(language: String?, of selection: OverviewSelection, _ body: (OverviewRecord) throws -> Void)
        throws
    /// The languages of every learner's tracks, in any order.
    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws
    /// Every learner's XP in a track; nil for the overall one.
    func forEachXP(language: String?, cohort: String?, _ body: (_ learner: Int64, _ xp: Double) throws -> Void) throws
    /// Every learner's XP of the days of a range, learner by learner, day by day, language by language.
    /// - Parameter language: only of this one; nil for all, with the overall track's, whose code is 0, where they are stored.
    func forEachXP(
        days: ClosedRange<LocalDay>,
        language: String?,
        cohort: String?,
        _ body: (_ learner: Int64, _ day: Int64, _ language: Int64, _ xp: Double) throws -> Void
    ) throws
}

/// The tables that can be queried for learners' rows.
enum DerivedTable {
    /// `progress_rows`, the overall track first, then by tags; behind the columns the tag. Of what is stored alone.
    case progress
    /// `achievement_rows`, language by language, by positions.
    case achievements
    /// `daily_rows`, day by day, language by language.
    case days
}

/// The table whose highest learner id is queried.
enum DerivedKind {
    case progress, snapshot
}

/// An edition of the derived tables beside the present one, built while that is read and written.
protocol ShadowTables {
    /// Makes it, empty, and notes from now on which learners' counts of events change, and who goes.
    func makeShadow() throws
    /// Deletes what the shadow has of some learners, and forgets that they have changed.
    func forgetChanges(of learners: [Int64]) throws
    /// The shadow takes the place of what is stored.
    func adoptShadow(_ extent: ShadowExtent) throws
    /// True if there is a shadow, or rows are left of one.
    func hasLeftovers() throws -> Bool
}
