// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Laurel
import LaurelEvents
import LaurelRules
import LaurelStore
import Synchronization
import Testing

/// The kinds of stores.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case memoryPartitioned
    case sqlite
    /// With limits so small that hundreds of events use every path.
    case sqliteTiny

    var testDescription: String { rawValue }

    static let files: [Backend] = [.sqlite, .sqliteTiny]

    var isFile: Bool { Backend.files.contains(self) }

    fileprivate func store(in folder: TemporaryFolder) throws -> any EventStore {
        switch self {
        case .memory: MemoryStore()
        case .memoryPartitioned: MemoryStore(partitions: 4, eventsPerTransaction: 100)
        case .sqlite, .sqliteTiny:
            try SQLiteStore(path: folder.file("laurel.db"), mode: .readWrite, options: options)
        }
    }

    private var options: StoreOptions {
        var options = StoreOptions()
        guard self == .sqliteTiny else { return options }
        options.eventsPerBlock = 256
        options.tailLimit = 300
        options.bulkThreshold = 200
        options.eventsPerGroup = 500
        options.cachedBlocks = 2
        return options
    }
}

/// An engine over a store of its own.
final class Bench {
    let folder: TemporaryFolder
    private let backend: Backend
    let store: any EventStore
    private(set) var engine: ProgressEngine

    /// - Parameter rules: a rules file; nil for the shipped rules.
    init(_ backend: Backend, rules: String? = nil) throws {
        folder = try TemporaryFolder()
        self.backend = backend
        store = try backend.store(in: folder)
        let chosen = try rules.map(Bench.load) ?? Bench.shipped.get()
        engine = try ProgressEngine(store: store, rules: chosen, clock: Bench.now)
    }

    /// Another store and engine over the same file, with the rules in the store.
    init(sharing other: Bench) throws {
        folder = other.folder
        backend = other.backend
        store = try backend.store(in: folder)
        engine = try ProgressEngine(store: store, rules: nil, clock: Bench.now)
    }

    deinit { (store as? SQLiteStore)?.close() }

    /// The ingest clock, after all events of these tests.
    static let now = try! Timestamp("2028-01-01T00:00:00Z").milliseconds
    static let date = Timestamp(milliseconds: now).date

    private static let loaded = Mutex<[String: RuleSet]>([:])
    private static let shipped = Result { try DefaultRules.load() }

    /// Loads rules. Loaded rules are cached, because loading takes longer than many a test.
    static func load(_ rules: String) throws -> RuleSet {
        if let known = loaded.withLock({ $0[rules] }) { return known }
        let new = try RuleSet(yaml: Array(rules.utf8), file: "rules.yaml") {
            TimeZoneDatabase.shared.zone(named: $0) != nil
        }
        loaded.withLock { $0[rules] = new }
        return new
    }

    /// Opens the store with another engine and other rules; nil for the store's own.
    func use(rules: String?) throws {
        engine = try ProgressEngine(store: store, rules: try rules.map(Bench.load), clock: Bench.now)
    }

    @discardableResult
    func ingest(_ bytes: [UInt8], now: Int64 = Bench.now) throws -> IngestReport {
        let path = try folder.write(bytes, to: "input")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let source = IngestSource(name: "input", descriptor: descriptor, size: Int64(bytes.count))
        return try engine.ingest([source], options: IngestOptions(now: Date(milliseconds: now)))
    }

    @discardableResult
    func ingest(_ lines: some Sequence<String>, now: Int64 = Bench.now) throws -> IngestReport {
        try ingest(Array(lines.joined(separator: "\n").utf8), now: now)
    }

    /// The fingerprint, after a check that stored progress equals that of a replay.
    func soundFingerprint() throws -> String {
        let report = try engine.check()
        #expect(report.differences == [])
        #expect(try engine.verify().problems == [])
        #expect(try engine.fingerprint() == report.fingerprint)
        return report.fingerprint
    }

    /// The original bytes of every line in quarantine.
    func quarantined() throws -> [(line: QuarantinedLine, bytes: [UInt8])] {
        try engine.quarantinedLines(after: 0, limit: .max).map { line in
            var bytes: [UInt8] = []
            try engine.quarantinedLine(line.id) { bytes += $0 }
            return (line, bytes)
        }
    }

    func export(subject: String? = nil) throws -> [String] { try engine.exported(learner: subject) }
}

extension ProgressEngine {
    /// The events as lines; nil for all learners.
    func exported(learner: String? = nil) throws -> [String] {
        var bytes: [UInt8] = []
        _ = try export(learner: learner) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
