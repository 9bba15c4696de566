// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The tables of a backend, and typed operations on them. All logic is in ``StoreSession``, once for all backends.
///
/// One thread at a time uses a session, within a transaction that the backend began. Many operations accept many rows:
/// most look-ups of a batch are combined, so that a backend over a network needs few round trips. The operations make
/// no decisions, and do not depend on one another. A read sees what the same transaction has written before.
///
/// Ids of learners, blocks, generations and quarantined lines are unique in the whole store, and ascend within a
/// partition. ``Partition`` defines how ids of learners and lines contain the partition. A session reads all
/// partitions, and writes only those that it has locked.
protocol PartitionTables: AnyObject, LearnerTables, EventTables, IdentityTables, DerivedTables, ShadowTables,
    QuarantineTables,
    RecordTables, VerificationTables
{
    /// The store's name in error messages.
    var name: String { get }
    /// The number of partitions of the store.
    var partitionCount: Int { get }
    /// Bytes free where the store is; nil where that is not known.
    func freeBytes() -> Int64?
    /// Ends whatever statements are under way.
    func resetStatements()
    /// Frees what deletions have left, where it is more than one page in `share`.
    func releaseFreePages(above share: Int64) throws
}

/// The counters that a partition stores.
enum Counter: String {
    case tailEvents = "tail_events"
    case tailSequence = "tail_sequence"
    /// The number of the last generation.
    case generation
    case quarantineBytes = "quarantine_bytes"
}

// MARK: Learners

/// A learner's events that a commit has added, to be counted.
struct CountedEvents {
    var learner: Int64
    var events: Int
    /// The number of the commit, as counted in the learner's partition.
    var commit: Int64
}

/// The learners, and the number of events of each.
protocol LearnerTables {
    /// - Returns: for each that is asked for the learner; nil for those that are not there.
    func learners(_ names: LearnerNames) throws -> [LearnerRecord?]
    /// The ids of learners that satisfy a condition, ascending.
    func learners(where condition: LearnerCondition) throws -> [Int64]
    /// Makes learners, none of whom is there.
    /// - Returns: their ids.
    func addLearners(_ subjects: [[UInt8]]) throws -> [Int64]
    /// The least and the greatest id of each partition that has learners, ascending.
    func learnerRanges() throws -> [ClosedRange<Int64>]
    /// The first ids of a range that learners have, ascending.
    func learnerIDs(in ids: Range<Int64>, limit: Int) throws -> [Int64]
    /// Learners of a range of ids, ascending.
    /// - Parameter body: returns whether to go on.
    func forEachLearner(_ ids: Range<Int64>, _ body: (LearnerRecord) throws -> Bool) throws
    /// All learners in byte order of their subjects.
    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws
    /// Adds to the counts of learners, and notes the commits.
    func count(_ added: [CountedEvents]) throws
    /// The commit that touched a learner last, and ``ChangeLog/bytes`` of the learner's partition; nil for an unknown learner.
    func lastChange(of subject: [UInt8]) throws -> (commit: Int64, recent: [UInt8]?)?
    /// The greatest of these, of each of some partitions.
    func lastChanges(of partitions: [Int]) throws -> [Int64]
    /// Learners whom commits after some touched, in any order.
    /// - Parameter commits: of each partition.
    func learners(changedAfter commits: [Int64], limit: Int) throws -> [LearnerRecord]
    /// Deletes all rows of a learner but those of blocks and runs, in shadows, too, and the names that nobody's rows have any more.
    /// - Returns: how many events were in the tail.
    func deleteLearner(_ id: Int64) throws -> Int
    /// From now on no trace of what the transaction deletes from a partition may be left once it has ended.
    func deleteSecurely(in partition: Int) throws
}

// MARK: Events

/// Asks for learners' events of a span of time.
struct EventQuery {
    var learners: ClosedRange<Int64>
    var times: ClosedRange<Int64> = .min ... .max
}

/// A block to be stored, with the places of its learners' runs.
struct NewBlock {
    var data: [UInt8]
    var events: Int
    /// Their blocks are not known yet.
    var runs: [RunEntry]
}

/// An event of a small batch, as ``TailRecord`` encodes it.
struct TailRow {
    var key: TailRecord.Key
    var data: [UInt8]
}

