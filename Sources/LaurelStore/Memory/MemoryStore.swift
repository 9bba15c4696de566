// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// A store in memory: simple, and what every other store is compared with.
package final class MemoryStore: EventStore {
    /// Held for the time of a write.
    private let writing = Gate()
    /// Held as long as a shadow is built.
    private let shadowing = Gate()
    private let gate = Gate()
    /// Used with `gate` held only.
    nonisolated(unsafe) private var state = MemoryState()
    package let commits = CommitSignal()

    package init() {}

    package func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        let copy = gate.withLock { state }
        return try body(MemorySession(copy))
    }

    package func readTogether<T>(_ body: (any StoreState) throws -> T) throws -> T {
        try body(MemorySnapshot(gate.withLock { state }))
    }

    package func write<T>(_ body: (any StoreTransaction) throws -> T) throws -> T {
        try writing.withLock {
            let session = MemorySession(gate.withLock { state })
            let result = try body(session)
            session.state.version = session.versions.after
            gate.withLock { state = session.state }
            commits.send()
            return result
        }
    }

    package func newProbe() -> any CommitProbe { MemoryProbe(self) }

    package func giveBackMemory() {}

    package func close() {}

    package func version() -> StoreVersion? { gate.withLock { state.version } }

    package func newBatch() -> any ProjectionBatch { MemoryBatch() }

    package func withShadow<T>(_ body: () throws -> T) throws -> T {
        try shadowing.withLock {
            defer { writing.withLock { gate.withLock { state.shadow = nil } } }
            return try body()
        }
    }
}

private final class MemoryProbe: CommitProbe, @unchecked Sendable {
    private let store: MemoryStore
    private var seen: StoreVersion?

    init(_ store: MemoryStore) {
        self.store = store
        seen = store.version()
    }

    func hasNews() -> Bool {
        let version = store.version()
        defer { seen = version }
        return version != seen
    }

    func close() {}
}

/// A state that stays as it is, whatever is written.
private final class MemorySnapshot: StoreState, @unchecked Sendable {
    private let state: MemoryState

    init(_ state: MemoryState) { self.state = state }

    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T { try body(MemorySession(state)) }
}

/// All there is in a store.
struct MemoryState {
    struct Learner {
        var record: LearnerRecord
        /// The number of the commit that touched them last.
        var changed: Int64 = 0
        /// In the order of arrival.
        var events = EventTable()
        /// Where each of them is.
        var places: [Identity: Int] = [:]
        var derived = Derived()
        var copies: [String: [UInt8]] = [:]
    }

    /// What tells a learner's events apart.
    struct Identity: Hashable {
        let source: [UInt8]
        let id: [UInt8]

        init(_ table: EventTable, _ row: Int) {
            source = Array(table.texts[table.source[row]])
            id = table.identifier(row)
        }
    }

    struct Derived {
        var snapshot: [UInt8]?
        /// Ascending.
        var checkpoints: [Checkpoint] = []
        var projection: LearnerProjection?
    }

    struct Shadow {
        var derived: [Int64: Derived] = [:]
        var changed: Set<Int64> = []
    }

    var version = StoreVersion(others: 0, write: StoreVersion.newWrite())
    var learners: [Int64: Learner] = [:]
    var nextLearner: Int64 = 1
    var shadow: Shadow?
    /// Those in force, ascending by their days, and all that were applied.
    var rules: [RulesRecord] = []
    var rulesHistory: [RulesRecord] = []
    var timeZones: String?
    var serviceRecords: [String: String] = [:]
    var foldVersion: UInt64 = 0
    /// The numbers of the last commit that touched anybody, and of the last one that touched everybody.
    var commit: Int64 = 0
    var everybody: Int64 = 0
    var quarantine: [(line: QuarantineRecord, bytes: [UInt8])] = []
    var nextLine: Int64 = 1
}

/// One read or write of a ``MemoryStore``.
final class MemorySession: StoreTransaction {
    var state: MemoryState
    let versions: (before: StoreVersion, after: StoreVersion)
    /// The last commit's number.
    private let lastCommit: Int64

    init(_ state: MemoryState) {
        self.state = state
        lastCommit = state.commit
        versions = (state.version, StoreVersion(others: 0, write: StoreVersion.newWrite()))
    }

    // MARK: Changes

    /// Somebody is touched.
    /// - Returns: the commit's number.
    private func touch() -> Int64 {
        state.commit = lastCommit + 1
        return state.commit
    }

    func touchEverybody() { state.everybody = touch() }

    func changes(since commit: Int64, limit: Int) -> StoreChanges {
        let touched = state.learners.values.filter { $0.changed > commit }
        guard (state.everybody...state.commit).contains(commit), touched.count <= limit else {
            return StoreChanges(commit: state.commit, everybody: true)
        }
        return StoreChanges(commit: state.commit, learners: touched.map(\.record.subject))
    }

    func version(ofLearner subject: [UInt8]) -> LearnerVersion? {
        guard let learner = state.learners.values.first(where: { $0.record.subject == subject }) else { return nil }
        return LearnerVersion(learner: learner.changed, everybody: state.everybody)
    }

