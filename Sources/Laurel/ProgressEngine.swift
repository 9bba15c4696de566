import LaurelEvents
package import LaurelProgress
package import LaurelRules
package import LaurelStore
import Synchronization

/// Ingests events, answers questions about progress, replays and compares: all that an app needs of Laurel.
public final class ProgressEngine: Sendable {
    let store: any EventStore
    package let plan: FoldPlan
    /// The rules to be written with the first change, where the store has others or none.
    let pendingRules: Mutex<RulesRecord?>
    /// Whether the store's progress was computed under other rules than the plan's.
    var isForeign: Bool { pendingRules.withLock { $0 != nil } }

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
    package static func openForWriting(_ location: String, rules: RuleSet?, clock: Int64) throws -> ProgressEngine {
        try ProgressEngine(store: Self.store(at: location, mode: .readWrite), rules: rules, clock: clock)
    }

    package init(store: any EventStore, rules: RuleSet?, clock: Int64) throws {
        self.store = store
        let stored = try store.read { try $0.rules() }
        let chosen = try rules ?? stored.map(ProgressEngine.compile) ?? DefaultRules.load()
        plan = FoldPlan(rules: chosen)
        let hash = chosen.contentHash
        pendingRules = Mutex(
            stored?.hash == hash
                ? nil
                : RulesRecord(
                    version: (stored?.version ?? 0) + 1,
                    hash: hash,
                    name: chosen.name,
                    appliedAt: clock,
                    source: chosen.source
                )
        )
    }

    /// Reads, checks and compiles a rules file.
    package static func loadRules(file: String) throws -> RuleSet {
        try RuleSet(yaml: try read(file, limit: 1 << 20), file: file) {
            TimeZoneDatabase.shared.zone(named: $0) != nil
        }
    }

    private static func store(at location: String, mode: SQLiteStore.Mode) throws -> any EventStore {
        guard !location.hasPrefix("postgres://"), !location.hasPrefix("postgresql://") else {
            throw StoreError(.notFound, "\(location): stores in PostgreSQL are not supported yet; give a file")
        }
        return try SQLiteStore(path: location, mode: mode)
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

    private static func compile(_ record: RulesRecord) throws -> RuleSet {
        try RuleSet(yaml: record.source, file: record.name) { TimeZoneDatabase.shared.zone(named: $0) != nil }
    }
}

extension RuleSet {
    /// SHA-256 of the file, hexadecimal.
    package var contentHash: String { SHA256.hash(source).hexadecimal }
}

extension [UInt8] {
    package var hexadecimal: String {
        let digits = Array<Character>("0123456789abcdef")
        return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
