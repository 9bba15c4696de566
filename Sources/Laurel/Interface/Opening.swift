public import Foundation
import LaurelEvents
import LaurelRules
import LaurelStore
public import LaurelWire

/// Where an engine takes its rules from.
public enum RulesSource: Sendable, Hashable {
    /// The store's own, or those of `Rules/starter.yaml` in a new one.
    case store
    /// A rules file.
    case file(URL)
    /// What would stand in a rules file.
    case yaml(String)

    func load() throws -> RuleSet? {
        switch self {
        case .store: nil
        case .file(let url): try ProgressEngine.loadRules(file: url.path)
        case .yaml(let text):
            try RuleSet(yaml: Array(text.utf8), file: "rules") { TimeZoneDatabase.shared.zone(named: $0) != nil }
        }
    }
}

/// Opening a store and feeding it.
///
/// These methods, and those of a ``Learner``, read files and compute: they keep the calling thread for milliseconds, for a large
/// import for seconds. Tasks call their asynchronous forms, with `await`, which keep no thread. The engine may be used from many threads.
extension ProgressEngine {
    /// Opens a store.
    /// - Parameters:
    ///   - file: Made if absent, save for reading.
    ///   - rules: Those of a new store; with `readOnly`, those to read progress under.
    ///   - readOnly: For a store that another process writes.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/otherRules`` where the store to be written has others.
    public static func open(
        _ file: URL,
        rules: RulesSource = .store,
        readOnly: Bool = false
    ) throws(EngineError) -> ProgressEngine {
        try EngineError.translating {
            let rules = try rules.load()
            return readOnly
                ? try openForReading(file.path, rules: rules)
                : try openForWriting(file.path, rules: rules, clock: milliseconds(Date()))
        }
    }

    /// An engine whose store is in memory, and goes with it: for previews and tests.
    /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidRules``.
    public static func inMemory(rules: RulesSource = .store) throws(EngineError) -> ProgressEngine {
        try EngineError.translating {
            try ProgressEngine(store: MemoryStore(), rules: rules.load(), clock: milliseconds(Date()))
        }
    }

    /// Replaces the store's rules: everything is computed under the new ones, then swapped in at once. Others read and write
    /// meanwhile; whatever interrupts it, the old rules stand. Rules that the store has already change nothing.
    /// - Parameter day: From this local day on, each learner's own, instead of for the whole of time.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/invalidRules`` where they cannot be used.
    /// - Complexity: O(events), on all cores.
    public func apply(rules: RulesSource, from day: CivilDay? = nil) throws(EngineError) {
        try EngineError.translating {
            guard let rules = try rules.load() else { return }
            _ = try apply(rules, from: day, options: ApplyOptions(clock: ProgressEngine.milliseconds(Date())))
        }
    }

    /// Stores events and brings all progress up to date; durable when it returns. Those that were stored before change nothing.
    /// What is no event, or contradicts one, goes to quarantine and stops nothing.
    /// - Parameters:
    ///   - cloudEvents: CloudEvents as NDJSON or a JSON array, such as the `ndjson` of a batch of LaurelClient; also packed with
    ///     gzip or zstd.
    ///   - now: Events more than 24 hours ahead of it are refused.
    /// - Throws: ``EngineError``. With code ``EngineError/Code/unreadable``, what came before is stored.
    @discardableResult
    public func ingest(cloudEvents: Data, now: Date = Date()) throws(EngineError) -> IngestReport {
        try EngineError.translating {
            let report = try ingest(Array(cloudEvents), now: ProgressEngine.milliseconds(now))
            if let problem = report.unreadable.first { throw problem }
            return report
        }
    }

    /// As ``ingest(cloudEvents:now:)``, with events that were made in this process.
    @discardableResult
    public func ingest(_ events: [Event], now: Date = Date()) throws(EngineError) -> IngestReport {
        try EngineError.translating { try ingest(events, now: ProgressEngine.milliseconds(now)) }
    }

    /// The ids of all learners, in byte order.
    public func learnerIDs() throws(EngineError) -> [String] {
        try EngineError.translating {
            var ids: [String] = []
            try store.read { try $0.forEachLearner { ids.append(String(decoding: $0.subject, as: UTF8.self)) } }
            return ids
        }
    }

    /// A learner to ask about, who need not have any events yet.
    /// - Parameter timeZone: Decides which day is today.
    public func learner(_ id: String, timeZone: Foundation.TimeZone = .autoupdatingCurrent) -> Learner {
        Learner(id: id, timeZone: timeZone, engine: self)
    }

    static func milliseconds(_ date: Date) -> Int64 {
        Int64(min(max((date.timeIntervalSince1970 * 1000).rounded(), 0), Double(Timestamp.range.upperBound)))
    }
}
