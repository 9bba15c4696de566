// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelProgress
internal import Synchronization

/// Where events, and the progress that follows from them, are kept.
///
/// Events are the only truth; projections and snapshots are caches that the caller writes in the same transaction.
package protocol EventStore: AnyObject, Sendable {
    /// Runs `body` over one consistent state. Never waits for a writer, nor makes one wait.
    ///
    /// The reader is for the calling thread and for the time of `body` only.
    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T

    /// Runs `body` over one consistent state that several threads may read at once.
    /// - Throws: ``StoreError`` of code `busy` where the store never rests long enough for all of them to find the same one.
    func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T

    /// Runs `body` alone, all or nothing: what it wrote is durable when this returns, and gone where it throws.
    /// - Throws: ``StoreError``, or what `body` threw.
    func write<T>(_ body: (any StoreTransaction) throws -> T) throws -> T

    /// Runs `body` as the only one, among all processes, that may build a shadow. What it leaves of one is gone
    /// afterwards, in writes of bounded length; had the process ended before, later writes would do it.
    /// - Throws: ``StoreError`` of code `busy` where another is at it, or what `body` threw.
    func withShadow<T>(_ body: () throws -> T) throws -> T

    /// To be filled on any thread, and written by ``StoreTransaction/project(_:)``.
    func newBatch() -> any ProjectionBatch

    /// The state that the store is in, as ``StoreTransaction/versions`` name it: what is read while it stays the same is of it.
    /// nil where it is not known yet.
    /// - Complexity: some microseconds.
    func version() throws -> StoreVersion?

    /// Told of every ``write(_:)`` of this store, in this process.
    var commits: CommitSignal { get }
    func newProbe() throws -> any CommitProbe

    /// Gives back what is only kept to be faster the next time.
    func giveBackMemory()
    /// Closes the files, which the next call opens again. Also done when the last reference goes.
    func close()
}

/// One consistent state of a store, for several threads, and for the time of the call that gave it.
package protocol StoreState: AnyObject, Sendable {
    /// As ``EventStore/read(_:)``, of this state. More threads than there are processors wait for one another; a body may
    /// wait for others that read, but not read again itself.
    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T
}

/// Projections gathered to be written at one go: whoever fills it does most of the work of writing. Used by one thread at a
/// time.
package protocol ProjectionBatch: AnyObject, Sendable {
    /// In place of all that is stored of a learner, days included.
    /// - Parameter learner: once, and above those before.
    func append(_ projection: LearnerProjection, of learner: Int64)
    /// What has changed, where it is known what is stored: the days that the tracks list are replaced, and what stays as it was is
    /// not written.
    /// - Parameters:
    ///   - old: what is stored, of the days some or none.
    ///   - learner: once, and above those before.
    func append(_ projection: LearnerProjection, replacing old: LearnerProjection, of learner: Int64)
    /// Keeps its memory.
    func removeAll()
}

