// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelProgress
package import LaurelRules
package import LaurelStore
import Synchronization

/// Ingests events, answers questions about progress, replays and compares: everything that an app needs from Laurel.
public final class ProgressEngine: Sendable {
    let store: any EventStore
    private let chosen: Mutex<ChosenRules>
    /// The compiled rules to fold with. Another process may give the store other rules at any time. So code that reads
    /// or writes stored progress asks ``plan(for:)`` or ``planInForce(in:rebuilding:)`` once, and keeps to the answer.
    package var plan: FoldPlan { chosen.withLock { $0.plan } }
    /// Whether the store's progress was computed under other rules than the plan's.
    var isForeign: Bool { chosen.withLock { $0.standing != .stored } }
    /// The states of learners folded lately.
    let recent: FoldStateCache
    let toolCache = IngestToolCache()
    let listening = Mutex(ActiveWebhooks())
    /// For calls from tasks.
    let pool: WorkPool
    /// For streams of changes.
    let watch: CommitWatcher
    /// When rules that are new to the store are applied, in milliseconds since 1970.
    private let clock: Int64

    /// The version of the rules for the latest days, which may be in force nowhere yet.
    package var rules: RuleSet { plan.latest.rules }

    /// The version in force at an instant, where no learner's clock is given.
    package func rules(at instant: Timestamp) -> RuleSet { plan.version(at: instant).rules }

    /// Opens a store that exists, for reading.
    /// - Parameter rules: To read progress under other rules than the store's; progress is then folded as it is asked.
    package static func openForReading(
        _ location: String,
        rules: RuleSet?,
        learnerMemory: Int = StoreSettings().learnerMemory
    ) throws -> ProgressEngine {
        let store = try StoreBackend(location).open(mode: .readOnly)
        return try ProgressEngine(store: store, rules: rules, clock: 0, learnerMemory: learnerMemory)
    }

    /// Opens a store for writing, made if there is none.
    /// - Parameters:
    ///   - rules: Those of a new store; nil leaves the store's own, or the shipped default in a new one.
    ///   - clock: When the rules are applied, in milliseconds since 1970.
    ///   - options: What of the store is other than usual.
    ///   - learnerMemory: ``StoreSettings/learnerMemory``.
    /// - Throws: ``StoreError`` of code `otherRules` where the store has others.
    package static func openForWriting(
        _ location: String,
        rules: RuleSet?,
        clock: Int64,
        options: StoreOptions = StoreOptions(),
        learnerMemory: Int = StoreSettings().learnerMemory
    ) throws -> ProgressEngine {
        let store = try StoreBackend(location).open(mode: .readWrite, options: options)
        let engine = try ProgressEngine(store: store, rules: rules, clock: clock, learnerMemory: learnerMemory)
        let stored = engine.isForeign && rules != nil ? try store.read { try $0.rules() } : []
        if !stored.isEmpty { throw StoreError(otherRules: stored) }
        return engine
    }

    /// Opens an existing store to check it, to export its events or refused lines, or to remove some. For that its rules
    /// need not be readable; do not ask for numbers.
    package static func openForMaintenance(_ location: String, mode: StoreMode) throws -> ProgressEngine {
        let store = try StoreBackend(location).open(mode: mode)
        if let engine = try? ProgressEngine(store: store, rules: nil, clock: 0) { return engine }
        return ProgressEngine(store: store, chosen: ChosenRules(shipped: try DefaultRules.load()))
    }

    private init(store: any EventStore, chosen: ChosenRules) {
        self.store = store
        recent = FoldStateCache(limit: 0)
        pool = WorkPool(store)
        watch = CommitWatcher(store)
        self.clock = 0
        self.chosen = Mutex(chosen)
    }

    package init(
        store: any EventStore,
        rules: RuleSet?,
        clock: Int64,
        learnerMemory: Int = StoreSettings().learnerMemory
    ) throws {
        let isChosen = rules != nil
        self.store = store
        recent = FoldStateCache(limit: learnerMemory)
        pool = WorkPool(store)
        watch = CommitWatcher(store)
        self.clock = clock
        let stored = try store.read { try $0.rules() }
        if rules == nil, !stored.isEmpty {
            chosen = Mutex(try ChosenRules(stored))
            return
        }
        let plan = FoldPlan(rules: try rules ?? DefaultRules.load())
        let key = plan.key
        let standing: ChosenRules.Standing =
            if stored.isEmpty { isChosen ? .given : .shipped } else { RulesKey.key(stored) == key ? .stored : .wanted }
        chosen = Mutex(ChosenRules(plan: plan, key: key, standing: standing))
    }

