// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Work that a write leaves to be done later: to sweep, to drop, to clean up. Its failures are not the write's, and another
/// write tries again; ``EventStore/tidyUp()`` throws the latest.
final class DeferredWork: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    /// Runs a function, and keeps its error, unless another process stands in the way.
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
