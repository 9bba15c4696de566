// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The tables of a backend, and typed operations on them. All logic is in ``StoreSession``, once for all backends.
///
/// One thread at a time uses a session, within a transaction that the backend began. Most operations take many rows, so
/// that a backend over a network needs few round trips. The operations make no decisions, and do not depend on one
/// another. A read sees the earlier writes of the same transaction.
///
/// Ids of learners, blocks, generations and quarantined lines are unique in the whole store, and ascend within a
/// partition. ``Partition`` defines how ids of learners and lines contain the partition. A session reads all
/// partitions, and writes only those that it has locked.
protocol PartitionTables: AnyObject, LearnerTables, EventTables, IdentityTables, DerivedTables, ShadowTables,
    QuarantineTables,
    RecordTables, MergeTables, VerificationTables
{
    /// The store's name in error messages.
    var name: String { get }
    /// The number of partitions of the store.
    var partitionCount: Int { get }
    /// The free bytes on the store's disk; nil if unknown.
    func freeBytes() -> Int64?
    /// Ends all running statements.
    func resetStatements()
    /// Releases the space of deleted rows if more than one page in `share` is free.
    func releaseFreePages(above share: Int64) throws
}

/// The counters that a partition stores.
enum Counter: String {
    case tailEvents = "tail_events"
    case tailSequence = "tail_sequence"
    /// The number of the latest generation.
    case generation
    case quarantineBytes = "quarantine_bytes"
}

// MARK: Learners

/// The number of a learner's events that a commit adds.
struct CountedEvents {
    var learner: Int64
    var events: Int
    /// The number of the commit, as counted in the learner's partition.
    var commit: Int64
}

/// The learners, and the number of events of each.
protocol LearnerTables {
    /// The learner for each name or id; nil if there is no such learner.
    func learners(_ names: LearnerNames) throws -> [LearnerRecord?]
    /// The ids of learners that satisfy a condition, ascending.
    func learners(where condition: LearnerCondition) throws -> [Int64]
    /// Adds learners. None of them may exist yet.
    /// - Returns: their ids.
    func addLearners(_ subjects: [[UInt8]]) throws -> [Int64]
    /// The lowest and the highest learner id of each partition that has learners, ascending.
    func learnerRanges() throws -> [ClosedRange<Int64>]
    /// The first `limit` learner ids in a range, ascending.
    func learnerIDs(in ids: Range<Int64>, limit: Int) throws -> [Int64]
    /// Calls `body` for each learner with an id in a range, ascending.
    /// - Parameter body: returns false to stop.
    func forEachLearner(_ ids: Range<Int64>, _ body: (LearnerRecord) throws -> Bool) throws
    /// Calls `body` for each learner, in byte order of their subjects.
    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws
    /// Adds to learners' event counts, and stores the numbers of the commits.
    func count(_ added: [CountedEvents]) throws
    /// The number of the last commit that changed a learner, and ``ChangeLog/bytes`` of the learner's partition; nil
    /// for an unknown learner.
    func lastChange(of subject: [UInt8]) throws -> (commit: Int64, recent: [UInt8]?)?
    /// For each partition, the number of the last commit that changed a learner.
    func lastChanges(of partitions: [Int]) throws -> [Int64]
    /// At most `limit` learners whose last change is later than a commit, in any order.
    /// - Parameter commits: for each partition, the number of the commit.
    func learners(changedAfter commits: [Int64], limit: Int) throws -> [LearnerRecord]
    /// Deletes all rows of a learner, also in shadows, except blocks and runs.
    /// - Parameter keepsNames: false to delete also the names that no row uses any more. In SQLite, that reads all rows of
    ///   progress.
    /// - Returns: the number of events deleted from the tail.
    func deleteLearner(_ id: Int64, keepsNames: Bool) throws -> Int
    /// Ensures that rows leave no trace if the transaction deletes them from the partition after this call.
    func deleteSecurely(in partition: Int) throws
}

// MARK: Events

/// A query for the events of a range of learners in a span of time.
struct EventQuery {
    var learners: ClosedRange<Int64>
    var times: ClosedRange<Int64> = .min ... .max
}

/// A block to store, with its learners' runs.
struct NewBlock {
    var data: [UInt8]
    var events: Int
    /// The runs, whose block ids are not known yet.
    var runs: [RunEntry]
}

/// An event of a small batch, as ``TailRecord`` encodes it.
struct TailRow {
    var key: TailRecord.Key
    var data: [UInt8]
}

