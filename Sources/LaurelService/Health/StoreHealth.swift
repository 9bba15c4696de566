// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Synchronization

/// The result of the latest write to the store.
final class StoreHealth: Sendable {
    private struct State {
        var failure: EngineError?
        /// The time of the latest trial, in seconds of a monotonic clock; nil before the first trial.
        var triedAt: Double?
    }

    /// The codes of failures that affect every write. The code of a busy store is not in the set, because the next
    /// write may succeed.
    private static let lasting: Set<EngineError.Code> = [.diskFull, .ioError, .readOnly, .unavailable, .corrupt]
    /// The seconds for which the result of a trial is reused.
    private static let patience = 2.0
    private static let record = "probe"

    private let engine: ProgressEngine
    private let log: RequestLog
    private let state = Mutex(State())

    init(_ engine: ProgressEngine, _ log: RequestLog) { (self.engine, self.log) = (engine, log) }

    /// The reason why the latest write failed; nil if the write succeeded.
    var failure: EngineError? { state.withLock { $0.failure } }

    func noteSuccess() {
        let was = state.withLock { $0.failure.take() }
        if was != nil { log.event("store-writable", []) }
    }

    /// Records a failed write. Each cause is logged once.
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

    /// Tries to write, unless there was a trial within the last two seconds.
    /// - Returns: the reason why nothing can be stored; nil if the latest write succeeded.
    func check() -> EngineError? {
        let isDue = state.withLock { state in
            let now = ProcessInfo.processInfo.systemUptime
            if let last = state.triedAt, now - last < Self.patience { return false }
            state.triedAt = now
            return true
        }
        if isDue {
            do throws(EngineError) {
                // A transaction without changes needs no disk space. So after a failure, the trial writes a record.
                try failure == nil ? engine.checkIsWritable() : engine.setServiceRecords([Self.record: "1"])
                noteSuccess()
            } catch {
                note(error)
            }
        }
        return failure
    }
}
