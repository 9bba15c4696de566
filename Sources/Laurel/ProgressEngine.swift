import LaurelEvents
package import LaurelProgress
package import LaurelRules
package import LaurelStore
import Synchronization

/// Ingests events, answers questions about progress, replays and compares: all that an app needs of Laurel.
public final class ProgressEngine: Sendable {
    let store: any EventStore
    private let chosen: Mutex<ChosenRules>
    /// What is folded with. Another process may give the store other rules at any time: what reads or writes stored
    /// progress asks ``plan(for:)`` or ``planInForce(in:rebuilding:)`` once, and stays with the answer.
    package var plan: FoldPlan { chosen.withLock { $0.plan } }
    /// Whether the store's progress was computed under other rules than the plan's.
    var isForeign: Bool { chosen.withLock { $0.standing != .stored } }
    /// Those whom this engine has folded lately.
    let recent = RecentLearners()
    /// When rules that are new to the store are applied, in milliseconds since 1970.
    private let clock: Int64

    package var rules: RuleSet { plan.rules }

    /// Opens a store that exists, for reading.
    /// - Parameter rules: To read progress under other rules than the store's; progress is then folded as it is asked.
    package static func openForReading(_ location: String, rules: RuleSet?) throws -> ProgressEngine {
        try ProgressEngine(store: Self.store(at: location, mode: .readOnly), rules: rules, clock: 0)
    }

    /// Opens a store for writing, made if there is none.
    /// - Parameters:
    ///   - rules: The store's from now on; nil leaves the store's own, or the shipped default in a new one.
    ///   - clock: When the rules are applied, in milliseconds since 1970.
    ///   - patience: Seconds to wait for another process that writes; nil for what is usual.
    package static func openForWriting(
        _ location: String,
        rules: RuleSet?,
        clock: Int64,
        patience: Double? = nil
    ) throws -> ProgressEngine {
        let store = try Self.store(at: location, mode: .readWrite, patience: patience)
        return try ProgressEngine(store: store, rules: rules, clock: clock)
    }

    package init(store: any EventStore, rules: RuleSet?, clock: Int64) throws {
        let isChosen = rules != nil
        self.store = store
        self.clock = clock
        let stored = try store.read { try $0.rules() }
        if rules == nil, let stored {
            chosen = Mutex(try ChosenRules(stored))
            return
        }
        let plan = FoldPlan(rules: try rules ?? DefaultRules.load())
        let hash = plan.rules.contentHash
        let standing: ChosenRules.Standing = stored?.hash == hash ? .stored : isChosen ? .wanted : .shipped
        chosen = Mutex(ChosenRules(plan: plan, hash: hash, standing: standing))
    }

    /// Reads, checks and compiles a rules file.
    package static func loadRules(file: String) throws -> RuleSet {
        try RuleSet(yaml: try read(file, limit: 1 << 20), file: file) {
            TimeZoneDatabase.shared.zone(named: $0) != nil
        }
    }

    private static func store(
        at location: String,
        mode: SQLiteStore.Mode,
        patience: Double? = nil
    ) throws -> any EventStore {
        guard !location.hasPrefix("postgres://"), !location.hasPrefix("postgresql://") else {
            throw StoreError(.notFound, "\(location): stores in PostgreSQL are not supported yet; give a file")
        }
        var options = StoreOptions()
        options.lockTimeout = patience ?? options.lockTimeout
        return try SQLiteStore(path: location, mode: mode, options: options)
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

/// The rules that an engine folds with, and how the store stands to them.
private struct ChosenRules {
    enum Standing {
        /// They are the store's.
        case stored
        /// The caller wants them; they become the store's with the first write.
        case wanted
        /// The store has none: they become the store's unless it has got others by then.
        case shipped
    }

    let plan: FoldPlan
    /// ``RuleSet/contentHash`` of the plan's rules.
    let hash: String
    var standing: Standing

    init(plan: FoldPlan, hash: String, standing: Standing) {
        self.plan = plan
        self.hash = hash
        self.standing = standing
    }

    /// The rules that a store has.
    init(_ stored: RulesRecord) throws(RulesError) {
        self.init(plan: FoldPlan(rules: try RuleSet(applied: stored)), hash: stored.hash, standing: .stored)
    }
}

extension ProgressEngine {
    /// The plan to read stored progress with. Where the engine goes by the store's rules and these have changed, it
    /// takes them over.
    func plan(for reader: any StoreReader) throws -> FoldPlan {
        let chosen = chosen.withLock { $0 }
        guard chosen.standing != .wanted, let hash = try reader.rulesHash(), hash != chosen.hash,
            let stored = try reader.rules()
        else { return chosen.plan }
        return try takeOver(stored)
    }

    /// The plan under which a transaction must project: that of the store's rules, which the caller's have become by
    /// then. To be asked in every transaction that writes progress, for another process may have applied other rules
    /// since the last one.
    /// - Parameter rebuilding: whether progress that was computed under other rules is rebuilt.
    func planInForce(in transaction: any StoreTransaction, rebuilding: Bool = true) throws -> FoldPlan {
        let chosen = chosen.withLock { $0 }
        let plan = chosen.plan
        if try transaction.rulesHash() == chosen.hash { return plan }
        let stored = try transaction.rules()
        if let stored, chosen.standing != .wanted { return try takeOver(stored) }
        try transaction.setRules(RulesRecord(plan.rules, after: stored, at: clock))
        if let stored, rebuilding {
            let impact = (try? RuleSet(applied: stored)).map { RulesComparison($0, plan.rules) }
            try LearnerUpdater(store: store, plan: plan).rebuild(in: transaction, for: impact)
        }
        return plan
    }

    /// What the engine wanted is durable.
    func rulesAreStored() { chosen.withLock { $0.standing = .stored } }

    private func takeOver(_ stored: RulesRecord) throws -> FoldPlan {
        let new = try ChosenRules(stored)
        chosen.withLock { $0 = new }
        return new.plan
    }
}

extension RulesRecord {
    /// Rules as they are applied after others.
    init(_ rules: RuleSet, after last: RulesRecord?, at clock: Int64) {
        self.init(
            version: (last?.version ?? 0) + 1,
            hash: rules.contentHash,
            name: rules.name,
            appliedAt: clock,
            source: rules.source
        )
    }
}

extension RuleSet {
    /// Rules that a store has, or had.
    init(applied record: RulesRecord) throws(RulesError) {
        try self.init(checkedBefore: record.source, file: record.name) {
            TimeZoneDatabase.shared.zone(named: $0) != nil
        }
    }

    /// SHA-256 of the file, hexadecimal.
    package var contentHash: String { SHA256.hash(source).hexadecimal }
}
