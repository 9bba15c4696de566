// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// A transaction that changes a store. It reads its own writes.
package protocol StoreTransaction: StoreReader {
    /// The versions before and after the transaction, for each partition that it locks, ascending.
    var versions: [VersionStep] { get }

    /// The ids of learners. Missing learners are created.
    /// - Throws: ``MergedLearners`` if a missing learner was merged into another.
    func learnerIDs(for subjects: [[UInt8]]) throws -> [Int64]

    /// Stores events. Every identity (learner, source, id) is stored once. The first event to arrive is kept.
    /// - Parameter groups: at most one for each learner: the learner's rows of the table, in the order of arrival.
    /// - Complexity: does not depend on the number of stored events, except for duplicates and conflicts.
    func append(_ table: EventTable, groups: [LearnerRows]) throws -> AppendResult

    /// Writes the changes that an update of learners writes in addition to events.
    func write(_ changes: LearnerWrites) throws
    /// Clears the marks of learners that have changed since the shadow was begun. Removes these learners from the
    /// shadow.
    func forgetChanges(of learners: [Int64]) throws
    /// Keeps copies of an app's own store. Each copy replaces the copy of the same name.
    /// - Parameter copies: the copies by name; nil removes the copy.
    func remember(_ copies: [String: [UInt8]?], of learner: Int64) throws

    /// Writes notes about a learner. Each replaces the note of the same id.
    func write(_ notes: [NoteRecord], of learner: Int64) throws
    func deleteNotes(_ ids: [String], of learner: Int64) throws

    /// Keeps a refused line.
    /// - Parameter nextPiece: returns the next piece of the line's bytes, and nil at the end. All pieces are read.
    /// - Returns: the line's id in quarantine; nil if the line was not kept, for lack of space.
    @discardableResult
    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64?
    /// Deletes quarantined lines.
    /// - Parameter ids: nil for all lines, which only ``StoreAdministration`` may delete.
    func dropQuarantined(ids: [Int64]?) throws
    /// Sets a record of a service.
    /// - Parameter value: nil removes the record.
    func setServiceRecord(_ name: String, _ value: String?) throws

    /// Replaces stored events that contradict events of another learner, where the other learner's event is known to have
    /// arrived first. If one of the two events is in a block, or if the learners are in different partitions, the order
    /// of arrival is not known, and the stored event stays.
    /// - Parameters:
    ///   - learner: the learner of the stored events.
    ///   - rows: the contradicting rows of `table`, which are events of the learner `merged`.
    /// - Returns: the rows that are stored now, and the events that they replaced.
    func replaceLaterArrivals(
        of learner: Int64,
        by rows: [Int],
        of table: EventTable,
        from merged: Int64
    ) throws -> (rows: Set<Int>, replaced: EventTable)

    /// Adds a merge. Moves the merged learner's notes and kept copies to the other learner, and removes the merged
    /// learner. The caller has appended the merged learner's events to the other learner. The transaction must hold the
    /// partitions of both ids. Neither id may be merged yet.
    func merge(_ merge: MergeRecord) throws

    /// Removes all data of exactly this id: events, ids, notes, projections, snapshot, checkpoints, quarantined lines
    /// with that subject, and the merge of the id. When the write has returned, the files contain no trace of the id.
    /// - Returns: true if there was any data.
    @discardableResult
    func erase(subject: [UInt8]) throws -> Bool
}

/// A transaction that changes data of the whole store.
package protocol StoreAdministration: StoreTransaction {
    /// Applies rules. Rules without a first day replace all versions. Rules with a first day replace the versions that
    /// are in force from that day or later.
    func setRules(_ rules: RulesRecord) throws
    /// Withdraws the version that is in force from a day.
    func withdrawRules(from day: LocalDay) throws
    /// Records the version of the time zone data with which all progress is now computed.
    func setTimeZones(_ version: String) throws
    /// Records the ``StateFormat/version`` with which all progress is now computed.
    func setFoldVersion(_ version: UInt64) throws
    /// Deletes every learner's projection, snapshot and checkpoints. A replay that then writes all of them is faster.
    func dropDerivedState() throws
    /// Hides or shows the rows of some achievements, for all learners. Rows of learners who have unlocked the
    /// achievement are included.
    /// - Parameter hidden: for each achievement's id, true to hide its rows.
    func setHidden(_ hidden: [String: Bool]) throws
    /// Begins an empty shadow: projections and snapshots that no reader sees until all of them together replace the
    /// stored ones. From now on, learners that change are marked. Call it only within ``EventStore/withShadow(_:)``.
    func beginShadow() throws
    /// Replaces stored rows with the shadow's rows, and ends the shadow.
    func adoptShadow(_ extent: ShadowExtent) throws
    /// Marks all learners as touched, and makes the numbers of later commits greater than `last`. Numbers up to `last`
    /// belong to another store, with other answers. Must be the first call in its transaction.
    func numberCommits(above last: Int64) throws
}

extension StoreTransaction {
    package func dropCheckpoints(of learner: Int64, at points: [CheckpointPoint]) throws {
        try write(LearnerWrites(states: [(learner, .noCheckpoints(at: points))]))
    }

    package func remember(_ copy: RememberedCopy, of learner: Int64) throws {
        try remember([copy.name: copy.data], of: learner)
    }

    package func forgetCopies(named names: [String], of learner: Int64) throws {
        try remember(Dictionary(names.map { ($0, [UInt8]?.none) }) { first, _ in first }, of: learner)
    }

    @discardableResult
    package func quarantine(_ line: QuarantineRecord, bytes: [UInt8]) throws -> Int64? {
        var pieces = [bytes]
        return try quarantine(line) { pieces.popLast() }
    }
}

package enum ReplacedDays: Sendable {
    case all, listed
}

/// The target of projections and snapshots that are written.
package enum DerivedTarget: Sendable {
    case stored, shadow
}

/// The rows that are replaced when a shadow is published.
package enum ShadowExtent: Sendable {
    /// All rows.
    case everything
    /// The rows of learners in the shadow, except their days, which stay unchanged.
    case listedLearnersWithoutDays
}

/// The point of a learner's history at which a checkpoint was made.
package struct CheckpointPoint: Sendable, Equatable {
    /// The time of the last folded event, in milliseconds since 1970.
    package var milliseconds: Int64
    /// The number of events folded until then, without void ones.
    package var events: Int

    package init(milliseconds: Int64, events: Int) {
        self.milliseconds = milliseconds
        self.events = events
    }
}

/// The kept states of a learner from which later folds can start.
package struct StoredStates: Sendable {
    /// The requested snapshot or checkpoint; nil if there is none.
    package var state: [UInt8]?
    /// The points of the checkpoints, ascending.
    package var points: [CheckpointPoint] = []
}

/// A snapshot of an earlier point of a learner's history.
package struct Checkpoint: Sendable {
    package var point: CheckpointPoint
    package var snapshot: [UInt8]

    package init(point: CheckpointPoint, snapshot: [UInt8]) {
        self.point = point
        self.snapshot = snapshot
    }
}
