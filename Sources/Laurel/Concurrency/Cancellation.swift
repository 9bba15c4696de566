// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A flag that tells a thread that its asynchronous call, or its job, was cancelled.
package final class Cancellation: Sendable {
    /// The flag of the call that the current thread is working for.
    @TaskLocal private static var current: Cancellation?

    private let isSet = Atomic(false)

    package init() {}

    package var isCancelled: Bool { isSet.load(ordering: .acquiring) }

    package func cancel() { isSet.store(true, ordering: .releasing) }

    /// Runs `body`. Within it, ``check()`` throws once this flag is set.
    package func watch<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try Cancellation.$current.withValue(self, operation: body)
        } catch  where isCancelled {
            // A module in between may have replaced the error by another error.
            throw CancellationError()
        }
    }

    /// Throws if the call was cancelled. Call it between two steps of long work. A synchronous call is never cancelled.
    static func check() throws {
        if let current, current.isCancelled { throw CancellationError() }
    }
}
