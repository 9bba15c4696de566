// SPDX-License-Identifier: Apache-2.0

internal import CCheckedPages
#if canImport(Glibc)
    internal import CMalloc
#endif
internal import CSQLite
internal import LaurelSystem
internal import Synchronization

/// A store in one SQLite file.
///
/// One connection writes, guarded within the process by a mutex and among processes by ``StoreLock``. Every concurrent
/// `read` has a connection of its own, kept for the next.
package final class SQLiteStore: EventStore {
    package enum Mode: Sendable {
        /// The store must exist.
        case readOnly
        /// The store is made if there is none.
        case readWrite
    }

    /// Lets SQLite not count its memory, under a lock of the whole process, at every allocation. For a program whose own
    /// SQLite is, before it opens a store; elsewhere others may be using it already.
    package static func forgoMemoryStatistics() { _ = laurel_sqlite3_forgo_memory_statistics() }

    /// Absolute, without links: the one that the lock and SQLite's log are named after.
    package let path: String
    /// As it was asked for, for errors.
    private let name: String
    /// Set before anyone uses the store.
    nonisolated(unsafe) private var place: StorePlace
    package let options: StoreOptions
    private let mode: Mode
    /// Used with ``pooling`` held only.
    nonisolated(unsafe) private var readers: [SQLiteSession] = []
    private let pooling = Gate()
    /// Used with ``writing`` held only.
    nonisolated(unsafe) private var writer: SQLiteSession?
    private let writing = Gate()
    private let isBuildingShadow = Mutex(false)
    private let watch = VersionWatch()
    package let commits = CommitSignal()

    /// - Complexity: independent of the store's size.
    package init(path name: String, mode: Mode, options: StoreOptions = StoreOptions()) throws {
        self.name = name
        place = try StorePlace(name)
        path = place.path
        self.mode = mode
        self.options = options
        guard place.file != nil || mode == .readWrite else {
            throw StoreError(.notFound, "there is no store at \(name)")
        }
        if mode == .readWrite { try prepareForWriting() }
        giveBack(reader: try takeReader())
    }

    deinit { close() }

    package func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        let session = try takeReader()
        defer { giveBack(reader: session) }
        try session.beginReading()
        defer { session.endReading() }
        return try body(session.store)
    }

    package func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T {
        let state = try SharedState(timeout: options.readerTimeout, take: takeReader, giveBack: giveBack)
        defer { state.end(giveBack) }
        return try body(state)
    }

    package func newBatch() -> any ProjectionBatch { RowBatch() }

    package func write<T>(_ body: (any StoreTransaction) throws -> T) throws -> T {
        let result = try inTransaction { try body($0.store) }
        commits.send()
        return result
    }

    package func version() throws -> StoreVersion? { try watch.version(takeReader) }

    package func newProbe() throws -> any CommitProbe { try SQLiteProbe(takeReader()) }

    package func giveBackMemory() {
        pooling.withLock { readers.removeAll() }
        #if canImport(Glibc)
            // Else it stays with the process, for threads that may never come again.
            malloc_trim(0)
        #endif
    }

    private func inTransaction<T>(_ body: (SQLiteSession) throws -> T) throws -> T {
        guard mode == .readWrite else { throw StoreError(.readOnly, "\(name) was opened for reading") }
        return try writing.withLock {
            try withStoreLock(timeout: options.lockTimeout) {
                try expectSameFile()
                let session = try writer ?? openWriter()
                writer = session
                let result = try session.write(sweeping: nobodyBuildsAShadow, body)
                watch.note(session.store.versions.after)
                return result
            }
        }
    }

    package func withShadow<T>(_ body: () throws -> T) throws -> T {
        let lock = try lock("-apply", timeout: 0, subject: "the store's rules are being changed")
        isBuildingShadow.withLock { $0 = true }
        defer {
            isBuildingShadow.withLock { $0 = false }
            lock.release()
        }
        // What an earlier one left stands in the way.
        try sweepAll()
        let result = Result { try body() }
        // What is left now, later writes remove, too.
        try? sweepAll()
        return try result.get()
    }

    /// Writers who wait get their turn in between.
    private func sweepAll() throws {
        while try inTransaction({ try $0.sweep() }) {}
    }

    private func nobodyBuildsAShadow() -> Bool {
        guard !isBuildingShadow.withLock({ $0 }), let lock = try? lock("-apply", timeout: 0) else {
            return false
        }
        lock.release()
        return true
    }

    /// Closes the files. Also done when the last reference goes.
    package func close() {
        watch.close()
        pooling.withLock { readers.removeAll() }
        writing.withLock {
            guard let session = writer else { return }
            // The last connection to close empties the log into the database: that is writing, so it takes the lock.
            let lock = try? lock(timeout: 0)
            if lock == nil {
                _ = laurel_sqlite3_keep_log_on_close(session.connection.handle, 1)
            } else {
                try? session.tables.giveBackFreePages(above: 16)
            }
            session.connection.close()
            writer = nil
            lock?.release()
        }
    }

    private func prepareForWriting() throws {
        try writing.withLock {
            try withStoreLock(timeout: options.lockTimeout) {
                // It may have been made by another process meanwhile.
                place = try StorePlace(path)
                if place.file == nil { try makeStore() } else { writer = try openWriter() }
            }
        }
    }

    /// What cannot be finished is not begun.
    private func makeStore() throws {
        try place.makeFile(mode: options.newFileMode)
        do {
            place = try StorePlace(path)
            writer = try openWriter()
        } catch {
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            throw error
        }
    }

    /// Who has the old file open would write beside the new one's log.
    private func expectSameFile() throws {
        guard place.isStillThere else {
            throw StoreError(.ioError, "\(name) was moved or replaced while it was in use; open it again")
        }
    }

    private func withStoreLock<T>(timeout: Double, _ body: () throws -> T) throws -> T {
        let lock = try lock(timeout: timeout)
        defer { lock.release() }
        return try body()
    }

    private func lock(
        _ suffix: String = "-lock",
        timeout: Double,
        subject: String = "the store is being written"
    ) throws -> StoreLock {
        let access = place.access ?? FileAccess(mode: options.newFileMode)
        let file = LockFile(path: path + suffix, name: name + suffix, access: access)
        return try StoreLock(file, timeout: timeout, subject: subject)
    }

    /// Called with the lock held.
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
            // On Darwin the drive, too, is to write what it was given; elsewhere `fullfsync` says nothing.
            "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON;"
                + "PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = \(LogRoom.checkpointPages);"
                + "PRAGMA journal_size_limit = 67108864"
        )
        if isNew { try Schema.create(connection) }
        try Schema.check(connection)
        try Migration.run(connection)
        try PageChecksums.add(to: connection)
        try connection.execute("PRAGMA temp_store = MEMORY")
        return SQLiteSession(connection, options, isWriter: true)
    }

    private func takeReader() throws -> SQLiteSession {
        if let session = pooling.withLock({ readers.popLast() }) { return session }
        try expectSameFile()
        let connection = try openReader()
        try connection.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA query_only = 1; PRAGMA cache_size = -16384")
        _ = laurel_sqlite3_keep_log_on_close(connection.handle, 1)
        try Schema.check(connection)
        return SQLiteSession(connection, options, isWriter: false)
    }

    private func openReader() throws -> Connection {
        do {
            let connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY, name: name)
            _ = try connection.number("SELECT count(*) FROM sqlite_schema")
            return connection
        } catch let error as StoreError where error.code == .ioError || error.code == .readOnly {
            // In a folder that cannot be written there is no shared memory; without a log none is needed.
            guard access(path, R_OK) == 0, access(path + "-wal", F_OK) != 0 else { throw error }
            let escaped = path.utf8.map { byte -> String in
                byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "%")
                    ? "%" + String(byte, radix: 16) : String(decoding: [byte], as: UTF8.self)
            }
            return try Connection(
                path: "file:\(escaped.joined())?immutable=1",
                flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                name: name
            )
        }
    }

    private func giveBack(reader session: SQLiteSession) {
        pooling.withLock {
            if readers.count < options.idleReaders { readers.append(session) }
        }
    }
}
