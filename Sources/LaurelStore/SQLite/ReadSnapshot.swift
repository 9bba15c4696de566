// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// One state of a store, read by several connections.
///
/// In Debian's build of SQLite, a connection cannot begin a transaction in the state of another connection. So all
/// connections begin one after another. The last one checks that nothing was committed since the first began;
/// otherwise all begin again. Beginning takes microseconds, and a commit takes much longer.
final class ReadSnapshot: StoreState, @unchecked Sendable {
    private let free: DispatchSemaphore
    private let lock = Lock()
    /// The sessions that are not in use. Accessed only while `lock` is held.
    private var sessions: [SQLiteSession]

    /// The number of failed attempts after which only half of the connections are used. Fewer connections begin in less
    /// time.
    private static let patience = 16
    /// The fewest connections. One reader may wait for another reader, so two are needed.
    private static let fewest = 2

    /// Begins transactions that read the same state.
    /// - Parameters:
    ///   - timeout: the seconds after which to give up.
    ///   - take: returns a connection without a transaction.
    init(timeout: Double, take: () throws -> SQLiteSession, release: (SQLiteSession) -> Void) throws {
        let start = ContinuousClock.now
        var taken: [SQLiteSession] = []
        var count = max(ReadSnapshot.fewest, Threads.processors)
        do {
            for attempt in 1... {
                while taken.count < count { taken.append(try take()) }
                while taken.count > count { release(taken.removeLast()) }
                if try ReadSnapshot.begin(taken) { break }
                guard ContinuousClock.now - start < .seconds(timeout) else {
                    throw StoreError(
                        .busy,
                        "\(taken[0].connection.name) is written to without a pause; try again when there is less to do"
                    )
                }
                if attempt % ReadSnapshot.patience == 0 { count = max(ReadSnapshot.fewest, count / 2) }
            }
        } catch {
            taken.forEach(release)
            throw error
        }
        sessions = taken
        free = DispatchSemaphore(value: taken.count)
    }

    /// Begins a transaction in each session.
    /// - Returns: true if all sessions see the same state. If not, none has a transaction.
    private static func begin(_ sessions: [SQLiteSession]) throws -> Bool {
        let last = sessions[sessions.count - 1]
        var begun = 0
        do {
            let version = try last.dataVersion()
            for session in sessions {
                try session.beginReading()
                begun += 1
            }
            if try last.dataVersion() == version { return true }
        } catch {
            sessions[..<begun].forEach { $0.endReading() }
            throw error
        }
        sessions.forEach { $0.endReading() }
        return false
    }

    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        free.wait()
        let session = lock.withLock { sessions.removeLast() }
        defer {
            session.connection.resetStatements()
            lock.withLock { sessions.append(session) }
            free.signal()
        }
        return try body(session.store)
    }

    /// Ends the transactions. Call it when no reader is left.
    func end(_ release: (SQLiteSession) -> Void) {
        for session in lock.withLock({ sessions }) {
            session.endReading()
            release(session)
        }
    }
}