    func serviceRecords(prefix: String, before end: String?, limit: Int) -> [String: String] {
        let found = state.serviceRecords.filter { name, _ in
            name.utf8.starts(with: prefix.utf8) && end.map { name.utf8.lexicographicallyPrecedes($0.utf8) } ?? true
        }.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return Dictionary(found.prefix(limit).map { ($0.key, $0.value) }) { first, _ in first }
    }

    func setServiceRecord(_ name: String, _ value: String?) { state.serviceRecords[name] = value }

    // MARK: Learners

    func learner(named subject: [UInt8]) -> LearnerRecord? {
        state.learners.values.first { $0.record.subject == subject }?.record
    }

    func learner(_ id: Int64) -> LearnerRecord? { state.learners[id]?.record }

    func lastEventTime(of learner: Int64) -> Int64? { state.learners[learner]?.events.milliseconds.max() }

    func learnerIDs() -> Range<Int64> {
        guard let first = state.learners.keys.min(), let last = state.learners.keys.max() else { return 0..<0 }
        return first..<last + 1
    }

    private var bySubject: [MemoryState.Learner] {
        state.learners.values.sorted { $0.record.subject.lexicographicallyPrecedes($1.record.subject) }
    }

    func forEachLearner(_ body: (LearnerRecord) throws -> Void) rethrows {
        for learner in bySubject { try body(learner.record) }
    }

    func learnerIDs(for subjects: [[UInt8]]) -> [Int64] { subjects.map(learnerID) }

    private func learnerID(for subject: [UInt8]) -> Int64 {
        if let learner = learner(named: subject) { return learner.id }
        let id = state.nextLearner
        state.nextLearner += 1
        state.learners[id] = MemoryState.Learner(record: LearnerRecord(id: id, subject: subject, eventCount: 0))
        return id
    }

    func copies(of learner: Int64) -> [RememberedCopy] {
        (state.learners[learner]?.copies ?? [:]).map { RememberedCopy(name: $0.key, data: $0.value) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    func remember(_ copy: RememberedCopy, of learner: Int64) {
        state.learners[learner]?.copies[copy.name] = copy.data
    }

    func forgetCopies(named names: [String], of learner: Int64) {
        for name in names { state.learners[learner]?.copies[name] = nil }
    }

    // MARK: Events

    func events(of learner: Int64, since: Int64?, until: Int64?, fields: FieldSelection) -> [EventRun] {
        guard let table = state.learners[learner]?.events, table.count > 0 else { return [] }
        let rows = Array(0..<table.count)
            .filter { table.milliseconds[$0] >= since ?? .min && table.milliseconds[$0] <= until ?? .max }
            .sorted { table.isBefore($0, table, $1) }
        guard !rows.isEmpty else { return [] }
        return [EventRun(table: EventTable(gathering: rows, of: table), rows: 0..<rows.count)]
    }

    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        upTo limit: Int,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) rethrows {
        for id in state.learners.keys.sorted() where ids.contains(id) {
            let record = state.learners[id]!.record
            let isGiven = record.eventCount <= limit
            try body(record, isGiven ? events(of: id, since: nil, until: nil, fields: fields) : [])
        }
    }

    func forEachStretch(
        of learner: Int64,
        fields: FieldSelection,
        types: [String]?,
        _ body: ([EventRun]) throws -> Void
    ) rethrows {
        try body(events(of: learner, since: nil, until: nil, fields: fields))
    }

    func append(_ table: EventTable, groups: [LearnerRows]) throws -> AppendResult {
        var result = AppendResult(outcomes: Array(repeating: .skipped, count: table.count), stored: [])
        for group in groups {
            // Taken out for as long as it is changed: with two owners each row would copy all there is.
            guard var learner = state.learners.removeValue(forKey: group.learner) else {
                throw StoreError(.misuse, "learner \(group.learner) does not exist")
            }
            var copier = RowCopier(learner.events)
            learner.events = EventTable()
            copier.begin(table)
            var kept: [Int] = []
            for row in group.rows {
                let identity = MemoryState.Identity(table, row)
                if let place = learner.places[identity] {
                    let isSame = copier.table.hasSameContent(place, table, row)
                    result.outcomes[row] = isSame ? .duplicate : .conflict
                    continue
                }
                learner.places[identity] = copier.table.count
                copier.append(row, of: table)
                result.outcomes[row] = .stored
                kept.append(row)
            }
            learner.events = copier.table
            learner.record.eventCount = learner.events.count
            if !kept.isEmpty {
                state.shadow?.changed.insert(group.learner)
                learner.changed = touch()
            }
            state.learners[group.learner] = learner
            kept.sort { table.isBefore($0, table, $1) }
            result.stored.append(LearnerRows(learner: group.learner, rows: kept))
        }
        return result
    }

    func erase(subject: [UInt8]) -> Bool {
        let before = (state.learners.count, state.quarantine.count)
        if let learner = learner(named: subject) {
            touchEverybody()
            state.learners[learner.id] = nil
            state.shadow?.derived[learner.id] = nil
            state.shadow?.changed.insert(learner.id)
        }
        state.quarantine.removeAll { $0.line.subject == subject }
        return before != (state.learners.count, state.quarantine.count)
    }
}
