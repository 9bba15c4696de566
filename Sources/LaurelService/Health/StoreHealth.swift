// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Synchronization

/// The state of the store, as seen by writes.
final class StoreHealth: Sendable {
    private struct State {
        var failure: EngineError?
        /// The time of the latest try, in seconds of a monotonic clock; nil before the first.
        var triedAt: Double?
    }

    /// The failures that concern every write. A busy store accepts the next write.
    private static let lasting: Set<EngineError.Code> = [.diskFull, .ioError, .readOnly, .unavailable, .corrupt]
    /// The seconds for which the result of a try is used.
    private static let patience = 2.0
    private static let record = "probe"

    private let engine: ProgressEngine
    private let log: RequestLog
    private let state = Mutex(State())

    init(_ engine: ProgressEngine, _ log: RequestLog) { (self.engine, self.log) = (engine, log) }

    /// The reason why the latest write failed; nil if it succeeded.
    var failure: EngineError? { state.withLock { $0.failure } }

    func noteSuccess() {
        let was = state.withLock { $0.failure.take() }
        if was != nil { log.event("store-writable", []) }
    }

    /// Notes that a write failed. Each cause is logged once.
    func note(_ error: EngineError) {
        guard Self.lasting.contains(error.code) else { return }
        let before = state.withLock { state in
            defer { state.failure = error }
            return state.failure
        }
        if before?.code != error.code {
            log.event("store-not-writable", [("code", .string(error.code.rawValue)), ("error", .string("\(error)"))])
        }
    }

    /// Tries to write, unless that was tried within the last seconds.
    /// - Returns: the reason why nothing can be stored; nil if a write succeeds.
    func check() -> EngineError? {
        let isDue = state.withLock { state in
            let now = ProcessInfo.processInfo.systemUptime
            if let last = state.triedAt, now - last < Self.patience { return false }
            state.triedAt = now
            return true
        }
        if isDue {
            do throws(EngineError) {
                // A transaction without changes needs no disk space, so after a failure a record is written.
                try failure == nil ? engine.checkIsWritable() : engine.setServiceRecords([Self.record: "1"])
                noteSuccess()
            } catch {
                note(error)
            }
        }
        return failure
    }
}