    deinit { watch.close() }

    /// Ends all streams of changes, and closes the store's files, which a later call opens again. Also done when the last reference to
    /// the engine goes.
    public func close() {
        watch.close()
        store.close()
    }

    /// Reads, checks and compiles a rules file.
    package static func loadRules(file: String) throws -> RuleSet {
        try RuleSet(yaml: try read(file, limit: 1 << 20), file: file) {
            TimeZoneDatabase.shared.zone(named: $0) != nil
        }
    }

    /// A file's bytes, and one more than the limit where it is longer.
    package static func read(_ file: String, limit: Int) throws -> [UInt8] {
        let source = try FileSource(path: file)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = try chunk.withUnsafeMutableBufferPointer { try source.read(into: $0) }
            if count == 0 { break }
            bytes += chunk[0..<count]
        }
        return bytes
    }
}

/// The rules that an engine folds with, and whose they are.
private struct ChosenRules {
    enum Standing {
        /// They are the store's.
        case stored
        /// The caller wants to read under them, whatever the store has.
        case wanted
        /// The caller gives them to a store that has none yet: they become the store's with the first write, whoever's it is.
        case given
        /// The store has none: they become the store's unless it has got others by then.
        case shipped
    }

    let plan: FoldPlan
    /// ``RulesKey`` of the plan's versions.
    let key: String
    var standing: Standing

    init(plan: FoldPlan, key: String, standing: Standing) {
        self.plan = plan
        self.key = key
        self.standing = standing
    }

    init(shipped rules: RuleSet) {
        let plan = FoldPlan(rules: rules)
        self.init(plan: plan, key: plan.key, standing: .shipped)
    }

    /// The rules that a store has.
    init(_ stored: [RulesRecord]) throws(RulesError) {
        self.init(plan: try FoldPlan(applied: stored), key: RulesKey.key(stored), standing: .stored)
    }
}

extension ProgressEngine {
    /// The plan to read stored progress with. Where the engine goes by the store's rules and these have changed, it
    /// takes them over.
    func plan(for reader: any StoreReader) throws -> FoldPlan {
        try planOfStore(in: reader) ?? plan
    }

    /// The plan of the store's rules; nil where it has none, or the caller wants others.
    private func planOfStore(in reader: any StoreReader) throws -> FoldPlan? {
        let chosen = chosen.withLock { $0 }
        guard let key = try reader.rulesKey() else { return nil }
        if key == chosen.key {
            if chosen.standing != .stored { rulesAreStored() }
            return chosen.plan
        }
        switch chosen.standing {
        case .stored, .shipped: break
        case .wanted: return nil
        case .given:
            // They may have been the store's since, by another's write.
            let hash = chosen.plan.latest.rules.contentHash
            guard try reader.rulesHistory().contains(where: { $0.hash == hash }) else { return nil }
        }
        return try takeOver(reader.rules())
    }

    /// Writes progress of some partitions' learners.
    /// - Parameter body: given the plan under which it must project; it may be called a second time, after the first was undone.
    /// - Throws: ``StoreError`` of code `otherRules` where the caller wants others than the store's.
    func write<T>(
        in partitions: [Int],
        _ body: (any StoreTransaction, FoldPlan) throws -> T
    ) throws -> T {
        if store.partitions == 1 { return try writeAll(body) }
        while true {
            let result: T? = try store.write(in: partitions) { transaction in
                // What is everybody's is not to be written here.
                guard try transaction.rulesKey() != nil, try !isOutdated(transaction) else { return nil }
                return try body(transaction, planToWriteBy(in: transaction))
            }
            if let result {
                rulesAreStored()
                return result
            }
            try writeAll { _, _ in }
        }
    }

    /// As ``write(in:_:)``, of all partitions.
    /// - Parameter rebuilding: whether progress that an older fold computed is rebuilt first.
    func writeAll<T>(
        rebuilding: Bool = true,
        _ body: (any StoreAdministration, FoldPlan) throws -> T
    ) throws -> T {
        let result = try store.writeAll { try body($0, planInForce(in: $0, rebuilding: rebuilding)) }
        rulesAreStored()
        return result
    }

