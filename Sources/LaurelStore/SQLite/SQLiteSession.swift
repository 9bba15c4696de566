// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import LaurelEvents

/// One connection, as a reader or as the writer.
///
/// Sendable only so that the pool can hand it from thread to thread: one thread uses it at a time.
final class SQLiteSession: StoreTransaction, @unchecked Sendable {
    let connection: Connection
    let options: StoreOptions
    let isWriter: Bool
    let decoder = BlockDecoder()
    /// For blocks that are decoded on all cores.
    let decoders = Idle { BlockDecoder() }
    var cache: BlockCache
    var names = NameCodes()
    var derivedWriters: [DerivedPlace: DerivedWriter] = [:]
    /// Made with the first of them.
    var feed: RowFeed?
    lazy var snapshotCompressor = Compressor(level: options.snapshotCompressionLevel)
    lazy var snapshotDecompressor = Decompressor()
    /// What the transaction under way has to be followed by.
    var mustClean = false
    var learnersInNewBlocks: Set<Int64> = []
    var hasNewBlocks: Bool { !learnersInNewBlocks.isEmpty }
    /// Events that the transaction under way keeps back.
    var unwritten = UnwrittenEvents()
    var known = KnownRows()
    /// What the transaction under way has compared events with.
    var compared = ComparedBlocks()
    var openLearners = OpenLearners()
    /// Whether the store was seen to have a list of versions of the rules.
    var knowsVersions = false
    /// Hashes of ids that the transaction under way has looked up.
    var openIdentities = OpenIdentities()
    /// Of the transaction under way, once it has to do with quarantine.
    var quarantineBudget: QuarantineBudget?
    /// Whom the transaction under way touches; nil as long as that is nobody.
    var pendingChanges: PendingChanges?
    private var logRoom = LogRoom()
    /// The write made last.
    private var lastWrite = StoreVersion.newWrite()
    private(set) var versions = (before: StoreVersion(others: 0, write: 0), after: StoreVersion(others: 0, write: 0))

    init(_ connection: Connection, _ options: StoreOptions, isWriter: Bool) {
        self.connection = connection
        self.options = options
        self.isWriter = isWriter
        cache = BlockCache(capacity: isWriter ? options.cachedBlocks : min(4, options.cachedBlocks))
    }

    /// From here to ``endReading()`` the session sees the state that the store has now.
    func beginReading() throws {
        try connection.run("BEGIN")
        do {
            // It is the first read that settles which state that is.
            _ = try connection.number("SELECT value FROM meta LIMIT 1")
        } catch {
            endReading()
            throw error
        }
    }

    /// Changes whenever another connection has written.
    func dataVersion() throws -> Int64 { try connection.number("PRAGMA data_version") ?? 0 }

    func endReading() {
        connection.resetStatements()
        try? connection.execute("ROLLBACK")
    }

    /// Runs `body` in a transaction. Called with the store's lock held.
    /// - Parameter sweeps: asked where there are leftovers of a shadow: whether nobody needs them any more.
    func write<T>(sweeping sweeps: () -> Bool, _ body: (SQLiteSession) throws -> T) throws -> T {
        mustClean = false
        learnersInNewBlocks = []
        quarantineBudget = nil
        pendingChanges = nil
        for writer in derivedWriters.values { writer.didBegin() }
        try begin()
        let result: T
        do {
            result = try body(self)
            if try hasLeftovers(), sweeps() { _ = try sweep() }
            try settle()
            connection.resetStatements()
            try connection.run("COMMIT")
        } catch {
            connection.resetStatements()
            // A full disk has rolled back already.
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            // Numbers of blocks that were never committed come again.
            cache.removeAll()
            unwritten = UnwrittenEvents()
            compared.removeAll()
            openIdentities = OpenIdentities()
            // What was made by it is no more.
            forgetRows()
            throw error
        }
        if mustClean { try clean() }
        logRoom.extend(connection)
        return result
    }

    private func begin() throws {
        try connection.run("BEGIN IMMEDIATE")
        do {
            try number()
            if known.hasNoPendingErasure { return }
            known.hasNoPendingErasure = try meta("erasure_pending") == 0
            if known.hasNoPendingErasure { return }
            try connection.run("ROLLBACK")
            try clean()
            try connection.run("BEGIN IMMEDIATE")
            try number()
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    private func hasLeftovers() throws -> Bool {
        if !known.hasNoLeftovers { known.hasNoLeftovers = try leftovers().isEmpty }
        return !known.hasNoLeftovers
    }

    /// Gives the transaction that has begun its number, whether it is committed or not.
    private func number() throws {
        let others = try dataVersion()
        // Another process may have written meanwhile.
        if others != versions.after.others { forgetRows() }
        let write = StoreVersion.newWrite()
        versions = (StoreVersion(others: others, write: lastWrite), StoreVersion(others: others, write: write))
        lastWrite = write
    }

    /// Of the file; a reader may find an older one than the program's.
    func format() throws -> Int64 {
        isWriter ? Schema.version : try connection.number("PRAGMA user_version") ?? 0
    }

    func meta(_ name: String) throws -> Int64 {
        let statement = try connection.statement("SELECT value FROM meta WHERE name = ?")
        try statement.bind([.string(name)])
        defer { statement.reset() }
        return try statement.step() ? Int64(try statement.amount(0)) : 0
    }

    func setMeta(_ name: String, _ value: Int64) throws {
        try connection.run("UPDATE meta SET value = ? WHERE name = ?", .integer(value), .string(name))
    }

    /// Rewrites the file without what was deleted, and empties the log.
    ///
    /// `secure_delete` zeroes deleted cells, but SQLite may have left copies of cells behind when it moved them between
    /// pages; only a `VACUUM` leaves none.
    private func clean() throws {
        do {
            try connection.execute("VACUUM")
            try setMeta("erasure_pending", 0)
            sqlite3_busy_timeout(connection.handle, Int32(options.readerTimeout * 1000))
            defer { sqlite3_busy_timeout(connection.handle, 5000) }
            try connection.check(
                sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            )
        } catch let error as StoreError {
            try? setMeta("erasure_pending", 1)
            throw StoreError(
                .erasureIncomplete,
                "the learner is erased, but old copies may still be in \(connection.name): \(error.message)."
                    + " The next write finishes the work",
                sqliteCode: error.sqliteCode
            )
        }
    }
}

/// The blocks decoded last.
struct BlockCache {
    private var entries: [(block: Int64, fields: FieldSelection, decoded: DecodedBlock)] = []
    private let capacity: Int
    /// Blocks of which a part was decoded lately, each time it was.
    private var askedFor: [Int64] = []

    init(capacity: Int) { self.capacity = capacity }

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
        if entries.count >= capacity { entries.removeFirst(entries.count - capacity + 1) }
        entries.append((block, fields, decoded))
    }

    mutating func removeAll() {
        entries.removeAll()
        askedFor.removeAll()
    }
}
