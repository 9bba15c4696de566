// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Refused lines, and the pieces of their bytes.
protocol QuarantineTables {
    /// Adds a line without its bytes.
    /// - Returns: the line's id.
    func insert(_ line: QuarantineRecord, in partition: Int) throws -> Int64
    /// Appends a packed piece of a line's bytes.
    /// - Parameter size: the unpacked size, in bytes.
    func insert(_ piece: [UInt8], line: Int64, number: Int, size: Int) throws
    /// Stores a line's length, and the number of bytes that it uses in the store.
    func setSize(ofQuarantined id: Int64, bytes: Int, stored: Int64) throws
    /// The total number of bytes that lines use in the store.
    /// - Parameter ids: the lines; nil for all.
    func stored(ofQuarantined ids: [Int64]?) throws -> Int64
    /// Deletes lines and their pieces.
    /// - Parameter ids: nil for all lines.
    func deleteQuarantined(_ ids: [Int64]?) throws
    /// The lines that name a subject.
    func quarantined(of subject: [UInt8]) throws -> [Int64]
    /// At most `limit` lines with higher ids than `id`, ascending, without their bytes.
    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord]
    /// Calls `body` for each piece of a line's bytes.
    /// - Parameter body: receives the piece, its number and its unpacked size; the size is nil if the piece is not
    ///   packed.
    func forEachPiece(ofQuarantined id: Int64, _ body: ([UInt8], _ number: Int, _ size: Int?) throws -> Void) throws
    func countQuarantined() throws -> [(count: ReasonCount, withoutSubject: Int)]
    func quarantineMessages(for reason: String, limit: Int) throws -> [MessageCount]
}

/// Rules, settings, counters, kept copies of apps' stores, and notes.
protocol RecordTables {
    /// The value of a counter.
    /// - Parameter partition: a partition that the session writes to; nil for the sum over all partitions.
    func counter(_ counter: Counter, of partition: Int?) throws -> Int64
    func setCounter(_ counter: Counter, of partition: Int, _ value: Int64) throws
    /// The ``StateFormat/version`` of the program code that computed the stored states; 0 if none is stored.
    func foldVersion() throws -> Int64
    func setFoldVersion(_ version: Int64) throws
    /// ``ChangeLog/bytes`` of each partition; nil if none are stored.
    func recentChanges() throws -> [[UInt8]?]
    /// ``ChangeLog/bytes`` of a partition that the session writes; nil if none are stored.
    func recentChanges(of partition: Int) throws -> [UInt8]?
    func setRecentChanges(of partition: Int, _ bytes: [UInt8]) throws

    /// Does the same as ``StoreReader/rules()``.
    func rules() throws -> [RulesRecord]
    func rulesHistory() throws -> [RulesRecord]
    /// The rules versions in force, without their sources.
    func rulesInForce() throws -> [(hash: String, from: LocalDay?)]
    /// Adds a version of the rules. It replaces the versions in force from its day on, or all versions if it has no
    /// day.
    func insert(_ rules: RulesRecord) throws
    func withdrawRules(from day: LocalDay) throws

    /// The settings whose names begin with a prefix, in byte order.
    func settings(
        prefix: String,
        before end: String?,
        limit: Int,
        side: RecordSide
    ) throws -> [(name: String, value: String)]
    /// Stores a setting.
    /// - Parameter value: nil deletes the setting.
    func setSetting(_ name: String, _ value: String?) throws

    /// Calls `body` for each kept copy, in the order of learners, and of names in byte order.
    /// - Parameter learner: nil for all learners.
    func forEachCopy(of learner: Int64?, _ body: (_ learner: Int64, _ copy: RememberedCopy) throws -> Void) throws
    /// Writes a learner's copies, and replaces copies of the same names. If `data` is nil, the copy is deleted.
    func write(_ copies: [(name: String, data: [UInt8]?)], of learner: Int64) throws

    /// Calls `body` for each note, in the order of learners, then of ids in byte order.
    /// - Parameter learner: nil for all learners.
    func forEachNote(of learner: Int64?, _ body: (_ learner: Int64, _ note: NoteRecord) throws -> Void) throws
    /// Writes a learner's notes, and replaces notes of the same ids.
    func write(_ notes: [NoteRecord], of learner: Int64) throws
    func deleteNotes(_ ids: [String], of learner: Int64) throws
}

/// Merges of learners.
protocol MergeTables {
    /// The merges of the given ids, in any order. Ids that were not merged are left out.
    func merges(of subjects: [[UInt8]]) throws -> [MergeRecord]
    /// The merges into some ids, in the order of ``MergeRecord/isBefore(_:_:)``.
    func merges(into subjects: [[UInt8]]) throws -> [MergeRecord]
    /// Calls `body` for each merge, in the order of ``MergeRecord/isBefore(_:_:)``.
    func forEachMerge(_ body: (MergeRecord) throws -> Void) throws
    /// Adds a merge. The merged id must not have a merge yet.
    func insert(_ merge: MergeRecord) throws
    func deleteMerge(of subject: [UInt8]) throws
}

/// Problems of a backend's own storage, and remarks. A remark is not about damage, but about something that an operator
/// should know. Each problem or remark is a sentence.
struct StorageFindings {
    var problems: [String] = []
    var remarks: [String] = []
}

/// Operations that only a check of the whole store needs.
protocol VerificationTables {
    func statistics() throws -> StoreStatistics
    func storageFindings() throws -> StorageFindings
    /// Calls `body` for each block, ascending, with the number of events stored for it.
    func forEachBlock(_ body: (_ block: Int64, _ events: Int) throws -> Void) throws
    /// Calls `body` for each run, with the id of the run's block.
    func forEachListedBlock(_ body: (Int64) throws -> Void) throws
    /// The number of generations whose event count differs from that of their blocks.
    func wrongGenerations() throws -> Int
    /// Tables with rows of learners who do not exist, and these learners' ids, ascending in each table.
    func strays() throws -> [(table: String, learner: Int64)]
    func countTail() throws -> Int64
    /// Ids of quarantined lines that are missing although pieces of them exist, ascending.
    func orphanedQuarantinePieces() throws -> [Int64]
    /// The ids of all lines, ascending.
    func quarantinedLines() throws -> [Int64]
    /// Calls `body` for each snapshot and each checkpoint.
    func forEachKeptState(_ body: (StoredFoldState) throws -> Void) throws

    /// Runs a function that reads. If the function meets damage, later reads still work.
    /// - Returns: nil if the data are damaged.
    func ifReadable<T>(_ body: () throws -> T) throws -> T?
    /// All learners that can be read, from every table that has their names. A lost event count is nil.
    func readableLearners() throws -> [(id: Int64, subject: [UInt8], events: Int?)]
    /// All blocks, and all learners in the tail, that any readable row refers to.
    func readableReferences() throws -> (blocks: Set<Int64>, learners: Set<Int64>)
    /// A learner's readable rows of the tail. Some may be returned twice.
    func readableTailRows(of learner: Int64) throws -> [TailRow]
}
