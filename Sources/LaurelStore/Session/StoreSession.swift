// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Reads and writes of a store: what events, identities, progress and all else of it mean, over the tables of whatever backend.
///
/// Sendable only so that a pool can hand it from thread to thread: one thread uses it at a time. A backend begins and ends the
/// transactions; a write is ``PartitionState/begin(others:at:leaving:)`` of each partition that it writes, what is to be written, and
/// ``finish()``, or else ``fail()``.
final class StoreSession: StoreAdministration, @unchecked Sendable {
    let tables: any PartitionTables
    /// The number of partitions of the store.
    let partitionCount: Int
    let options: StoreOptions
    /// The partitions that it writes, ascending; none where it only reads.
    let parts: [PartitionState]
    var isWriter: Bool { !parts.isEmpty }
    let codecs: SessionCodecs
    var cache: BlockCache
    var names = NameCodes()
    var projectionWriters: [DerivedTarget: ProjectionWriter] = [:]
    var learnersInNewBlocks: Set<Int64> = []
    var hasNewBlocks: Bool { !learnersInNewBlocks.isEmpty }
    /// Events that the transaction under way keeps back.
    var unwritten = UnwrittenEvents()
    var writerCache = KnownSettings()
    /// The stored events that the current transaction has compared new events with.
    var compared = DuplicateCache()
    /// Hashes of ids that the transaction under way has looked up.
    var openIdentities = TransactionIdentities()
    var firstCommit: Int64 = 0
    var versions: [VersionStep] { parts.map(\.step) }

    /// - Parameters:
    ///   - parts: those that it writes, ascending.
    ///   - codecs: of who uses it; nil for its own.
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

    /// To be called when another transaction of the same session has begun, and its parts have.
    /// - Parameter others: whether others have written since the last.
    func begin(after others: Bool) {
        learnersInNewBlocks = []
        for writer in projectionWriters.values { writer.didBegin() }
        if others { forgetNames() }
    }

    /// Ends a transaction's writes: seals the tail if it has become too large, and merges blocks where that is quick.
    func finish() throws {
        try endAppending()
        for part in parts {
            try settleQuarantine(of: part)
            if try tailCounters(of: part).events > options.tailLimit { try sealTail(of: part) }
            if part.hasNewBlocks { try mergeGenerations(of: part) }
        }
        try settleIdentities()
        try settleChanges()
        if hasNewBlocks { try tables.releaseFreePages(above: 4) }
    }

    /// To be called when a transaction was rolled back.
    func fail() {
        // Numbers of blocks that were never committed come again.
        cache.removeAll()
        unwritten = UnwrittenEvents()
        compared.removeAll()
        openIdentities = TransactionIdentities()
        // What was made by it is no more.
        forgetRows()
    }

    /// To be called where rows may have changed without the session.
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

    /// To be called in every transaction of a backend that reads these with what it reads anyway: nobody need ask for them.
    /// - Parameter firstCommit: below it no commit is numbered any more.
    func learn(rulesKey: String?, foldVersion: Int64, firstCommit: Int64) {
        self.firstCommit = firstCommit
        writerCache.rulesKey = .some(rulesKey)
        writerCache.foldVersion = UInt64(clamping: foldVersion)
    }

    /// Runs `read` where the writer does not know what it would find. A reader knows nothing: each time it sees another state.
    func cached<T>(_ place: WritableKeyPath<KnownSettings, T?>, _ read: () throws -> T) rethrows -> T {
        if let value = writerCache[keyPath: place] { return value }
        let value = try read()
        if isWriter { writerCache[keyPath: place] = value }
        return value
    }
}

/// The settings of the whole store that a session has cached.
struct KnownSettings {
    /// nil where it is not known; a store may have no rules.
    var rulesKey: String??
    var foldVersion: UInt64?
}

/// The blocks decoded last.
struct BlockCache {
    private var entries: [(block: Int64, fields: FieldSelection, decoded: DecodedBlock)] = []
    private let capacity: Int
    /// The maximum and the current number of events in the cached blocks.
    private let mostEvents: Int
    private var events = 0
    /// Blocks of which a part was decoded lately, each time it was.
    private var recentlyDecoded: [Int64] = []

    /// - Parameters:
    ///   - capacity: in blocks.
    ///   - events: in events, of which a service's many readers hold as many each.
    init(capacity: Int, events: Int = .max) { (self.capacity, mostEvents) = (capacity, events) }

    /// Notes a request for a part of a block. Returns true if only that part should be decoded, false if the block was
    /// requested so often lately that decoding all of it is cheaper.
    mutating func isRarelyRequested(_ block: Int64) -> Bool {
        if recentlyDecoded.count >= 4 * capacity { recentlyDecoded.removeFirst() }
        recentlyDecoded.append(block)
        return recentlyDecoded.count { $0 == block } < 4
    }

    mutating func find(_ block: Int64, _ fields: FieldSelection) -> DecodedBlock? {
        guard let place = entries.lastIndex(where: { $0.block == block && ($0.fields == fields || $0.fields == .all) })
        else { return nil }
        if place != entries.count - 1 { entries.append(entries.remove(at: place)) }
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
