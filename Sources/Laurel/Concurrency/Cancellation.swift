// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether an asynchronous call was cancelled, for the thread that does its work.
final class Cancellation: Sendable {
    /// That of the call which this thread works for.
    @TaskLocal private static var current: Cancellation?

    private let isSet = Atomic(false)

    var isCancelled: Bool { isSet.load(ordering: .acquiring) }

    func cancel() { isSet.store(true, ordering: .releasing) }

    /// Runs `body`, in which ``check()`` throws once this is cancelled.
    func watch<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try Cancellation.$current.withValue(self, operation: body)
        } catch  where isCancelled {
            // Whatever the modules in between have made of it.
            throw CancellationError()
        }
    }

    /// To be called between two steps of what may take long: ends it where nobody waits for it any more. Of synchronous calls,
    /// it ends none.
    static func check() throws {
        if let current, current.isCancelled { throw CancellationError() }
    }
}
