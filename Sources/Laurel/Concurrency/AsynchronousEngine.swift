public import Foundation
public import LaurelWire

/// The same calls for tasks. Called with `await`, they wait for one of the engine's threads and take none of those that Swift's
/// tasks share, so that any number may be under way. A task that is cancelled waits no longer, with `CancellationError`; a call that is
/// under way ends at its next step, with what it has committed.
extension ProgressEngine {
    private static let opening = WorkLane("laurel opens", threads: 1, patience: 2) {}

    /// Opens a store; see the synchronous call.
    public static func open(
        _ file: URL,
        rules: RulesSource = .store,
        readOnly: Bool = false
    ) async throws -> ProgressEngine {
        try await opening.run { try open(file, rules: rules, readOnly: readOnly) }
    }

    /// Replaces the store's rules; see the synchronous call.
    public func apply(rules: RulesSource, from day: CivilDay? = nil) async throws {
        try await writing { try self.apply(rules: rules, from: day) }
    }

    /// Stores events; see the synchronous call.
    @discardableResult
    public func ingest(cloudEvents: Data, now: Date = Date()) async throws -> IngestReport {
        try await writing { try self.ingest(cloudEvents: cloudEvents, now: now) }
    }

    /// Stores events; see the synchronous call.
    @discardableResult
    public func ingest(_ events: [Event], now: Date = Date()) async throws -> IngestReport {
        try await writing { try self.ingest(events, now: now) }
    }

    /// The ids of all learners, in byte order.
    public func learnerIDs() async throws -> [String] { try await asking { try self.learnerIDs() } }

    /// Who was touched by the commits after one; see the synchronous call.
    public func changes(since commit: Int) async throws -> LearnerChanges {
        try await asking { try self.changes(since: commit) }
    }
}
