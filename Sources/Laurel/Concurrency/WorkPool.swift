// SPDX-License-Identifier: Apache-2.0

import LaurelStore

/// The threads of an engine's asynchronous calls: some that ask, and one that writes, for writers take turns anyway.
final class WorkPool: Sendable {
    private let asking: WorkLane
    private let writing: WorkLane

    /// Seconds.
    private static let patience = 2.0

    init(_ store: any EventStore) {
        let rest: @Sendable () -> Void = { [weak store] in store?.giveBackMemory() }
        asking = WorkLane(
            "laurel asks",
            threads: max(2, Threads.processors),
            patience: WorkPool.patience,
            didRest: rest
        )
        writing = WorkLane("laurel writes", threads: 1, patience: WorkPool.patience, didRest: rest)
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
    /// Runs what only reads on one of the engine's threads, of which there are as many as processors, and two at least. It must
    /// not wait for another call of this kind.
    /// - Throws: What `body` throws, or `CancellationError`.
    package func asking<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await pool.ask(body)
    }

    /// Runs what writes on the engine's writing thread, one after the other. Cancelled while it runs, it is undone up to its last
    /// commit.
    /// - Throws: What `body` throws, or `CancellationError`.
    package func writing<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await pool.write(body)
    }
}
