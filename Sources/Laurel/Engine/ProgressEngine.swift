// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelProgress
package import LaurelRules
package import LaurelStore
import Synchronization

/// Laurel's main type: ingests events, answers queries about progress, replays and compares.
public final class ProgressEngine: Sendable {
    let store: any EventStore
    private let chosen: Mutex<ChosenRules>
    /// The compiled rules to fold with. Another process may apply other rules to the store at any time. So a function
    /// that reads or writes stored progress calls ``plan(for:)`` or ``planInForce(in:rebuilding:)`` once, and uses only
    /// that result.
    package var plan: FoldPlan { chosen.withLock { $0.plan } }
    /// True if the store's progress was not computed under the rules of the plan.
    var isForeign: Bool { chosen.withLock { $0.standing != .stored } }
    /// The states of recently folded learners.
    let recent: FoldStateCache
    let leagueRankings = LeagueRankings()
    let toolCache = IngestToolCache()
    let mergedNames = MergedNames()
    let listening = Mutex(ActiveWebhooks())
    /// The threads for calls from tasks.
    let pool: WorkPool
    /// The watcher that serves the streams of changes.
    let watch: CommitWatcher
    /// The time recorded for rules that the engine applies to a store without rules, in milliseconds since 1970.
    private let clock: Int64

    /// The latest version of the rules, which may not be in force yet.
    package var rules: RuleSet { plan.latest.rules }

    /// The first day of these rules; nil if they are in force from the beginning.
    package var rulesBegin: LocalDay? { plan.latest.from }

    /// The rules in force at an instant, by the rules' own clock.
    package func rules(at instant: Timestamp) -> RuleSet { plan.version(at: instant).rules }

    /// Opens an existing store for reading.
    /// - Parameter rules: rules under which to read progress; nil for the store's rules. Under other rules, progress is
    ///   folded on demand.
    package static func openForReading(
        _ location: String,
        rules: RuleSet?,
        learnerMemory: Int = StoreSettings().learnerMemory
    ) throws -> ProgressEngine {
        let store = try StoreBackend(location).open(mode: .readOnly)
        return try ProgressEngine(store: store, rules: rules, clock: 0, learnerMemory: learnerMemory)
    }

    /// Opens a store for writing, and creates it if necessary.
    /// - Parameters:
    ///   - rules: the rules of a new store; nil for the store's own rules, or the default rules in a new store.
    ///   - clock: the time recorded for rules that are applied, in milliseconds since 1970.
    ///   - options: the settings of the store.
    ///   - learnerMemory: see ``StoreSettings/learnerMemory``.
    /// - Throws: ``StoreError`` of code `otherRules` if the store has other rules.
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