/// Blocks and the runs in them, by generations, and the tail: the events of small batches.
protocol EventTables {
    /// The runs that overlap what some queries ask for, of each in the order of learners, then of first times, then of blocks.
    func runs(_ queries: [EventQuery]) throws -> [RunEntry]
    /// For each learner, the number of runs, and the number of events in them.
    func countRuns(of learners: [Int64]) throws -> [(runs: Int, events: Int)]
    /// Hands over blocks; those that are missing are left out.
    func forEachBlock(_ blocks: [Int64], _ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws
    /// Adds blocks to a generation, which is made where there is none, and counts their events and runs.
    func insert(_ blocks: [NewBlock], in generation: Int64) throws
    /// Deletes a block with its runs, and takes them and its events from the counts of its generation.
    /// - Returns: the generation.
    func delete(block: Int64, _ runs: [RunEntry], events: Int) throws -> Int64
    func delete(_ runs: [RunEntry]) throws
    /// Ascending.
    /// - Parameter partition: nil for all.
    func generations(of partition: Int?) throws -> [Generation]
    func blocks(of generations: [Int64]) throws -> Set<Int64>
    /// Deletes generations with their blocks.
    func deleteGenerations(_ generations: [Int64]) throws

    func append(_ rows: [TailRow]) throws
    /// The tail's events that some queries ask for, of each in the order of learners, times and arrival.
    func forEachTailRow(
        _ queries: [EventQuery],
        _ body: (TailRecord.Key, UnsafeRawBufferPointer) throws -> Void
    ) throws
    func emptyTail(of partition: Int) throws

    /// The time of a learner's latest event, in blocks or in the tail; nil if the learner has no events.
    func lastEventTime(of learner: Int64) throws -> Int64?
}

// MARK: Identities

/// Ids that count up, of one learner and one ``IdentityKey/family``.
struct IdentityFamily: Hashable, Comparable {
    var learner: Int64
    var number: Int64

    static func < (one: IdentityFamily, other: IdentityFamily) -> Bool {
        (one.learner, one.number) < (other.learner, other.number)
    }
}

/// A run of numbers of a family.
struct IdentityRun {
    var family: IdentityFamily
    var numbers: ClosedRange<Int64>
}

/// The hash of a learner's id that is not a counting number, as ``IdentityLeaf`` stores it.
struct IdentityHash: Hashable, Comparable {
    var learner: Int64
    var hash: Int64

    static func < (one: IdentityHash, other: IdentityHash) -> Bool {
        (one.learner, one.hash) < (other.learner, other.hash)
    }
}

/// Hashes of a learner's ids that do not count, packed: from `low` on, up to where the next leaf starts.
struct IdentityLeaf {
    var learner: Int64
    var low: Int64
    var data: [UInt8]
}

/// The ids that are already used: runs of the ids that count up, and leaves with the hashes of all other ids.
protocol IdentityTables {
    /// For each place the run of its family that begins at or before a number, and of these the last.
    func identityRuns(_ places: [(family: IdentityFamily, number: Int64)]) throws -> [ClosedRange<Int64>?]
    /// All runs of a learner, in the order of families and numbers.
    func forEachIdentityRun(of learner: Int64, _ body: (_ family: Int64, _ low: Int64, _ more: Int64) throws -> Void)
        throws
    /// In place of those of the same family that begin at the same number.
    func write(_ runs: [IdentityRun]) throws
    func delete(_ runs: [IdentityRun]) throws

    /// True if any learner has leaves.
    func hasIdentityLeaves() throws -> Bool
    /// For each learner, true if the learner has leaves.
    func hasIdentityLeaves(_ learners: [Int64]) throws -> [Bool]
    /// The leaves that some hashes belong to, each once and in the order of learners, and where the next one starts, `.max` after
    /// the last; none of a learner without leaves.
    /// - Parameter hashes: those of a learner together, ascending.
    func identityLeaves(_ hashes: [IdentityHash]) throws -> [(leaf: IdentityLeaf, end: Int64)]
    /// All leaves of a learner, ascending.
    func identityLeaves(of learner: Int64) throws -> [IdentityLeaf]
    /// In place of those that begin at the same hash.
    func write(_ leaves: [IdentityLeaf]) throws
    func deleteIdentityLeaves(of learners: [Int64]) throws
}