/// Blocks and the runs in them, by generation, and the tail, which contains the events of small batches.
protocol EventTables {
    /// The runs that match each query, sorted by learner, then by first time, then by block.
    func runs(_ queries: [EventQuery]) throws -> [RunEntry]
    /// For each learner, the number of runs, and the number of events in them.
    func countRuns(of learners: [Int64]) throws -> [(runs: Int, events: Int)]
    /// Calls `body` for each block. Missing blocks are skipped.
    func forEachBlock(_ blocks: [Int64], _ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws
    /// Adds blocks to a generation, which is created if it does not exist, and updates its counts of events and runs.
    func insert(_ blocks: [NewBlock], in generation: Int64) throws
    /// Deletes a block with its runs, and subtracts the runs and events from the counts of its generation.
    /// - Returns: the generation.
    func delete(block: Int64, _ runs: [RunEntry], events: Int) throws -> Int64
    func delete(_ runs: [RunEntry]) throws
    /// The generations of a partition, ascending.
    /// - Parameter partition: nil for all partitions.
    func generations(of partition: Int?) throws -> [Generation]
    func blocks(of generations: [Int64]) throws -> Set<Int64>
    /// Deletes generations and their blocks.
    func deleteGenerations(_ generations: [Int64]) throws

    func append(_ rows: [TailRow]) throws
    /// Calls `body` for the tail's events that match each query, sorted by learner, then by time, then by arrival.
    func forEachTailRow(
        _ queries: [EventQuery],
        _ body: (TailRecord.Key, UnsafeRawBufferPointer) throws -> Void
    ) throws
    func deleteTail(_ keys: [TailRecord.Key]) throws
    func emptyTail(of partition: Int) throws

    /// The time of a learner's latest event, in blocks or in the tail; nil if the learner has no events.
    func lastEventTime(of learner: Int64) throws -> Int64?
}

// MARK: Identities

/// A family of a learner's event ids that count up, such as `a-1` and `a-2`; see ``IdentityKey``.
struct IdentityFamily: Hashable, Comparable {
    var learner: Int64
    var number: Int64

    static func < (one: IdentityFamily, other: IdentityFamily) -> Bool {
        (one.learner, one.number) < (other.learner, other.number)
    }
}

/// A range of used numbers in a family.
struct IdentityRun {
    var family: IdentityFamily
    var numbers: ClosedRange<Int64>
}

/// The hash of an event id of a learner, as ``IdentityLeaf`` stores it. Only ids that do not count up have a hash.
struct IdentityHash: Hashable, Comparable {
    var learner: Int64
    var hash: Int64

    static func < (one: IdentityHash, other: IdentityHash) -> Bool {
        (one.learner, one.hash) < (other.learner, other.hash)
    }
}

/// The packed hashes of a learner's event ids that do not count up, from `low` up to the `low` of the next leaf.
struct IdentityLeaf {
    var learner: Int64
    var low: Int64
    var data: [UInt8]
}

/// The event ids that are already used. Ids that count up are stored as runs. All other ids are stored as hashes in
/// leaves.
protocol IdentityTables {
    /// For each family and number, the last run of the family that begins at or before the number; nil if there is
    /// none.
    func identityRuns(_ positions: [(family: IdentityFamily, number: Int64)]) throws -> [ClosedRange<Int64>?]
    /// Calls `body` for each run of a learner, in the order of families and numbers.
    func forEachIdentityRun(of learner: Int64, _ body: (_ family: Int64, _ low: Int64, _ more: Int64) throws -> Void)
        throws
    /// Writes runs, and replaces runs of the same family that begin at the same number.
    func write(_ runs: [IdentityRun]) throws
    func delete(_ runs: [IdentityRun]) throws

    /// True if any learner has leaves.
    func hasIdentityLeaves() throws -> Bool
    /// Returns for each learner, in the given order, true if rows of ``IdentityLeaf`` exist.
    func hasIdentityLeaves(_ learners: [Int64]) throws -> [Bool]
    /// The leaves whose ranges contain the given hashes, in the order of learners. Each leaf is returned once. `end` is
    /// the `low` of the next leaf, or `.max` after the learner's last leaf. Learners without leaves are skipped.
    /// - Parameter hashes: grouped by learner, ascending.
    func identityLeaves(_ hashes: [IdentityHash]) throws -> [(leaf: IdentityLeaf, end: Int64)]
    /// All leaves of a learner, ascending.
    func identityLeaves(of learner: Int64) throws -> [IdentityLeaf]
    /// Writes leaves, and replaces leaves of the same learner that begin at the same hash.
    func write(_ leaves: [IdentityLeaf]) throws
    func deleteIdentityLeaves(of learners: [Int64]) throws
}