    /// Opens an existing store to check it, or to export or remove events or refused lines. Its rules may be
    /// unreadable, so do not query progress.
    package static func openForMaintenance(_ location: String, mode: StoreMode) throws -> ProgressEngine {
        let store = try StoreBackend(location).open(mode: mode)
        do {
            return try ProgressEngine(store: store, rules: nil, clock: 0)
        } catch let error as StoreError where error.code == .restoreUnfinished {
            throw error
        } catch {}
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

    /// - Parameter mayBeUnfinished: true to open a store whose restore is unfinished, in order to finish it.
    package init(
        store: any EventStore,
        rules: RuleSet?,
        clock: Int64,
        learnerMemory: Int = StoreSettings().learnerMemory,
        mayBeUnfinished: Bool = false
    ) throws {
        let isChosen = rules != nil
        self.store = store
        recent = FoldStateCache(limit: learnerMemory)
        pool = WorkPool(store)
        watch = CommitWatcher(store)
        self.clock = clock
        let stored = try store.read { reader in
            guard try mayBeUnfinished || reader.serviceRecord(ServiceRecordName.restoring) == nil else {
                throw StoreError(
                    .restoreUnfinished,
                    "the restore into this store was interrupted; run the same `laurel restore` again to finish it"
                )
            }
            return try reader.rules()
        }
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

    /// Ends all streams of changes, and closes the store's files. A later call opens the files again. Releasing the
    /// last reference to the engine also closes the files.
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

    /// The bytes of a file, at most one byte more than the limit.
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

/// The rules that an engine folds with, and their origin.
private struct ChosenRules {
    enum Standing {
        /// The store's rules.
        case stored
        /// Rules that the caller wants to use for reading instead of the store's rules.
        case wanted
        /// Rules that the caller gives to a new store. The first write of any process makes them the store's rules.
        case given
        /// The default rules, for a store without rules. They become the store's rules unless other rules are applied
        /// first.
        case shipped
    }

    let plan: FoldPlan
    /// The ``RulesKey`` of the plan's versions.
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

    /// Chooses the rules of a store.
    init(_ stored: [RulesRecord]) throws(RulesError) {
        self.init(plan: try FoldPlan(applied: stored), key: RulesKey.key(stored), standing: .stored)
    }
}

extension ProgressEngine {
    /// The plan for reading stored progress. If the engine uses the store's rules and these have changed, the engine
    /// switches to the new rules.
    func plan(for reader: any StoreReader) throws -> FoldPlan {
        try planOfStore(in: reader) ?? plan
    }

    /// The plan of the store's rules; nil if there are none, or the caller wants other rules.
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
            // Another process may have stored these rules, and later rules may have replaced them.
            let hash = chosen.plan.latest.rules.contentHash
            guard try reader.rulesHistory().contains(where: { $0.hash == hash }) else { return nil }
        }
        return try adoptRules(reader.rules())
    }

    /// Writes progress of learners of some partitions.
    /// - Parameter body: called with the plan under which to compute progress. If the first call cannot finish, its
    ///   writes are undone and `body` is called again.
    /// - Throws: ``StoreError`` of code `otherRules` if the caller wants other rules than the store's.
    func write<T>(
        in partitions: [Int],
        _ body: (any StoreTransaction, FoldPlan) throws -> T
    ) throws -> T {
        if store.partitions == 1 { return try writeAll(body) }
        while true {
            let result: T? = try store.write(in: partitions) { transaction in
                // This transaction writes only to some partitions. If the store has no rules, or an older fold
                // computed its progress, a transaction over all partitions must come first.
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

    /// Writes like ``write(in:_:)``, in all partitions.
    /// - Parameter rebuilding: true to rebuild progress first if an older fold computed it.
    func writeAll<T>(
        rebuilding: Bool = true,
        _ body: (any StoreAdministration, FoldPlan) throws -> T
    ) throws -> T {
        let result = try store.writeAll { try body($0, planInForce(in: $0, rebuilding: rebuilding)) }
        rulesAreStored()
        return result
    }

    /// The plan of the store's rules, for writing.
    private func planToWriteBy(in transaction: any StoreTransaction) throws -> FoldPlan {
        guard let plan = try planOfStore(in: transaction) else { throw StoreError(otherRules: try transaction.rules()) }
        return plan
    }

    /// The plan under which a transaction must compute progress. It is the plan of the store's rules. If the store has
    /// no rules, the caller's rules become the store's. Every transaction that writes progress must call this method,
    /// because another process may have applied other rules.
    /// - Parameter rebuilding: true to rebuild progress if an older fold computed it.
    /// - Throws: ``StoreError`` of code `otherRules` if the caller wants other rules than the store's.
    private func planInForce(in transaction: any StoreAdministration, rebuilding: Bool) throws -> FoldPlan {
        let key = try transaction.rulesKey()
        let plan = key == nil ? self.plan : try planToWriteBy(in: transaction)
        if key == nil {
            try transaction.setRules(RulesRecord(plan.latest.rules, from: nil, in: transaction, at: clock))
        }
        if try isOutdated(transaction) {
            try transaction.setFoldVersion(StateFormat.version)
            // All progress is recomputed with the current time zone data.
            try transaction.setTimeZones(TimeZoneDatabase.shared.version)
            if rebuilding, key != nil { try LearnerUpdater(store: store, plan: plan).rebuild(in: transaction) }
        }
        return plan
    }

    /// True if another version of the fold computed the store's progress. That progress is not read, and the next write
    /// recomputes it.
    func isOutdated(_ reader: any StoreReader) throws -> Bool { try reader.foldVersion() != StateFormat.version }

    /// True if the store's progress is valid under the plan.
    func holdsProgress(_ reader: any StoreReader) throws -> Bool {
        _ = try plan(for: reader)
        return try !isForeign && !isOutdated(reader)
    }

    /// Records that the chosen rules are now the store's.
    private func rulesAreStored() { chosen.withLock { $0.standing = .stored } }

    /// Uses the rules from now on.
    @discardableResult
    func adoptRules(_ stored: [RulesRecord]) throws -> FoldPlan {
        let new = try ChosenRules(stored)
        chosen.withLock { $0 = new }
        return new.plan
    }
}

extension StoreError {
    /// The error for rules that differ from the store's.
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
    /// Creates a record of rules to be applied after all other rules.
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
    /// Creates the plan of a store's versions of the rules.
    convenience init(applied records: [RulesRecord]) throws(RulesError) {
        var versions: [(rules: RuleSet, from: LocalDay?)] = []
        for record in records { versions.append((try RuleSet(applied: record), record.from)) }
        self.init(versions: versions)
    }

    /// The ``RulesKey`` of the versions.
    var key: String { RulesKey.key(versions.map { ($0.rules.contentHash, $0.from) }) }
}

extension RuleSet {
    /// Reads rules that were applied to a store.
    init(applied record: RulesRecord) throws(RulesError) { try self.init(applied: record.source, name: record.name) }

    init(applied source: [UInt8], name: String) throws(RulesError) {
        try self.init(checkedBefore: source, file: name) {
            TimeZoneDatabase.shared.zone(named: $0) != nil
        }
    }

    /// The SHA-256 of the file, in hexadecimal.
    package var contentHash: String { SHA256.hash(source).hexadecimal }
}
