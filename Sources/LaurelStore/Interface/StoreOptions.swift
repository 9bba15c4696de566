// SPDX-License-Identifier: Apache-2.0

/// The access that a store is opened for.
package enum StoreMode: Sendable {
    /// The store must exist.
    case readOnly
    /// A missing file is created. A store in a database must exist, because creating one needs the right to create
    /// tables.
    case readWrite
}

/// Settings of a store.
package struct StoreOptions: Sendable {
    /// Seconds to wait for another writer, of this process or another.
    package var lockTimeout = 10.0
    /// Seconds to wait for readers of the old state after an erasure.
    package var readerTimeout = 10.0
    package var eventsPerBlock = 16_384
    /// The size of text, in bytes, at which a block is complete.
    package var textPerBlock = 4 << 20
    /// The most events in the tail. Above this number, the tail is written as blocks.
    package var tailLimit = 32_768
    /// The number of new events from which a batch is written as blocks rather than to the tail.
    package var bulkThreshold = 4096
    /// The limits of unwritten events of large batches, in events and in bytes. At either limit they are written as
    /// blocks. The limits are high, so that the blocks hold long runs of each learner.
    package var unwrittenEvents = 4_000_000
    package var unwrittenBytes = 56 << 20
    /// zstd's level for new blocks, 1 … 19. Level 4 makes an ingest 7 % slower, and blocks 1 % smaller.
    package var compressionLevel: Int32 = 1
    /// zstd's level for snapshots. Level 4 takes four times as long, and saves less than 2 %.
    package var snapshotCompressionLevel: Int32 = 2
    /// zstd's level for merged blocks. Most of these are never rewritten.
    package var mergedCompressionLevel: Int32 = 6
    /// The number of events that `forEachLearner` decodes at once.
    package var eventsPerGroup = 32_768
    /// The number of decoded blocks that the writer caches. A reader caches up to four, with at most as many events
    /// as two full blocks.
    package var cachedBlocks = 16
    /// The number of learners that the writer caches between transactions, in less than 1 MiB.
    package var cachedLearners = 4096
    /// The number of generations of about the same size from which they are merged into one.
    package var mergeWidth = 4
    /// The most generations merged at once. One or two blocks of each are decoded at a time.
    package var mergedAtOnce = 10
    /// The maximum number of events in generations that a write merges. A write that adds many events in blocks may
    /// merge ``mergedPerNewEvent`` times as many events as it adds, if that is more.
    /// ``EventStore/mergeGenerations(_:)`` merges larger generations, and no writer waits for it.
    package var mergedInWrites = Int.max
    package var mergedPerNewEvent = 4
    /// The maximum number of events in a generation that is merged.
    package var mergeLimit = 4_000_000
    /// The mean length of runs, in events, from which a generation is no longer merged.
    package var goodRunLength = 512
    /// The maximum number of runs of a learner whose ids have no index. The learner's blocks are searched for ids
    /// instead.
    package var searchedRuns = 16
    /// The minimum mean length, in events, of the runs of a learner whose ids have no index. A search for ids reads
    /// whole blocks, so the search would be slow with shorter runs.
    package var searchedRunLength = 128
    /// The minimum number of a batch's learners for which whole blocks are searched together. Fewer learners are
    /// searched one by one.
    package var searchedTogether = 16
    /// The size, in bytes, of the hashes of ids in memory at which a transaction writes the hashes and frees the
    /// memory.
    package var openIdentityBytes = 40 << 20
    /// The number of leftover rows that one write removes.
    package var sweptRows = 50_000
    /// The most bytes for quarantine; nil for the default: 1 GiB, or a tenth of the free space if that is less.
    package var quarantineLimit: Int64?
    /// The permissions of a new file.
    package var newFileMode: UInt32 = 0o600
    /// True to read a file that no process writes, and that has no write-ahead log. No file is made beside it.
    package var isUnchanging = false
    /// The number of connections kept open for later reads.
    package var idleReaders = 8
    /// The number of connections that write at the same time.
    package var writerConnections = 8
    /// Seconds without a message after which the server ends a write. So other writers do not wait for a machine that
    /// has failed.
    package var idleTransactionTimeout = 120.0
    /// Seconds without a renewal after which another process may build a shadow.
    package var leaseTimeout = 60.0
    /// True to write to a server that may lose acknowledged writes (`fsync` or `synchronous_commit` off).
    package var acceptsLossyServer = false

    package init() {}

    /// The options for a store that calls ``EventStore/mergeGenerations(_:)`` from time to time.
    package var mergingLater: StoreOptions {
        var options = self
        options.mergedInWrites = min(mergedInWrites, 4 * tailLimit)
        return options
    }

    /// The options of each partition. Limits on memory and cached learners are divided among the partitions.
    func shared(among partitions: Int) -> StoreOptions {
        guard partitions > 1 else { return self }
        var options = self
        options.mergedInWrites = min(mergedInWrites, max(32_768, mergedInWrites / partitions))
        options.bulkThreshold = min(bulkThreshold, max(256, bulkThreshold / partitions))
        options.tailLimit = min(tailLimit, max(2048, tailLimit / partitions))
        options.cachedBlocks = min(cachedBlocks, 2)
        options.cachedLearners = max(256, cachedLearners / partitions)
        return options
    }
}
