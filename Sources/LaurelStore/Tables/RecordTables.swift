// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Lines that were refused, and their bytes in pieces.
protocol QuarantineTables {
    /// - Returns: its id.
    func insert(_ line: QuarantineRecord, in partition: Int) throws -> Int64
    /// Appends a piece of a line's bytes, packed.
    /// - Parameter size: unpacked.
    func insert(_ piece: [UInt8], line: Int64, number: Int, size: Int) throws
    /// Says how long a line is, and what it takes in the store.
    func setSize(ofQuarantined id: Int64, bytes: Int, stored: Int64) throws
    /// The total number of bytes that lines use in the store.
    /// - Parameter ids: the lines; nil for all.
    func stored(ofQuarantined ids: [Int64]?) throws -> Int64
    /// Deletes lines with their pieces.
    /// - Parameter ids: nil for all.
    func deleteQuarantined(_ ids: [Int64]?) throws
    /// The lines that name a subject.
    func quarantined(of subject: [UInt8]) throws -> [Int64]
    /// Without their bytes, ascending.
    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord]
    /// - Parameter body: given each piece, its number and its size unpacked; nil where it is not packed.
    func forEachPiece(ofQuarantined id: Int64, _ body: ([UInt8], _ number: Int, _ size: Int?) throws -> Void) throws
    func countQuarantined() throws -> [(count: ReasonCount, withoutSubject: Int)]
}

/// Rules, settings, counters, and what is remembered of copies.
protocol RecordTables {
    /// - Parameter partition: one that the session writes; nil for the sum of all.
    func counter(_ counter: Counter, of partition: Int?) throws -> Int64
    func setCounter(_ counter: Counter, of partition: Int, _ value: Int64) throws
    /// ``StateFormat/version`` of the fold that computed what is stored; 0 where none is noted.
    func foldVersion() throws -> Int64
    func setFoldVersion(_ version: Int64) throws
    /// ``ChangeLog/bytes`` of each partition; nil where none are stored.
    func recentChanges() throws -> [[UInt8]?]
    /// ``ChangeLog/bytes`` of a partition that the session writes; nil if none are stored.
    func recentChanges(of partition: Int) throws -> [UInt8]?
    func setRecentChanges(of partition: Int, _ bytes: [UInt8]) throws

    /// As ``StoreReader/rules()``.
    func rules() throws -> [RulesRecord]
    func rulesHistory() throws -> [RulesRecord]
    /// The rules versions in force, without their sources.
    func rulesInForce() throws -> [(hash: String, from: LocalDay?)]
    /// Adds a version to those in force, in place of all, or of those from its day on.
    func insert(_ rules: RulesRecord) throws
    func withdrawRules(from day: LocalDay) throws

    /// The settings whose names begin with a prefix, in byte order.
    func settings(
        prefix: String,
        before end: String?,
        limit: Int,
        side: RecordSide
    ) throws -> [(name: String, value: String)]
    /// nil removes it.
    func setSetting(_ name: String, _ value: String?) throws

    /// Calls `body` for each remembered copy, in the order of learners, then of names in byte order.
    /// - Parameter learner: nil for all learners.
    func forEachCopy(of learner: Int64?, _ body: (_ learner: Int64, _ copy: RememberedCopy) throws -> Void) throws
    /// In place of those of the same names; nil deletes one.
    func write(_ copies: [(name: String, data: [UInt8]?)], of learner: Int64) throws
}

/// Problems of a backend's own storage, beneath the tables, and remarks on facts that are no damage but that an
/// operator should know. Each is a sentence.
struct StorageFindings {
    var problems: [String] = []
    var remarks: [String] = []
}

/// Operations that only a check of the whole store needs.
protocol VerificationTables {
    func statistics() throws -> StoreStatistics
    func storageFindings() throws -> StorageFindings
    /// Ascending, with what is counted of each.
    func forEachBlock(_ body: (_ block: Int64, _ events: Int) throws -> Void) throws
    /// The blocks that runs name: one for each run.
    func forEachListedBlock(_ body: (Int64) throws -> Void) throws
    /// Generations whose events are not those of their blocks.
    func wrongGenerations() throws -> Int
    /// Tables that have rows of learners who are not there, with these, ascending in each table.
    func strays() throws -> [(table: String, learner: Int64)]
    func countTail() throws -> Int64
    /// Lines that pieces belong to and that are not there, ascending.
    func orphanedQuarantinePieces() throws -> [Int64]
    /// Ascending.
    func quarantinedLines() throws -> [Int64]
    /// All snapshots and checkpoints.
    func forEachKeptState(_ body: (StoredFoldState) throws -> Void) throws

    /// Runs a function that reads. What is read afterwards does not suffer from damage that it meets.
    /// - Returns: nil if what it reads is damaged.
    func ifReadable<T>(_ body: () throws -> T) throws -> T?
    /// Learners as far as they can be read: from wherever their names are. A count that is lost is nil.
    func readableLearners() throws -> [(id: Int64, subject: [UInt8], events: Int?)]
    /// Blocks, and learners of the tail, that are named anywhere.
    func readableReferences() throws -> (blocks: Set<Int64>, learners: Set<Int64>)
    /// A learner's rows of the tail, as far as they can be read, some perhaps twice.
    func readableTailRows(of learner: Int64) throws -> [TailRow]
}