/// One consistent state of a store.
package protocol StoreReader: AnyObject {
    func learner(named subject: [UInt8]) throws -> LearnerRecord?
    func learner(_ id: Int64) throws -> LearnerRecord?
    /// All learners' ids, ascending, lie in this range.
    func learnerIDs() throws -> Range<Int64>
    /// Every learner, in byte order of the subjects.
    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws

    /// The stored events of a learner with `since` ≤ time ≤ `until`: runs, each in the learner's order. Runs may overlap
    /// in time, and may hold events outside the bounds, which serve to leave out whole runs.
    func events(of learner: Int64, since: Int64?, until: Int64?, fields: FieldSelection) throws -> [EventRun]
    /// Every learner of a range of ids, ascending, with all their events as of ``events(of:since:until:fields:)``.
    /// - Parameter limit: learners with more events are given without any, to be read with ``forEachStretch(of:fields:types:_:)``.
    /// - Complexity: memory for about 250 000 events, or those of the learner with the most up to the limit.
    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        upTo limit: Int,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws
    /// All events of a learner, stretch after stretch of their history: no event of one comes before any of the one before.
    /// - Parameter types: where only events of these are wanted; others may be among them.
    /// - Complexity: memory for some blocks, where few of them overlap in time.
    func forEachStretch(
        of learner: Int64,
        fields: FieldSelection,
        types: [String]?,
        _ body: ([EventRun]) throws -> Void
    ) throws

    /// The time of the learner's last event, in milliseconds since 1970.
    func lastEventTime(of learner: Int64) throws -> Int64?

    /// The latest one.
    func snapshot(of learner: Int64) throws -> [UInt8]?
    /// The latest checkpoint before an instant, the snapshot not among them.
    func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> [UInt8]?
    /// Where the learner's checkpoints are, ascending.
    func checkpoints(of learner: Int64) throws -> [CheckpointPlace]
    /// What was projected, ``LearnerProjection/normalised``.
    /// - Parameter withDays: without them it takes no longer for a learner of many days.
    func projection(of learner: Int64, withDays: Bool) throws -> LearnerProjection?
    /// What is remembered of copies of apps' own stores, by name in byte order.
    func copies(of learner: Int64) throws -> [RememberedCopy]
    /// Every learner's headline numbers, in byte order of the subjects.
    /// - Parameter language: nil for the overall track; else only learners who have that one, and their numbers in it.
    func forEachOverview(language: String?, _ body: (OverviewRecord) throws -> Void) throws
    /// The languages of every learner's tracks, in any order.
    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws
    func overview(of learner: Int64) throws -> OverviewRecord?

    /// The projected XP of every learner who has that track, in any order.
    /// - Parameters:
    ///   - language: nil for the overall track.
    ///   - days: only XP of these local days; nil for all.
    ///   - cohort: only learners of this one; nil for all.
    /// - Complexity: O(learners · log days), and the days asked for.
    func forEachXP(
        language: String?,
        days: ClosedRange<LocalDay>?,
        cohort: String?,
        _ body: (_ learner: Int64, _ xp: Double) throws -> Void
    ) throws

    /// The ids of learners who have events after an instant, ascending.
    func learners(withEventsAfter instant: Int64) throws -> [Int64]

    /// The versions of the rules, ascending by the day from which each is in force; the first has none. Empty where the
    /// store was given no rules yet.
    func rules() throws -> [RulesRecord]
    /// Their ``RulesKey`` alone; nil where there are none.
    func rulesKey() throws -> String?
    /// Every rules version that was applied, oldest first.
    func rulesHistory() throws -> [RulesRecord]

    /// Whom the commits after one touched; everybody where there has been no such commit, or one touched everybody since.
    /// - Parameter limit: more learners than these are given as everybody.
    /// - Complexity: O(learners touched) for the latest commits, some hundred small ones; else O(learners).
    func changes(since commit: Int64, limit: Int) throws -> StoreChanges

    /// When a learner, and when everybody, was touched last; nil for an unknown learner, and where the store does not tell.
    /// - Complexity: O(log learners).
    func version(ofLearner subject: [UInt8]) throws -> LearnerVersion?

    /// What a service over the store keeps in it, by name.
    /// - Parameters:
    ///   - prefix: of the names that are asked for.
    ///   - end: only those whose names come before this one in byte order, the prefix included; nil for all.
    ///   - limit: the first ones in byte order.
    func serviceRecords(prefix: String, before end: String?, limit: Int) throws -> [String: String]

    /// With which time zone data all of the progress was computed; nil where that is not known.
    func timeZones() throws -> String?
    /// ``StateFormat/version`` of the fold that computed what is projected; 0 where none has said so.
    func foldVersion() throws -> UInt64

    /// Quarantined lines by ascending id, without their bytes.
    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord]
    /// A quarantined line's bytes, in pieces of at most 1 MiB.
    func forEachPiece(ofQuarantined id: Int64, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws
    func quarantineCounts() throws -> [ReasonCount]
    /// How many quarantined lines could not be read as far as whose they are.
    func quarantinedOfNobody() throws -> Int

    func statistics() throws -> StoreStatistics
    /// Checks everything that can be checked without the rules.
    /// - Parameter progress: told after each block how many of how many are done.
    func verify(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> [StoreProblem]
    /// What is no damage, but should be known by whoever checks the store.
    func remarks() throws -> [String]
    /// Hands over every event that is sound, in no order, whatever else of the store is damaged.
    /// - Complexity: memory for every learner's name.
    func salvage(_ body: (LearnerRecord, EventRun) throws -> Void) throws -> Salvage
}

extension StoreReader {
    package func forEachOverview(_ body: (OverviewRecord) throws -> Void) throws {
        try forEachOverview(language: nil, body)
    }

    package func projection(of learner: Int64) throws -> LearnerProjection? {
        try projection(of: learner, withDays: true)
    }

    package func serviceRecords(prefix: String) throws -> [String: String] {
        try serviceRecords(prefix: prefix, before: nil, limit: .max)
    }

    package func serviceRecord(_ name: String) throws -> String? {
        try serviceRecords(prefix: name, before: nil, limit: 1)[name]
    }

    package func events(of learner: Int64) throws -> [EventRun] {
        try events(of: learner, since: nil, until: nil, fields: .all)
    }

    package func forEachStretch(
        of learner: Int64,
        fields: FieldSelection,
        _ body: ([EventRun]) throws -> Void
    ) throws {
        try forEachStretch(of: learner, fields: fields, types: nil, body)
    }

    package func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        try forEachLearner(ids: ids, fields: fields, upTo: .max, body)
    }

    package func forEachLearner(ids: Range<Int64>, _ body: (LearnerRecord, [EventRun]) throws -> Void) throws {
        try forEachLearner(ids: ids, fields: .all, body)
    }
}

