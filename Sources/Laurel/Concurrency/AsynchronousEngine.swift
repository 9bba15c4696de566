// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelResults
public import LaurelWire

/// The same calls for tasks. Called with `await`, they wait for one of the engine's threads and take none of those that Swift's
/// tasks share, so that any number may be under way. A task that is cancelled waits no longer, with `CancellationError`; a call that
/// is under way ends at its next step, with what it has committed.
extension ProgressEngine {
    private static let opening = CallQueue("laurel opens", threads: 1)

    /// Opens a store; see the synchronous call.
    public static func open(
        path: String,
        for use: StoreUse = .writing,
        rules: Rules? = nil,
        settings: StoreSettings = StoreSettings()
    ) async throws -> ProgressEngine {
        try await opening.run { try open(path: path, for: use, rules: rules, settings: settings) }
    }

    /// Opens a store; see the synchronous call.
    public static func open(
        _ file: URL,
        for use: StoreUse = .writing,
        rules: Rules? = nil,
        settings: StoreSettings = StoreSettings()
    ) async throws -> ProgressEngine {
        try await opening.run { try open(file, for: use, rules: rules, settings: settings) }
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

    /// Reads and stores events; see the synchronous call.
    /// - Parameters:
    ///   - sources: what is read, one after another.
    ///   - options: the settings of this call.
    ///   - observe: called on another thread.
    @discardableResult
    public func ingest(
        _ sources: [IngestSource],
        options: IngestOptions = IngestOptions(),
        observe: @escaping @Sendable (IngestProgress) -> Void = { _ in }
    ) async throws -> IngestReport {
        try await writing { try self.ingest(sources, options: options, observe: observe) }
    }

    /// The ids of all learners, in byte order.
    public func learnerIDs() async throws -> [String] { try await asking { try self.learnerIDs() } }

    /// Learners with their headline numbers; see the synchronous call.
    public func learners(
        cohort: String? = nil,
        order: LearnerOrder = .id,
        after id: String? = nil,
        limit: Int? = nil,
        at date: Date? = nil
    ) async throws -> [LearnerOverview] {
        try await asking { try self.learners(cohort: cohort, order: order, after: id, limit: limit, at: date) }
    }

    /// Learners by XP; see the synchronous call.
    public func leaderboard(
        _ period: LeaderboardPeriod,
        language: String? = nil,
        cohort: String? = nil,
        part: LeaderboardPart = .top(nil),
        at date: Date? = nil
    ) async throws -> Leaderboard? {
        try await asking {
            try self.leaderboard(period, language: language, cohort: cohort, part: part, at: date)
        }
    }

    /// Everyone who took part in a session; see the synchronous call.
    public func leaderboard(
        ofSession id: String,
        language: String? = nil,
        cohort: String? = nil,
        part: LeaderboardPart = .top(nil),
        at date: Date? = nil
    ) async throws -> SessionLeaderboard? {
        try await asking {
            try self.leaderboard(ofSession: id, language: language, cohort: cohort, part: part, at: date)
        }
    }

    /// Who was touched by the commits after one; see the synchronous call.
    public func changes(since commit: CommitPosition) async throws -> LearnerChanges {
        try await asking { try self.changes(since: commit) }
    }
}

/// Keeping a store.
extension ProgressEngine {
    /// Rebuilds all progress from the events; see the synchronous call.
    /// - Parameter observe: called on another thread.
    @discardableResult
    public func replay(
        observe: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) async throws -> ReplayReport {
        try await writing { try self.replay(observe: observe) }
    }

    /// Compares what is stored with what the events give; see the synchronous call.
    /// - Parameter observe: called on another thread.
    public func check(
        observe: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) async throws -> ReplayReport {
        try await asking { try self.check(observe: observe) }
    }

    /// One hash over all progress; see the synchronous call.
    /// - Parameter observe: called on another thread.
    public func fingerprint(
        observe: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) async throws -> String {
        try await asking { try self.fingerprint(observe: observe) }
    }

    /// Checks every page and block; see the synchronous call.
    /// - Parameter observe: called on another thread.
    public func verify(
        observe: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> VerificationReport {
        try await asking { try self.verify(observe: observe) }
    }

    /// How much the store holds.
    public func size() async throws -> StoreSize { try await asking { try self.size() } }

    /// Exports stored events as NDJSON; see the synchronous call.
    /// - Parameters:
    ///   - learner: whom it is about; nil for everyone.
    ///   - body: called on another thread.
    public func export(
        learner: String? = nil,
        _ body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> Int? {
        try await asking { try self.export(learner: learner, body) }
    }

    /// Removes all there is of a learner; see the synchronous call.
    public func erase(learner: String, by actor: AuditActor? = nil) async throws -> Bool {
        try await writing { try self.erase(learner: learner, by: actor) }
    }

    /// Entries of the audit log; see the synchronous call.
    public func auditLog(
        before id: String? = nil,
        since date: Date? = nil,
        limit: Int = 100
    ) async throws -> [AuditEntry] {
        try await asking { try self.auditLog(before: id, since: date, limit: limit) }
    }

    /// Lines in quarantine; see the synchronous call.
    public func quarantinedLines(after id: Int = .min, limit: Int = 1000) async throws -> [QuarantinedLine] {
        try await asking { try self.quarantinedLines(after: id, limit: limit) }
    }

    /// How many lines are in quarantine, by reason.
    public func quarantineCounts() async throws -> [QuarantineCount] {
        try await asking { try self.quarantineCounts() }
    }

    /// Removes lines from quarantine; see the synchronous call.
    public func dropQuarantined(_ ids: [Int]?, by actor: AuditActor? = nil) async throws -> Int {
        try await writing { try self.dropQuarantined(ids, by: actor) }
    }
}

/// Other rules.
extension ProgressEngine {
    /// What would change for whom under other rules; see the synchronous call.
    /// - Parameters:
    ///   - rules: the rules that would be in force, or come into force.
    ///   - day: the local day from which they are in force; nil for the whole of time.
    ///   - options: the settings of this call.
    ///   - observe: called on another thread.
    public func diff(
        _ rules: Rules,
        from day: LocalDay? = nil,
        options: DiffOptions = DiffOptions(),
        observe: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) async throws -> RulesDiff {
        try await asking { try self.diff(rules, from: day, options: options, observe: observe) }
    }

    /// Gives the store other rules; see the synchronous call.
    /// - Parameters:
    ///   - rules: the rules that would be in force, or come into force.
    ///   - day: the local day from which they are in force; nil for the whole of time.
    ///   - options: the settings of this call.
    ///   - observe: called on another thread.
    @discardableResult
    public func apply(
        _ rules: Rules,
        from day: LocalDay? = nil,
        options: ApplyOptions = ApplyOptions(),
        observe: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) async throws -> RulesApplication {
        try await writing { try self.apply(rules, from: day, options: options, observe: observe) }
    }

    /// Takes back a version that is not in force anywhere yet; see the synchronous call.
    /// - Parameters:
    ///   - day: that of the version to take back.
    ///   - options: the settings of this call.
    ///   - observe: called on another thread.
    @discardableResult
    public func withdraw(
        from day: LocalDay,
        options: ApplyOptions = ApplyOptions(),
        observe: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) async throws -> RulesWithdrawal {
        try await writing { try self.withdraw(from: day, options: options, observe: observe) }
    }
}
