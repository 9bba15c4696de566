// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Work that a write leaves for later, such as deleting leftovers or dropping tables. If it fails, the write does not
/// fail, and a later write tries again. ``EventStore/tidyUp()`` throws the latest error.
final class DeferredWork: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    /// Runs a function and keeps its error, except if another process is in the way.
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

    /// - Throws: the latest error, once.
    func throwFailure() throws {
        let latest = failure.withLock { failure in
            defer { failure = nil }
            return failure
        }
        if let latest { throw latest }
    }
}
