// SPDX-License-Identifier: Apache-2.0

import LaurelStore

/// The threads for calls from tasks: several for reading, and one for writing, since only one writer can run at a time.
final class WorkPool: Sendable {
    private let asking: CallQueue
    private let writing: CallQueue

    init(_ store: any EventStore) {
        let rest: @Sendable () -> Void = { [weak store] in store?.releaseMemory() }
        asking = CallQueue("laurel asks", threads: max(2, Threads.processors), didGoIdle: rest)
        writing = CallQueue("laurel writes", threads: 1, didGoIdle: rest)
    }

    deinit {
        asking.close()
        writing.close()
    }

    func ask<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await asking.run(body)
    }

    func write<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await writing.run(body)
    }
}
