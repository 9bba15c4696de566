// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Reads and writes of a store: what events, identities, progress and all else of it mean, over the tables of whatever backend.
///
/// Sendable only so that a pool can hand it from thread to thread: one thread uses it at a time. A backend begins and ends the
/// transactions; a write is ``begin(others:)``, what is to be written, and ``finish()``, or else ``fail()``.
final class StoreSession: StoreAdministration, @unchecked Sendable {
    let tables: any PartitionTables
    let options: StoreOptions
    let isWriter: Bool
    /// Of who uses the session now.
    var codecs: SessionCodecs
    var cache: BlockCache
    var names = NameCodes()
    var projectionWriters: [DerivedPlace: ProjectionWriter] = [:]
    var learnersInNewBlocks: Set<Int64> = []
    var hasNewBlocks: Bool { !learnersInNewBlocks.isEmpty }
    /// Written for the first time.
    var eventsInNewBlocks = 0
    /// Events that the transaction under way keeps back.
    var unwritten = UnwrittenEvents()
    var known = WriterCache()
    /// What the transaction under way has compared events with.
    var compared = DuplicateCache()
    var openLearners = LearnerCountCache()
    /// Hashes of ids that the transaction under way has looked up.
    var openIdentities = TransactionIdentities()
    /// Of the transaction under way, once it has to do with quarantine.
    var quarantineBudget: QuarantineBudget?
    /// Whom the transaction under way touches; nil as long as that is nobody.
    var pendingChanges: PendingChanges?
    var firstCommit: Int64 = 0
    /// Of the transaction under way, or of the last one.
    private(set) var step: VersionStep
    var versions: [VersionStep] { [step] }

    /// - Parameters:
    ///   - partition: the one that a writer writes.
    ///   - codecs: of who uses it; nil for its own.
    init(
        _ tables: any PartitionTables,
        _ options: StoreOptions,
        isWriter: Bool,
        partition: Int = 0,
        codecs: SessionCodecs? = nil
    ) {
        let version = StoreVersion(partition: partition)
        step = VersionStep(before: version, after: version)
        self.tables = tables
        self.options = options
        self.isWriter = isWriter
        self.codecs = codecs ?? SessionCodecs(options)
        cache =
            isWriter
            ? BlockCache(capacity: options.cachedBlocks)
            : BlockCache(capacity: min(4, options.cachedBlocks), events: 2 * options.eventsPerBlock)
    }

    /// To be called when a transaction that writes has begun. It has a number, whether it is committed or not.
    /// - Parameters:
    ///   - others: changes whenever others have written.
    ///   - before: what the state that it begins with is known as; nil for what the last transaction has left.
    ///   - history: of the state that it will leave.
    func begin(others: Int64, at before: StoreVersion? = nil, leaving history: PartitionHistory? = nil) {
        learnersInNewBlocks = []
        eventsInNewBlocks = 0
        quarantineBudget = nil
        pendingChanges = nil
        for writer in projectionWriters.values { writer.didBegin() }
        let last = step.after
        if others != last.others { forgetRows(ofOnly: before?.learnersChanged(since: last)) }
        step = VersionStep(
            before: before
                ?? StoreVersion(partition: last.partition, others: others, write: last.write, history: last.history),
            after: StoreVersion(partition: last.partition, others: others, history: history)
        )
    }

    /// What a transaction does last: seals the tail if it has become too large, and merges blocks as far as that does not take long.
    func finish() throws {
        try endAppending()
        try settleQuarantine()
        if try tailCounters().events > options.tailLimit { try sealTail() }
        if hasNewBlocks { try mergeGenerations() }
        try settleIdentities()
        try settleChanges()
        if hasNewBlocks { try tables.giveBackFreePages(above: 4) }
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
}

/// The blocks decoded last.
struct BlockCache {
    private var entries: [(block: Int64, fields: FieldSelection, decoded: DecodedBlock)] = []
    private let capacity: Int
    /// How many may be held, and are.
    private let mostEvents: Int
    private var events = 0
    /// Blocks of which a part was decoded lately, each time it was.
    private var askedFor: [Int64] = []

    /// - Parameters:
    ///   - capacity: in blocks.
    ///   - events: in events, of which a service's many readers hold as many each.
    init(capacity: Int, events: Int = .max) { (self.capacity, mostEvents) = (capacity, events) }

    /// Whether to decode only a part of a block: unless that was done lately as often as makes up for the whole.
    mutating func isAskedForSeldom(_ block: Int64) -> Bool {
        if askedFor.count >= 4 * capacity { askedFor.removeFirst() }
        askedFor.append(block)
        return askedFor.count { $0 == block } < 4
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
        askedFor.removeAll()
    }
}
