// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Calls for tasks. The work runs on the engine's own threads, not on the threads that Swift's tasks share. So any
/// number of tasks may wait.
extension ProgressEngine {
    private static let opening = CallQueue("laurel opens", threads: 1)

    /// Opens a store on a separate thread; see the synchronous call.
    public static func open(
        path: String,
        for use: StoreUse = .writing,
        rules: Rules? = nil,
        settings: StoreSettings = StoreSettings()
    ) async throws -> ProgressEngine {
        try await opening.run { try open(path: path, for: use, rules: rules, settings: settings) }
    }

    /// Opens a store on a separate thread; see the synchronous call.
    public static func open(
        _ file: URL,
        for use: StoreUse = .writing,
        rules: Rules? = nil,
        settings: StoreSettings = StoreSettings()
    ) async throws -> ProgressEngine {
        try await opening.run { try open(file, for: use, rules: rules, settings: settings) }
    }

    /// Runs queries on one of the engine's reading threads. The engine has one per processor, and at least two.
    ///
    ///     let progress = try await engine.read { try $0.learner("ana").progress() }
    ///
    /// Each query in `body` reads the newest commit. `body` must not wait for another call of `read` or `write`.
    /// - Parameter body: called with the engine.
    /// - Throws: the error of `body`; or `CancellationError` after the task is cancelled. If the call still waits for
    ///   a thread, it throws at once; otherwise at the next step of the query.
    public func read<Answer: Sendable>(
        _ body: @escaping @Sendable (ProgressEngine) throws -> Answer
    ) async throws -> Answer {
        try await pool.ask { try body(self) }
    }

    /// Runs calls that write on the engine's writing thread, so that waiting writers occupy no reading thread.
    ///
    ///     let report = try await engine.write { try $0.ingest(cloudEvents: batch) }
    ///
    /// `body` may also read. Bodies run one after another. Each call in a body has its own commit.
    /// - Parameter body: called with the engine.
    /// - Throws: the error of `body`; or `CancellationError` when the task is cancelled, as for `read(_:)`. Commits
    ///   made before the error remain.
    @discardableResult
    public func write<Answer: Sendable>(
        _ body: @escaping @Sendable (ProgressEngine) throws -> Answer
    ) async throws -> Answer {
        try await pool.write { try body(self) }
    }
}
