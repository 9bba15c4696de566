// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Reads and writes a store. The session implements events, identities, progress and all other data over the tables of
/// any backend.
///
/// The type is Sendable only so that a pool can pass a session between threads. One thread uses it at a time.
///
/// The backend begins and ends transactions. A write calls ``PartitionState/begin(others:at:leaving:)`` for each
/// partition to which it writes, makes its changes, and ends with ``finish()``, or with ``fail()`` on an error.
final class StoreSession: StoreAdministration, @unchecked Sendable {
    let tables: any PartitionTables
    /// The number of partitions of the store.
    let partitionCount: Int
    let options: StoreOptions
    /// The partitions that the session writes to, ascending; empty if it only reads.
    let parts: [PartitionState]
    var isWriter: Bool { !parts.isEmpty }
    let codecs: SessionCodecs
    var cache: BlockCache
    var names = NameCodes()
    var projectionWriters: [DerivedTarget: ProjectionWriter] = [:]
    var memory = TransactionMemory()
    var hasNewBlocks: Bool { !memory.learnersInNewBlocks.isEmpty }
    var writerCache = KnownSettings()
    var firstCommit: Int64 = 0
    var versions: [VersionStep] { parts.map(\.step) }

    /// - Parameters:
    ///   - parts: the partitions that the session writes to, ascending.
    ///   - codecs: the caller's codecs; nil to make new ones.
    init(
        _ tables: any PartitionTables,
        _ options: StoreOptions,
        writing parts: [PartitionState] = [],
        codecs: SessionCodecs? = nil
    ) {
        self.tables = tables
        partitionCount = tables.partitionCount
        self.options = options
        self.parts = parts
        self.codecs = codecs ?? SessionCodecs(options)
        cache =
            parts.isEmpty
            ? BlockCache(capacity: min(4, options.cachedBlocks), events: 2 * options.eventsPerBlock)
            : BlockCache(capacity: options.cachedBlocks)
    }

    /// Prepares the session for a new transaction. Must be called after ``PartitionState/begin(others:at:leaving:)``.
    /// - Parameter others: true if another process has written since the last transaction.
    func begin(after others: Bool) {
        memory.learnersInNewBlocks = []
        for writer in projectionWriters.values { writer.didBegin() }
        if others { forgetNames() }
    }

    /// Ends a transaction's writes. Writes the tail as blocks if it has become too large, and merges blocks if that is
    /// quick.
    func finish() throws {
        try endAppending()
        try settleQuarantine()
        for part in parts {
            if try tailCounters(of: part).events > options.tailLimit { try sealTail(of: part) }
            if part.hasNewBlocks { try mergeGenerations(of: part) }
        }
        try settleIdentities()
        try settleChanges()
        if hasNewBlocks { try tables.releaseFreePages(above: 4) }
    }

    /// Discards all cached data. Must be called after a transaction was rolled back.
    func fail() {
        // Block ids that were not committed will be used again.
        cache.removeAll()
        memory = TransactionMemory()
        // The rows that the transaction wrote no longer exist.
        forgetRows()
    }

    /// Discards cached rows. Must be called when rows may have changed outside of the session.
    func forgetRows() {
        for part in parts { part.forgetRows() }
        forgetNames()
    }

    private func forgetNames() {
        writerCache = KnownSettings()
        names.removeAll()
        for writer in projectionWriters.values { writer.forgetRows() }
    }

    // MARK: Settings

    /// Caches settings that the backend has read at the start of a transaction. So no further query is needed.
    /// - Parameter firstCommit: the lowest number for new commits.
    func learn(rulesKey: String?, foldVersion: Int64, firstCommit: Int64) {
        self.firstCommit = firstCommit
        writerCache.rulesKey = .some(rulesKey)
        writerCache.foldVersion = UInt64(clamping: foldVersion)
    }

    /// Returns a cached value, or the result of `read`, which a writer then caches. A reader caches nothing, because
    /// each of its transactions may see another state.
    func cached<T>(_ position: WritableKeyPath<KnownSettings, T?>, _ read: () throws -> T) rethrows -> T {
        if let value = writerCache[keyPath: position] { return value }
        let value = try read()
        if isWriter { writerCache[keyPath: position] = value }
        return value
    }
}

/// The part of a session's memory that is discarded when a transaction fails.
struct TransactionMemory {
    var learnersInNewBlocks: Set<Int64> = []
    /// New events that are not yet written to the tables.
    var unwritten = UnwrittenEvents()
    /// The stored events that new events were compared with.
    var compared = DuplicateCache()
    /// Hashes of ids that were looked up.
    var openIdentities = TransactionIdentities()
    /// The quarantine's budget; nil until the quarantine is used.
    var quarantineBudget: QuarantineBudget?
}

/// The settings of the whole store that a session has cached.
struct KnownSettings {
    /// nil if the key is not cached. The inner value is nil if the store has no rules.
    var rulesKey: String??
    var foldVersion: UInt64?
}

/// A cache of the blocks decoded last.
struct BlockCache {
    private var entries: [(block: Int64, fields: FieldSelection, decoded: DecodedBlock)] = []
    private let capacity: Int
    /// The maximum and the current number of events in the cached blocks.
    private let mostEvents: Int
    private var events = 0
    /// The latest blocks of which only a part was requested, with an entry for each request.
    private var recentlyDecoded: [Int64] = []

    /// Creates an empty cache.
    /// - Parameters:
    ///   - capacity: the maximum number of blocks.
    ///   - events: the maximum number of events. It bounds the memory, because each of a service's many readers has a
    ///     cache.
    init(capacity: Int, events: Int = .max) { (self.capacity, mostEvents) = (capacity, events) }

    /// Records a request for a part of a block. Returns true if only that part should be decoded. Returns false if the
    /// block was requested so often lately that decoding all of it is cheaper.
    mutating func isRarelyRequested(_ block: Int64) -> Bool {
        if recentlyDecoded.count >= 4 * capacity { recentlyDecoded.removeFirst() }
        recentlyDecoded.append(block)
        return recentlyDecoded.count { $0 == block } < 4
    }

    mutating func find(_ block: Int64, _ fields: FieldSelection) -> DecodedBlock? {
        guard
            let position = entries.lastIndex(where: { $0.block == block && ($0.fields == fields || $0.fields == .all) })
        else { return nil }
        if position != entries.count - 1 { entries.append(entries.remove(at: position)) }
        return entries[entries.count - 1].decoded
    }

    mutating func insert(_ block: Int64, _ fields: FieldSelection, _ decoded: DecodedBlock) {
        let count = decoded.shared.table.count
        while !entries.isEmpty, entries.count >= capacity || events + count > mostEvents {
            events -= entries.removeFirst().decoded.shared.table.count
        }
        entries.append((block, fields, decoded))
        events += count
    }

    mutating func removeAll() {
        entries.removeAll()
        events = 0
        recentlyDecoded.removeAll()
    }
}
