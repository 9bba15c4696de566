// SPDX-License-Identifier: Apache-2.0

/// What a store is opened for.
package enum StoreMode: Sendable {
    /// The store must exist.
    case readOnly
    /// A file is made if there is none. A store in a database must exist: it is made by whoever may make tables there.
    case readWrite
}

/// What may be tuned.
package struct StoreOptions: Sendable {
    /// Seconds to wait for another writer, of this process or another.
    package var lockTimeout = 10.0
    /// Seconds to wait, after an erasure, for readers of the old state.
    package var readerTimeout = 10.0
    package var eventsPerBlock = 16_384
    /// Bytes of text after which a block is closed.
    package var textPerBlock = 4 << 20
    /// With more events than this the tail is sealed into blocks.
    package var tailLimit = 32_768
    /// A batch with as many new events goes straight into blocks.
    package var bulkThreshold = 4096
    /// So many events of large batches, or so many bytes of them, are gathered in memory before they are written as
    /// blocks: enough for long runs of each learner.
    package var unwrittenEvents = 4_000_000
    package var unwrittenBytes = 56 << 20
    /// zstd's level for new blocks, 1 … 19: level 4 takes a fifteenth of an ingest more, for a hundredth of their bytes.
    package var compressionLevel: Int32 = 1
    /// The same for snapshots: level 4 would take four times as long, for a sixtieth of their bytes.
    package var snapshotCompressionLevel: Int32 = 2
    /// The same for merged blocks, of which most are not written again.
    package var mergedCompressionLevel: Int32 = 6
    /// Events decoded at once by `forEachLearner`.
    package var eventsPerGroup = 32_768
    /// Decoded blocks the writer keeps; readers keep up to four, of as many events as two full ones have.
    package var cachedBlocks = 16
    /// Learners whom the writer remembers from one transaction to the next, in less than a MiB.
    package var rememberedLearners = 4096
    /// So many generations of blocks of about the same size are merged …
    package var mergeWidth = 4
    /// … and no more at once: a block or two of each are decoded at a time.
    package var mergedAtOnce = 10
    /// A write merges generations of so many events together, or of ``mergedPerNewEvent`` times as many as it makes blocks of.
    /// Others are left to ``EventStore/mergeGenerations(_:)``, which makes nobody wait.
    package var mergedInWrites = Int.max
    package var mergedPerNewEvent = 4
    /// Generations with more events than this are not merged any more.
    package var mergeLimit = 4_000_000
    /// Generations whose runs have on average as many events are not merged.
    package var goodRunLength = 512
    /// Of a learner whose events lie in no more runs than this, ids are looked for in the blocks, and no index is kept …
    package var searchedRuns = 16
    /// … if those have on average as many events: else the blocks, which are read whole, hold too few of the learner's.
    package var searchedRunLength = 128
    /// Of so many learners or more, ids are looked for together, in whole blocks.
    package var searchedTogether = 16
    /// What is remembered of ids within a transaction, in bytes.
    package var openIdentityBytes = 40 << 20
    /// Rows of leftovers removed in one write.
    package var sweptRows = 50_000
    /// What quarantine may take, in bytes; nil for what is usual, a gibibyte or a tenth of the free disk.
    package var quarantineLimit: Int64?
    /// The permissions of a store that is made.
    package var newFileMode: UInt32 = 0o600
    /// Connections kept open for later reads.
    package var idleReaders = 8
    /// Connections that write at the same time.
    package var writerConnections = 8
    /// Seconds after which a server ends a write of which it hears nothing, so that others need not wait for a machine that is gone.
    package var idleTransactionTimeout = 120.0
    /// Seconds after which another process may build a shadow where nothing is heard of the one that does.
    package var leaseTimeout = 60.0
    /// Whether to write to a server that may lose what it has acknowledged (`fsync` or `synchronous_commit` off).
    package var acceptsLossyServer = false

    package init() {}

    /// For a store of which somebody sees to it that ``EventStore/mergeGenerations(_:)`` is called now and then.
    package var mergingLater: StoreOptions {
        var options = self
        options.mergedInWrites = min(mergedInWrites, 4 * tailLimit)
        return options
    }

    /// For each of the partitions of a store: what is gathered, and what is remembered, is of all of them together.
    func shared(among partitions: Int) -> StoreOptions {
        guard partitions > 1 else { return self }
        var options = self
        options.mergedInWrites = min(mergedInWrites, max(32_768, mergedInWrites / partitions))
        options.bulkThreshold = min(bulkThreshold, max(256, bulkThreshold / partitions))
        options.tailLimit = min(tailLimit, max(2048, tailLimit / partitions))
        options.cachedBlocks = min(cachedBlocks, 2)
        options.rememberedLearners = max(256, rememberedLearners / partitions)
        return options
    }
}