    /// The plan of the rules that a store has, to write by.
    private func planToWriteBy(in transaction: any StoreTransaction) throws -> FoldPlan {
        guard let plan = try planOfStore(in: transaction) else { throw StoreError(otherRules: try transaction.rules()) }
        return plan
    }

    /// The plan under which a transaction must project: that of the store's rules, which the caller's become in a store
    /// that has none. To be asked in every transaction that writes progress, for another process may have applied other
    /// rules since the last one.
    /// - Parameter rebuilding: whether progress that an older fold computed is rebuilt.
    /// - Throws: ``StoreError`` of code `otherRules` where the caller wants others than the store's.
    private func planInForce(in transaction: any StoreAdministration, rebuilding: Bool) throws -> FoldPlan {
        let key = try transaction.rulesKey()
        let plan = key == nil ? self.plan : try planToWriteBy(in: transaction)
        if key == nil {
            try transaction.setRules(RulesRecord(plan.latest.rules, from: nil, in: transaction, at: clock))
        }
        if try isOutdated(transaction) {
            try transaction.setFoldVersion(StateFormat.version)
            // All of the progress is computed anew.
            try transaction.setTimeZones(TimeZoneDatabase.shared.version)
            if rebuilding, key != nil { try LearnerUpdater(store: store, plan: plan).rebuild(in: transaction) }
        }
        return plan
    }

    /// Whether the store's progress was computed by an older fold than this program's: it is not read, and the next write
    /// computes it anew.
    func isOutdated(_ reader: any StoreReader) throws -> Bool { try reader.foldVersion() != StateFormat.version }

    /// Whether the store's progress is what the plan would give.
    func holdsProgress(_ reader: any StoreReader) throws -> Bool {
        _ = try plan(for: reader)
        return try !isForeign && !isOutdated(reader)
    }

    /// The rules are stored: from now on they are the store's.
    private func rulesAreStored() { chosen.withLock { $0.standing = .stored } }

    /// Uses these rules from now on.
    @discardableResult
    func takeOver(_ stored: [RulesRecord]) throws -> FoldPlan {
        let new = try ChosenRules(stored)
        chosen.withLock { $0 = new }
        return new.plan
    }
}

extension StoreError {
    /// Rules were given to a store that has others.
    init(otherRules stored: [RulesRecord]) {
        let names = stored.map { "version \($0.version) (“\($0.name)”" + ($0.from.map { " from \($0)" } ?? "") + ")" }
        self.init(
            .otherRules,
            "the store has other rules, \(names.joined(separator: ", ")), and rules are given to a new store"
                + " only; `laurel rules diff FILE` says what yours would change, `laurel rules apply FILE` replaces them"
        )
    }
}

extension RulesRecord {
    /// Rules as they are applied after all others.
    init(_ rules: RuleSet, from: LocalDay?, in reader: any StoreReader, at clock: Int64) throws {
        self.init(
            version: (try reader.rulesHistory().last?.version ?? 0) + 1,
            hash: rules.contentHash,
            name: rules.name,
            appliedAt: clock,
            source: rules.source,
            from: from
        )
    }
}

extension FoldPlan {
    /// The versions that a store has.
    convenience init(applied records: [RulesRecord]) throws(RulesError) {
        var versions: [(rules: RuleSet, from: LocalDay?)] = []
        for record in records { versions.append((try RuleSet(applied: record), record.from)) }
        self.init(versions: versions)
    }

    /// See ``RulesKey``.
    var key: String { RulesKey.key(versions.map { ($0.rules.contentHash, $0.from) }) }
}

extension RuleSet {
    /// Rules that a store has, or had.
    init(applied record: RulesRecord) throws(RulesError) { try self.init(applied: record.source, name: record.name) }

    init(applied source: [UInt8], name: String) throws(RulesError) {
        try self.init(checkedBefore: source, file: name) {
            TimeZoneDatabase.shared.zone(named: $0) != nil
        }
    }

    /// SHA-256 of the file, hexadecimal.
    package var contentHash: String { SHA256.hash(source).hexadecimal }
}
