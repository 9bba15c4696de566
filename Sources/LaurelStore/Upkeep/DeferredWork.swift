// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Work that a write defers, such as deleting leftovers or dropping tables. If the work fails, the write still
/// succeeds, and a later write tries again. ``EventStore/runDeferredWork()`` throws the latest error.
final class DeferredWork: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    /// Runs a function and stores its error. The error is ignored if another process blocks the work.
    /// - Returns: true if it succeeded.
    @discardableResult
    func run(_ work: () throws -> Void) -> Bool {
        do {
            try work()
            return true
        } catch let error as StoreError where error.code == .busy {
            return false
        } catch {
            failure.withLock { $0 = error }
            return false
        }
    }

    /// Throws the latest error of deferred work, if there is one, and forgets the error.
    func throwFailure() throws {
        let latest = failure.withLock { failure in
            defer { failure = nil }
            return failure
        }
        if let latest { throw latest }
    }
}
