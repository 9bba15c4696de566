// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// One state of a store, seen by several connections.
///
/// SQLite as Debian builds it cannot be told to begin one connection's transaction in the state of another's. So all of
/// them begin, one after the other, and the last to begin tells whether anything was committed since before the first did:
/// if so, they begin again. Each begins in some microseconds, and a commit takes far longer than that.
final class SharedState: StoreState, @unchecked Sendable {
    private let free: DispatchSemaphore
    private let gate = Gate()
    /// Those that nobody reads with. Used with `gate` held only.
    private var sessions: [SQLiteSession]

    /// After so many attempts in vain fewer connections begin, which takes less time.
    private static let patience = 16
    /// One may wait for what another reads.
    private static let fewest = 2

    /// - Parameters:
    ///   - timeout: seconds after which to give up.
    ///   - take: gives a connection without a transaction.
    init(timeout: Double, take: () throws -> SQLiteSession, giveBack: (SQLiteSession) -> Void) throws {
        let start = ContinuousClock.now
        var taken: [SQLiteSession] = []
        var count = max(SharedState.fewest, Threads.processors)
        do {
            for attempt in 1... {
                while taken.count < count { taken.append(try take()) }
                while taken.count > count { giveBack(taken.removeLast()) }
                if try SharedState.begin(taken) { break }
                guard ContinuousClock.now - start < .seconds(timeout) else {
                    throw StoreError(
                        .busy,
                        "\(taken[0].connection.name) is written to without a pause; try again when there is less to do"
                    )
                }
                if attempt % SharedState.patience == 0 { count = max(SharedState.fewest, count / 2) }
            }
        } catch {
            taken.forEach(giveBack)
            throw error
        }
        sessions = taken
        free = DispatchSemaphore(value: taken.count)
    }

    /// - Returns: whether all of them see the same state; else none has begun.
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
        let session = gate.withLock { sessions.removeLast() }
        defer {
            session.connection.resetStatements()
            gate.withLock { sessions.append(session) }
            free.signal()
        }
        return try body(session.store)
    }

    /// To be called when nobody reads any more.
    func end(_ giveBack: (SQLiteSession) -> Void) {
        for session in gate.withLock({ sessions }) {
            session.endReading()
            giveBack(session)
        }
    }
}
