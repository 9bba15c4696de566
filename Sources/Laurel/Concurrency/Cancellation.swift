// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells the thread that works for an asynchronous call, or for a job, whether that was cancelled.
package final class Cancellation: Sendable {
    /// That of the call which this thread works for.
    @TaskLocal private static var current: Cancellation?

    private let isSet = Atomic(false)

    package init() {}

    package var isCancelled: Bool { isSet.load(ordering: .acquiring) }

    package func cancel() { isSet.store(true, ordering: .releasing) }

    /// Runs `body`, in which ``check()`` throws once this is cancelled.
    package func watch<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try Cancellation.$current.withValue(self, operation: body)
        } catch  where isCancelled {
            // Whatever the modules in between have made of it.
            throw CancellationError()
        }
    }

    /// Call it between two steps of long work. It ends the work if nobody waits for the result any more. It never ends
    /// a synchronous call.
    static func check() throws {
        if let current, current.isCancelled { throw CancellationError() }
    }
}
