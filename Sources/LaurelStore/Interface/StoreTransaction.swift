// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// A store that is being changed; it reads what it has written.
package protocol StoreTransaction: StoreReader {
    /// Of each partition that the transaction has to itself, ascending.
    var versions: [VersionStep] { get }

    /// The learners' ids, made where there are none.
    func learnerIDs(for subjects: [[UInt8]]) throws -> [Int64]

    /// Stores events. Every identity (learner, source, id) is stored once: the first to arrive stays.
    ///
    /// - Parameter groups: at most one per learner; the learner's rows of the table, in the order in which they arrived.
    /// - Complexity: independent of how much the learners have stored, save for duplicates and conflicts.
    func append(_ table: EventTable, groups: [LearnerRows]) throws -> AppendResult

    /// Writes what an update of learners leaves beside their events: of learners of one partition, or, in a transaction that has dropped
    /// all that was derived, of any.
    func write(_ changes: LearnerWrites) throws
    /// Forgets that learners have changed up to now, and what is in the shadow of them.
    func forgetChanges(of learners: [Int64]) throws
    /// Keeps copies of an app's own store, each in place of the one of the same name; nil removes one.
    /// - Parameter copies: by name.
    func remember(_ copies: [String: [UInt8]?], of learner: Int64) throws

    /// Keeps a refused line.
    /// - Parameter nextPiece: gives the line's bytes, piece after piece, then nil; it is asked for all of them.
    /// - Returns: its id in quarantine; nil where there is no room for it: it is not kept.
    @discardableResult
    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64?
    /// - Parameter ids: nil for all lines, which is ``StoreAdministration``'s.
    func dropQuarantined(ids: [Int64]?) throws
    /// - Parameter value: nil removes it.
    func setServiceRecord(_ name: String, _ value: String?) throws

    /// Removes all there is of a learner: events, ids, projections, snapshot, checkpoints, and quarantined lines with that subject.
    /// No trace is left in the files once the write has returned.
    /// - Returns: whether there was anything.
    @discardableResult
    func erase(subject: [UInt8]) throws -> Bool
}

/// A store that is being changed as a whole.
package protocol StoreAdministration: StoreTransaction {
    /// Applies rules. Without a day they replace all versions; from a day on, those that are in force from it or later.
    func setRules(_ rules: RulesRecord) throws
    /// Takes back the version that is in force from a day.
    func withdrawRules(from day: LocalDay) throws
    /// Notes with which version of the time zone data all progress is computed now.
    func setTimeZones(_ version: String) throws
    /// Notes with which ``StateFormat/version`` all progress is computed now.
    func setFoldVersion(_ version: UInt64) throws
    /// Drops every learner's projection, snapshot and checkpoints: a replay that writes them all anew is faster after this.
    func dropDerivedState() throws
    /// Sets whether learners' unlocked and locked achievements of these ids are hidden.
    func setHidden(_ hidden: [String: Bool]) throws
    /// Makes an empty shadow: a place for projections and snapshots that nobody reads, to become the store's at once.
    /// From now on it is noted which learners change. Only within ``EventStore/withShadow(_:)``.
    func beginShadow() throws
    /// Puts the shadow in the place of what is stored, and ends it.
    func adoptShadow(_ extent: ShadowExtent) throws
    /// Touches everybody, and numbers commits above this from now on: numbers up to it are another store's, whose answers are not this
    /// one's. Before anything else in its transaction.
    func numberCommits(above last: Int64) throws
}

extension StoreTransaction {
    package func dropCheckpoints(of learner: Int64, at places: [CheckpointPlace]) throws {
        try write(LearnerWrites(states: [(learner, .noCheckpoints(at: places))]))
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

/// Where projections and snapshots are put.
package enum DerivedPlace: Sendable {
    case stored, shadow
}

/// What of the store a shadow replaces.
package enum ShadowExtent: Sendable {
    /// Everything there is.
    case everything
    /// The learners that are in it, their days excepted, which stay as they are.
    case listedLearnersWithoutDays
}

/// Where in a learner's history a checkpoint is.
package struct CheckpointPlace: Sendable, Equatable {
    /// Of the last event folded, since 1970.
    package var milliseconds: Int64
    /// Folded until then, void ones excluded.
    package var events: Int

    package init(milliseconds: Int64, events: Int) {
        self.milliseconds = milliseconds
        self.events = events
    }
}

/// What is kept of a learner for later folds to begin with.
package struct StoredStates: Sendable {
    /// The snapshot or checkpoint that was asked for; nil where there is none.
    package var state: [UInt8]?
    /// Where checkpoints are, ascending.
    package var places: [CheckpointPlace] = []
}

/// A snapshot of an earlier point of a learner's history.
package struct Checkpoint: Sendable {
    package var place: CheckpointPlace
    package var snapshot: [UInt8]

    package init(place: CheckpointPlace, snapshot: [UInt8]) {
        self.place = place
        self.snapshot = snapshot
    }
}
