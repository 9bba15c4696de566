// SPDX-License-Identifier: Apache-2.0

internal import CCheckedPages
#if canImport(Glibc)
    internal import CMalloc
#endif
internal import CBoundedSQLite
internal import CSQLite
internal import Dispatch
internal import LaurelEvents
internal import LaurelSystem
internal import Synchronization

/// A store in one SQLite file.
///
/// One connection writes. A lock guards it within the process, and ``StoreLock`` among processes. If several `read`
/// calls run at the same time, each has a separate connection, which is kept for later reads.
package final class SQLiteStore: EventStore, GenerationStore {
    /// Sets up SQLite for a program in which no other code uses SQLite. Call it before a store is opened. SQLite then
    /// counts memory for each thread, without a lock, and not for the whole process. The count limits the memory of
    /// reports and of untrusted files.
    package static func configureProcess() {
        _ = laurel_sqlite3_forgo_memory_statistics()
        _ = laurel_sqlite3_count_memory()
    }

    /// The absolute path without links. The names of the lock and of SQLite's log contain it.
    package let path: String
    /// The name that the user gave, for errors.
    private let name: String
    /// The resolved path and its file. Changed only before the store is used.
    nonisolated(unsafe) private var canonicalPath: StorePath
    package let options: StoreOptions
    private let mode: StoreMode
    /// The sessions of readers that are not in use. Accessed only with ``pooling`` held.
    nonisolated(unsafe) private var readers: [SQLiteSession] = []
    private let pooling = Lock()
    /// The session of the writer; nil while it is not open. Accessed only with ``writing`` held.
    nonisolated(unsafe) private var writer: SQLiteSession?
    private let writing = TimedLock()
    /// True if this process has created the store's file; used only with ``writing`` held.
    nonisolated(unsafe) private var isNew = false
    private let isBuildingShadow = Mutex(false)
    private let deferred = DeferredWork()
    private let watch = StateVersionSource()
    package let commits = CommitSignal()
    package let jobs: any JobStore = MemoryJobs()

    /// Opens a store, or creates it in mode `readWrite`.
    /// - Complexity: independent of the store's size.
    package init(path name: String, mode: StoreMode, options: StoreOptions = StoreOptions()) throws {
        self.name = name
        canonicalPath = try StorePath(name)
        path = canonicalPath.path
        self.mode = mode
        self.options = options
        guard canonicalPath.file != nil || mode == .readWrite else {
            throw StoreError(.notFound, "there is no store at \(name)")
        }
        if mode == .readWrite { try prepareForWriting() }
        release(reader: try acquireReader())
    }

    deinit { close() }

    package static var newestFormat: Int { Int(Schema.version) }

    /// The format of the file, which reading does not change.
    package func format() throws -> Int {
        let session = try acquireReader()
        defer { release(reader: session) }
        return Int(try session.tables.format())
    }

    /// True if a write-ahead log with commits lies beside the file.
    package var hasLog: Bool {
        var log = stat()
        return stat(path + "-wal", &log) == 0 && log.st_size > 0
    }

    package func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        try readBlocks { try body($0) }
    }

    func readBlocks<T>(_ body: (StoreSession) throws -> T) throws -> T {
        let session = try acquireReader()
        defer { release(reader: session) }
        try session.beginReading()
        defer { session.endReading() }
        return try body(session.store)
    }

    package func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T {
        let state = try ReadSnapshot(timeout: options.readerTimeout, take: acquireReader, release: release)
        defer { state.end(release) }
        return try body(state)
    }

    package func newBatch() -> any ProjectionBatch { PreparedProjections() }

    package var partitions: Int { 1 }
    package var eventsPerTransaction: Int { .max }

    package func write<T>(in _: [Int], _ body: (any StoreTransaction) throws -> T) throws -> T {
        try writeAll { try body($0) }
    }

    package func writeAll<T>(_ body: (any StoreAdministration) throws -> T) throws -> T {
        let result = try inTransaction { try body($0.store) }
        commits.send()
        return result
    }

    func writeBlocks<T>(in _: Int, _ body: (StoreSession) throws -> T) throws -> T {
        try inTransaction { try body($0.store) }
    }

    package func version(of _: Int) throws -> StoreVersion? { try watch.version(acquireReader) }

    package func newProbe() throws -> any CommitProbe { try SQLiteProbe(acquireReader()) }

    package func releaseMemory() {
        pooling.withLock { readers.removeAll() }
        #if canImport(Glibc)
            // Otherwise the process keeps freed memory, for threads that may never run again.
            malloc_trim(0)
        #endif
    }

    private func inTransaction<T>(_ body: (SQLiteSession) throws -> T) throws -> T {
        guard mode == .readWrite else { throw StoreError(.readOnly, "\(name) was opened for reading") }
        return try asWriter {
            try expectSameFile()
            let session = try writer ?? openWriter()
            writer = session
            let result = try session.write(sweeping: hasNoShadowBuild, body)
            watch.note(session.store.parts[0].step.after)
            return result
        }
    }

    package func withShadow<T>(_ body: () throws -> T) throws -> T {
        let lock = try lock("-apply", timeout: 0, subject: "the store's rules are being changed")
        isBuildingShadow.withLock { $0 = true }
        defer {
            isBuildingShadow.withLock { $0 = false }
            lock.release()
        }
        // Leftovers of an earlier shadow would block this one.
        try sweepAll()
        let result = Result { try body() }
        // If this fails, later writes remove the leftovers.
        deferred.run(sweepAll)
        return try result.get()
    }

    /// Removes all leftovers. Each step is a transaction, so that waiting writers can write between steps.
    private func sweepAll() throws {
        while try inTransaction({ try $0.sweep() }) {}
    }

    private func hasNoShadowBuild() -> Bool {
        guard !isBuildingShadow.withLock({ $0 }) else { return false }
        return deferred.run { try lock("-apply", timeout: 0).release() }
    }

    package func runDeferredWork() throws { try deferred.throwFailure() }

    /// Closes the files. Releasing the last reference also closes them.
    package func close() {
        watch.close()
        pooling.withLock { readers.removeAll() }
        // A write in another thread ends at some time. Until then, its connection must stay open.
        try? writing.withLock(before: Deadline(seconds: 3600), else: { StoreError(.busy, name) }, closeWriter)
    }

    private func closeWriter() {
        guard let session = writer else { return }
        // When the last connection closes, it moves the log into the database. That is a write, so the lock is needed.
        // If another writer has the lock, the log and free pages stay, and nothing is lost.
        let lock = try? lock(timeout: 0)
        if lock == nil {
            _ = laurel_sqlite3_keep_log_on_close(session.connection.handle, 1)
        } else {
            try? session.tables.releaseFreePages(above: 16)
        }
        session.connection.close()
        writer = nil
        lock?.release()
    }

    private func prepareForWriting() throws {
        try asWriter {
            // Another process may have created the store meanwhile.
            canonicalPath = try StorePath(path)
            if canonicalPath.file == nil { try makeStore() } else { writer = try openWriter() }
        }
    }

    /// Creates the store. If that fails, no file is left.
    private func makeStore() throws {
        try canonicalPath.makeFile(mode: options.newFileMode)
        do {
            canonicalPath = try StorePath(path)
            writer = try openWriter()
            isNew = true
        } catch {
            removeFiles()
            throw error
        }
    }

    private func removeFiles() { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }

    /// Deletes the store if this process has created it and it holds neither an event nor a quarantined line.
    package func removeIfUnused() throws {
        try asWriter {
            guard isNew, let connection = writer?.connection else { return }
            try expectSameFile()
            let used = "SELECT EXISTS (SELECT 1 FROM learners) OR EXISTS (SELECT 1 FROM quarantine)"
            guard try connection.number(used) == 0 else { return }
            removeFiles()
        }
    }

    /// Checks that the path still leads to the open file. If the file was replaced, a write would use the log of the
    /// new file.
    private func expectSameFile() throws {
        guard canonicalPath.leadsToSameFile else {
            throw StoreError(.ioError, "\(name) was moved or replaced while it was in use; open it again")
        }
    }

    /// Runs a function while no other thread and no other process writes.
    /// - Throws: ``StoreError`` of code `busy` if another writer keeps the lock for longer than
    ///   ``StoreOptions/lockTimeout``.
    private func asWriter<T>(_ body: () throws -> T) throws -> T {
        let timeout = options.lockTimeout
        let deadline = Deadline(seconds: timeout)
        let busy = { [self] in
            try StoreLock.busy(lockFile("-lock"), timeout: timeout, subject: SQLiteStore.isBeingWritten)
        }
        return try writing.withLock(before: deadline, else: busy) {
            let lock = try lock(timeout: timeout, before: deadline)
            defer { lock.release() }
            return try body()
        }
    }

    private static let isBeingWritten = "the store is being written"

    private func lock(
        _ suffix: String = "-lock",
        timeout: Double,
        before deadline: Deadline? = nil,
        subject: String = isBeingWritten
    ) throws -> StoreLock {
        try StoreLock(
            lockFile(suffix),
            timeout: timeout,
            before: deadline ?? Deadline(seconds: timeout),
            subject: subject
        )
    }

    private func lockFile(_ suffix: String) -> LockFile {
        let access = canonicalPath.access ?? FileAccess(mode: options.newFileMode)
        return LockFile(path: path + suffix, name: name + suffix, access: access)
    }

    /// Opens the writing connection. The store's lock must be held.
    private func openWriter() throws -> SQLiteSession {
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE, name: name)
        let isNew =
            try connection.number("SELECT count(*) FROM sqlite_schema") == 0
            && connection.number("PRAGMA application_id") == 0
        if isNew {
            try connection.check(laurel_checked_pages_reserve(connection.handle))
            try connection.execute(Schema.settings)
        }
        try connection.execute(
            // On Darwin, `fullfsync` makes the drive write its cache, too. On other systems it has no effect.
            "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON;"
                + "PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = \(LogPreallocation.checkpointPages);"
                + "PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY"
        )
        if isNew { try Schema.create(connection) }
        try Schema.check(connection)
        try Migration.run(connection)
        return SQLiteSession(connection, options, isWriter: true)
    }

    private func acquireReader() throws -> SQLiteSession {
        if let session = pooling.withLock({ readers.popLast() }) { return session }
        try expectSameFile()
        let connection = try openReader()
        try connection.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA query_only = 1; PRAGMA cache_size = -16384")
        _ = laurel_sqlite3_keep_log_on_close(connection.handle, 1)
        try Schema.check(connection)
        return SQLiteSession(connection, options, isWriter: false)
    }

    private func openReader() throws -> Connection {
        if options.isUnchanging { return try openUnchanging() }
        do {
            let connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY, name: name)
            _ = try connection.number("SELECT count(*) FROM sqlite_schema")
            return connection
        } catch let error as StoreError where error.code == .ioError || error.code == .readOnly {
            // In a read-only folder, the log cannot have its shared memory. A file without a log needs none.
            guard access(path, R_OK) == 0, access(path + "-wal", F_OK) != 0 else { throw error }
            return try openUnchanging()
        }
    }

    /// Opens the file without a log, and makes no file beside it.
    private func openUnchanging() throws -> Connection {
        try Connection(
            path: "file:\(PercentCoding.encode(path))?immutable=1",
            flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
            name: name
        )
    }

    private func release(reader session: SQLiteSession) {
        pooling.withLock {
            if readers.count < options.idleReaders { readers.append(session) }
        }
    }
}
