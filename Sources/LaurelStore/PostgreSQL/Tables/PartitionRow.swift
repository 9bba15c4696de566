// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// A partition's row. The transaction that holds the partition updates the counters in memory, and writes them at its
/// end.
struct PartitionRow: Equatable {
    /// The number of the partition's commits.
    var version: Int64 = 0
    /// The ids assigned last. The upper half of an id is the partition, so that ids are unique in the whole store.
    var lastLearner: Int64 = 0
    var lastBlock: Int64 = 0
    var generation: Int64 = 0
    var lastQuarantine: Int64 = 0
    var tailEvents: Int64 = 0
    var tailSequence: Int64 = 0
    var quarantineBytes: Int64 = 0
    /// The edition of the derived tables that is read; see ``PostgreSQLTables/edition``.
    var edition: Int64 = 1
    var builtEdition: Int64 = 0
    var isErasurePending = false
    var recentChanges: [UInt8]?

    init(_ row: Row) {
        version = row.integer(0)
        lastLearner = row.integer(1)
        lastBlock = row.integer(2)
        generation = row.integer(3)
        lastQuarantine = row.integer(4)
        tailEvents = row.integer(5)
        tailSequence = row.integer(6)
        quarantineBytes = row.integer(7)
        edition = row.integer(8)
        builtEdition = row.integer(9)
        isErasurePending = row.truth(10)
        recentChanges = row.isNull(11) ? nil : row.array(11)
    }

    /// The content of the partition's history.
    /// - Parameter server: the server that the row was read from.
    func history(_ server: Int64) -> PartitionHistory.Content {
        PartitionHistory.Content(era: [server, edition], changes: recentChanges)
    }

    /// The parameters of ``TransactionSQL/writePartitions`` for some partitions.
    static func parameters(_ written: [HeldPartition]) -> [Parameter] {
        let numbers: [KeyPath<PartitionRow, Int64>] = [
            \.lastLearner, \.lastBlock, \.generation, \.lastQuarantine, \.tailEvents, \.tailSequence, \.quarantineBytes,
            \.edition, \.builtEdition,
        ]
        var (pending, changes) = (ParameterList(.bool), ParameterList(.bytea))
        for row in written.map(\.row) {
            pending.append(row.isErasurePending)
            if let bytes = row.recentChanges { changes.append(bytes) } else { changes.appendNull() }
        }
        return [.integers(written.lazy.map(\.partition)), .integers(written.lazy.map(\.found.version))]
            + numbers.map { number in .integers(written.lazy.map { $0.row[keyPath: number] }) }
            + [.list(pending), .list(changes), .count(written.count)]
    }

    /// The parameters of ``TransactionSQL/writePartition``.
    func parameters(_ partition: Int64, _ version: Int64) -> [Parameter] {
        [
            .integer(partition), .integer(version), .integer(lastLearner), .integer(lastBlock), .integer(generation),
            .integer(lastQuarantine), .integer(tailEvents), .integer(tailSequence), .integer(quarantineBytes),
            .integer(edition), .integer(builtEdition), .truth(isErasurePending), .bytes(recentChanges),
        ]
    }
}

/// A partition whose row a transaction has locked. Only this transaction writes to the partition.
struct HeldPartition {
    let partition: Int64
    /// The row as it was when the transaction began.
    let found: PartitionRow
    /// The row that the transaction will write.
    var row: PartitionRow
    /// True if the transaction has written anything but the partition's row.
    var hasWritten = false
    /// True if the transaction has erased a learner.
    var hasErased = false

    init(partition: Int64, found: PartitionRow) { (self.partition, self.found, row) = (partition, found, found) }

    var isChanged: Bool { hasWritten || row != found }
}

/// Data of the whole store that a transaction reads when it begins.
struct StoreFacts {
    /// The number of editions.
    var editions: Int64 = 1
    /// The number of deletions of names so far. A deleted name loses its code.
    var nameGeneration: Int64 = 0
    var fold: Int64 = 0
    /// The key of the rules in the form of ``RulesKey``; nil if there are no rules.
    var rulesKey: String?
    /// The server's start time, which identifies the server. After a failover or a restart, the latest commits may be
    /// lost.
    var server: Int64 = 0
    /// The server that the stored `firstCommit` belongs to.
    private var countedServer: Int64 = 0
    /// The lowest number for new commits: the time, in milliseconds, when the server first wrote. So a new number is
    /// greater than every number that an earlier server assigned, even if the earlier server's commits are lost.
    var firstCommit: Int64 = 0
    /// The server's clock, in milliseconds.
    private(set) var clock: Int64 = 0

    init() {}

    /// The first number for new commits after a failover or a restart; nil if the server is the same as before.
    var nextFirstCommit: Int64? { countedServer == server ? nil : max(clock, firstCommit + 1) }

    /// - Parameter row: the row of ``TransactionSQL/readStore``.
    init(_ row: Row, _ location: PostgreSQLLocation) throws {
        try PostgreSQLSchema.check(row.integer(0), location)
        editions = row.integer(2)
        nameGeneration = row.integer(3)
        fold = row.integer(4)
        rulesKey = row.isNull(5) ? nil : row.string(5)
        server = row.integer(6)
        countedServer = row.integer(7)
        firstCommit = row.integer(8)
        clock = row.integer(9)
    }
}