/// A store that is being changed; it reads what it has written.
package protocol StoreTransaction: StoreReader {
    /// The state that the transaction began with, and the one that it leaves.
    var versions: (before: StoreVersion, after: StoreVersion) { get }

    /// The learners' ids, made where there are none.
    func learnerIDs(for subjects: [[UInt8]]) throws -> [Int64]

    /// Stores events. Every identity (learner, source, id) is stored once: the first to arrive stays.
    ///
    /// - Parameter groups: at most one per learner; the learner's rows of the table, in the order in which they arrived.
    /// - Complexity: independent of how much the learners have stored, save for duplicates and conflicts.
    func append(_ table: EventTable, groups: [LearnerRows]) throws -> AppendResult

    /// Replaces a learner's projection.
    /// - Parameter days: `.all` replaces the learner's days; `.listed` only those that the tracks list, all others stay.
    func project(_ projection: LearnerProjection, of learner: Int64, days: ReplacedDays, in place: DerivedPlace) throws
    /// Replaces the projections of a batch's learners.
    /// - Parameter batch: Of this store. It is used up, until it is emptied.
    func project(_ batch: any ProjectionBatch) throws
    /// nil removes it.
    func saveSnapshot(_ snapshot: [UInt8]?, of learner: Int64, in place: DerivedPlace) throws
    /// Keeps a snapshot of an earlier point of the learner's history, in place of one at that instant.
    func saveCheckpoint(_ checkpoint: Checkpoint, of learner: Int64, in place: DerivedPlace) throws
    /// Makes a checkpoint of the snapshot, which then need not be packed again.
    func saveSnapshotAsCheckpoint(of learner: Int64, at place: CheckpointPlace) throws
    func dropCheckpoints(of learner: Int64, at places: [CheckpointPlace]) throws
    /// Drops every learner's projection, snapshot and checkpoints: a replay that writes them all anew is faster after this.
    func dropDerivedState() throws

    /// Remembers a copy of an app's own store, in place of one of the same name.
    func remember(_ copy: RememberedCopy, of learner: Int64) throws
    func forgetCopies(named names: [String], of learner: Int64) throws

    /// Whether learners' unlocked and locked achievements of these ids are hidden.
    func setHidden(_ hidden: [String: Bool]) throws

    /// Makes an empty shadow: a place for projections and snapshots that nobody reads, to become the store's at once.
    /// From now on it is noted which learners change. Only within ``EventStore/withShadow(_:)``.
    func beginShadow() throws
    /// The learners whose events have changed since the shadow was begun, ascending, erased ones included.
    func changedLearners() throws -> [Int64]
    /// Forgets that these have changed up to now; nothing of theirs is in the shadow any more.
    func forgetChanges(of learners: [Int64]) throws
    /// Learners who have a snapshot, or a row of one of these achievements, ascending.
    func learners(withSnapshotOrProgressIn achievements: [String]) throws -> [Int64]
    /// The shadow takes the place of what is stored, and is no more.
    func adoptShadow(_ extent: ShadowExtent) throws

    /// Keeps a refused line.
    /// - Parameter nextPiece: gives the line's bytes, piece after piece, then nil; it is asked for all of them.
    /// - Returns: its id in quarantine; nil where there is no room for it: it is not kept.
    @discardableResult
    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64?
    func dropQuarantined(ids: [Int64]) throws
    func dropAllQuarantined() throws

    /// Applies rules. Without a day they replace all versions; from a day on, those that are in force from it or later.
    func setRules(_ rules: RulesRecord) throws
    /// Takes back the version that is in force from a day.
    func withdrawRules(from day: LocalDay) throws
    /// - Parameter version: of the data with which all progress is computed now.
    func setTimeZones(_ version: String) throws
    func setFoldVersion(_ version: UInt64) throws
    /// - Parameter value: nil removes it.
    func setServiceRecord(_ name: String, _ value: String?) throws

    /// Removes all there is of a learner: events, ids, projections, snapshot, checkpoints, and quarantined lines with that subject.
    /// No trace is left in the files once the write has returned.
    /// - Returns: whether there was anything.
    @discardableResult
    func erase(subject: [UInt8]) throws -> Bool
}

extension StoreTransaction {
    package func learnerID(for subject: [UInt8]) throws -> Int64 { try learnerIDs(for: [subject])[0] }

    package func project(_ projection: LearnerProjection, of learner: Int64, days: ReplacedDays) throws {
        try project(projection, of: learner, days: days, in: .stored)
    }

    package func saveSnapshot(_ snapshot: [UInt8]?, of learner: Int64) throws {
        try saveSnapshot(snapshot, of: learner, in: .stored)
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

/// A state of a store: equal to another only where nothing at all was written in between, by whichever process.
package struct StoreVersion: Sendable, Equatable {
    /// Changes with what others write.
    let others: Int64
    /// The write that left the state.
    let write: Int64

    private static let lastWrite = Atomic<Int64>(0)

    /// The number of a write, of all writes in this process.
    static func newWrite() -> Int64 { lastWrite.add(1, ordering: .relaxed).newValue }
}

/// The numbers of the last commits that touched a learner: while they stay, so does what the learner's events give.
package struct LearnerVersion: Sendable, Hashable {
    package var learner: Int64
    package var everybody: Int64
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

/// A snapshot of an earlier point of a learner's history.
package struct Checkpoint: Sendable {
    package var place: CheckpointPlace
    package var snapshot: [UInt8]

    package init(place: CheckpointPlace, snapshot: [UInt8]) {
        self.place = place
        self.snapshot = snapshot
    }
}
