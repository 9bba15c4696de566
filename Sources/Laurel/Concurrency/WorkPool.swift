// SPDX-License-Identifier: Apache-2.0

import LaurelStore

/// The threads of an engine's asynchronous calls: several that read, and one that writes, because writers take turns
/// anyway.
final class WorkPool: Sendable {
    private let asking: CallQueue
    private let writing: CallQueue

    init(_ store: any EventStore) {
        let rest: @Sendable () -> Void = { [weak store] in store?.giveBackMemory() }
        asking = CallQueue("laurel asks", threads: max(2, Threads.processors), didRest: rest)
        writing = CallQueue("laurel writes", threads: 1, didRest: rest)
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

extension ProgressEngine {
    /// Runs read-only work on one of the engine's reading threads. There is one per processor, and at least two. The
    /// work must not wait for another call of this kind.
    /// - Throws: What `body` throws, or `CancellationError`.
    package func asking<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await pool.ask(body)
    }

    /// Runs writing work on the engine's writing thread, one call after the other. If it is cancelled, everything since
    /// its last commit is undone.
    /// - Throws: What `body` throws, or `CancellationError`.
    package func writing<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await pool.write(body)
    }
}
