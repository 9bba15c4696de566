// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelEvents
import LaurelProgress
import LaurelStore
import StoreTesting
import Testing

@testable import Laurel

/// Interrupted copies, and sources that are written during a copy.
@Suite struct StoreTransferTests {
    enum Kind: String, CaseIterable { case file, parted, database }

    private static let kinds = Kind.allCases.filter { $0 != .database || DatabaseServer.binaries != nil }
    private static let pairs = kinds.flatMap { one in kinds.map { (one, $0) } }
        .filter { $0.0 != $0.1 || $0.0 == .database }

    private let folder: TemporaryFolder
    private let seed = UInt64.random(in: 0...999)

    init() throws { folder = try TemporaryFolder() }

    private func newStore(_ kind: Kind, _ name: String) throws -> any EventStore {
        switch kind {
        case .file: return try SQLiteStore(path: folder.file("\(name).db"), mode: .readWrite)
        case .parted: return MemoryStore(partitions: 4, eventsPerTransaction: 100)
        case .database:
            let location = try #require(DatabaseServer.shared).newLocation()
            try PostgreSQLStore.create(location)
            return try PostgreSQLStore(location, mode: .readWrite)
        }
    }

    private func engine(_ store: any EventStore, rules: String? = nil) throws -> ProgressEngine {
        try ProgressEngine(store: store, rules: try rules.map(Bench.load), clock: Bench.now)
    }

    private func ingest(_ lines: some Sequence<String>, into engine: ProgressEngine) throws {
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let path = try folder.write(bytes, to: "input-\(UInt64.random(in: 0 ... .max))")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let source = IngestSource(name: "input", descriptor: descriptor, size: Int64(bytes.count))
        _ = try engine.ingest([source], options: IngestOptions(now: Bench.date))
    }

    /// - Parameter commits: the number of batches after which it is cancelled; nil for never.
    private func copy(
        _ source: ProgressEngine,
        _ destination: ProgressEngine,
        stop commits: Int? = nil,
        erasing: Bool = false,
        observe: @escaping (Int) -> Void = { _ in }
    ) throws -> CopyReport {
        let transfer = StoreTransfer(
            from: source,
            to: destination,
            erasing: erasing,
            records: .withSecrets,
            now: Bench.date
        )
        transfer.eventsAtOnce = 40
        let cancellation = Cancellation()
        var batches = 0
        return try cancellation.watch {
            try transfer.run { progress in
                guard progress.phase == .copying else { return }
                batches += 1
                observe(batches)
                if batches == commits { cancellation.cancel() }
            }
        }
    }

    @Test(arguments: pairs) func `a copy that stops half-way goes on, while the source takes events`(
        _ from: Kind,
        _ to: Kind
    ) throws {
        let lines = simulated(learners: 24, days: 12, seed: seed)
        let (source, copied) = (try newStore(from, "source"), try newStore(to, "copy"))
        let one = try engine(source, rules: ClassRules.base)
        try ingest(lines.prefix(lines.count / 2), into: one)
        try one.setServiceRecords(["key/1": "a key"])
        let two = try engine(copied)
        var rest = lines.dropFirst(lines.count / 2)
        for stop in [1, 2, 4] {
            #expect(throws: CancellationError.self, "seed \(seed)") {
                try copy(one, two, stop: stop) { _ in
                    // Other processes send these meanwhile.
                    try? ingest(rest.prefix(30), into: one)
                    rest = rest.dropFirst(30)
                }
            }
        }
        #expect(try two.size().events < one.size().events)
        let report = try copy(one, two) { _ in
            try? ingest(rest.prefix(30), into: one)
            rest = rest.dropFirst(30)
        }
        #expect(report.copiedEvents > 0 && report.events <= lines.count, "seed \(seed)")
        try ingest(rest, into: one)
        // The last catch-up.
        let last = try copy(one, two)
        #expect(last.events == Set(lines).count && last.copiedEvents == last.events - report.events, "seed \(seed)")
        #expect(try two.fingerprint() == one.fingerprint())
        #expect(try two.verify().problems == [])
        #expect(try two.serviceRecords(prefix: "") == ["key/1": "a key"])
        #expect(try one.serviceRecords(prefix: "") == ["key/1": "a key"])
    }

    @Test(arguments: pairs) func `no number of a commit means a state of the source and one of the copy`(
        _ from: Kind,
        _ to: Kind
    ) throws {
        let (source, copied) = (try newStore(from, "source"), try newStore(to, "copy"))
        let (one, two) = try (engine(source, rules: ClassRules.base), engine(copied))
        for round in 1...3 {
            for id in 1...4 * round { try ingest(["ana", "bo"].map { line("\(round).\(id)", by: $0) }, into: one) }
            _ = try copy(one, two)
            let last = try source.read { try $0.changes(since: [], limit: 0).commits }
            // With as many partitions, a position in the source's changes could also be one in the copy's.
            let position = (0..<copied.partitions).map { last[$0 % last.count] }
            for _ in 1...2 {
                try copied.read { reader in
                    #expect(try reader.changes(since: position, limit: 10).allLearners, "round \(round)")
                    for learner in ["ana", "bo"] {
                        let version = try #require(try reader.version(ofLearner: Array(learner.utf8)))
                        #expect(version.allLearners > last.max()!, "round \(round)")
                    }
                }
                // The copy receives an event of its own; the next round erases it.
                try ingest([line("own-\(round)", by: "cy")], into: two)
            }
            _ = try two.erase(learner: "cy")
        }
    }

    /// Whatever the number of events, and the progress that follows.
    @Test(arguments: kinds) func `who has other events in the copy is brought over anew`(_ kind: Kind) throws {
        let (one, two) = try (engine(newStore(.file, "source"), rules: ClassRules.base), engine(newStore(kind, "copy")))
        func same() throws -> Bool { try one.exported().sorted() == two.exported().sorted() }
        try ingest(["ana", "bo", "cy"].flatMap { learner in ["1", "2"].map { line($0, by: learner) } }, into: one)
        _ = try copy(one, two)
        // As many events with the same progress, and fewer and more than before.
        for ids in [["3", "4"], ["5"], ["6", "7", "8"]] {
            for learner in ["ana", "bo"] { #expect(try one.erase(learner: learner)) }
            try ingest(ids.map { line($0, by: "ana") }, into: one)
            let error = #expect(throws: EngineError.self) { try copy(one, two) }
            #expect(error?.code == .invalidRequest && error?.message.contains("--erase") == true)
            let report = try copy(one, two, erasing: true)
            #expect(report.learners == 2 && report.events == ids.count + 2)
            try #expect(same())
            try ingest([line("1", by: "bo")], into: one)
            #expect(try copy(one, two).copiedEvents == 1)
        }
        // An event that the copy has received itself.
        try ingest([line("9", by: "cy")], into: two)
        try ingest([line("10", by: "cy")], into: one)
        #expect(throws: EngineError.self) { try copy(one, two) }
        _ = try copy(one, two, erasing: true)
        try #expect(same())
        #expect(try two.fingerprint() == one.fingerprint())
        #expect(try two.check().differences == [] && two.verify().problems == [])
    }

    /// No event comes with the rules.
    @Test(arguments: kinds) func `rules that are copied later are those of the copy's progress`(_ kind: Kind) throws {
        let (one, copied) = (try engine(newStore(.file, "source"), rules: ClassRules.base), try newStore(kind, "copy"))
        let two = try engine(copied)
        try ingest(["ana", "bo", "cy"].map { line("1", by: $0, data: #"{"accuracy":1}"#) }, into: one)
        _ = try copy(one, two)
        _ = try one.apply(Rules(Bench.load(ClassRules.changed[0].rules)), options: ApplyOptions(appliedAt: Bench.date))
        #expect(try copy(one, two).copiedRules == 1)
        var xp: [Double] = []
        try copied.read { try $0.forEachOverview { xp.append($0.numbers.xp) } }
        #expect(xp == [4, 4, 4])
        #expect(try two.check().differences == [])
    }

    /// These learners are read together again, after each partition has counted its own.
    @Test(arguments: kinds) func `learners with few events get more of them by the next copy`(_ kind: Kind) throws {
        let (one, two) = try (engine(newStore(.file, "source"), rules: ClassRules.base), engine(newStore(kind, "copy")))
        let learners = (1...24).map { "learner-\($0)" }
        for (ids, events) in [(["1"], 24), (["2", "3"], 48), (["4"], 24)] {
            try ingest(ids.flatMap { id in learners.map { line(id, by: $0) } }, into: one)
            #expect(try copy(one, two).copiedEvents == events)
            #expect(try two.fingerprint() == one.fingerprint())
            #expect(try two.verify().problems == [])
        }
    }

    /// The known copies of apps' stores can change without an event.
    @Test(arguments: kinds) func `what is remembered of copies becomes what it is in the source`(_ kind: Kind) throws {
        let (source, copied) = (try newStore(.file, "source"), try newStore(kind, "copy"))
        let (one, two) = (try engine(source, rules: ClassRules.base), try engine(copied))
        try ingest(["ana", "bo", "cy"].map { line("1", by: $0) }, into: one)
        func remember(_ store: any EventStore, _ subject: String, _ copies: [String: [UInt8]?]) throws {
            try store.writeAll { transaction in
                try transaction.remember(copies, of: transaction.learnerID(for: Array(subject.utf8)))
            }
        }
        func remembered(_ store: any EventStore) throws -> [String: [RememberedCopy]] {
            try store.read { reader in
                var found: [String: [RememberedCopy]] = [:]
                try reader.forEachCopy(of: nil) { id, copy in
                    let subject = try #require(try reader.learner(id)).subject
                    found[String(decoding: subject, as: UTF8.self), default: []].append(copy)
                }
                return found
            }
        }
        try remember(source, "ana", ["a": [1], "b": [2]])
        try remember(source, "bo", ["a": [3]])
        _ = try copy(one, two)
        #expect(try remembered(copied) == remembered(source))
        #expect(try remembered(copied)["ana"]?.count == 2)
        try remember(source, "ana", ["a": [UInt8]?.none, "c": [4]])
        try remember(source, "bo", ["a": [5]])
        try remember(source, "cy", ["é\u{0}": [6]])
        #expect(try copy(one, two).copiedEvents == 0)
        #expect(try remembered(copied) == remembered(source))
        try remember(source, "bo", ["a": [UInt8]?.none])
        _ = try copy(one, two)
        #expect(try remembered(copied)["bo"] == nil)
        #expect(try remembered(copied) == remembered(source))
    }

    /// Notes, too, change without an event.
    @Test(arguments: kinds) func `notes become those of the source`(_ kind: Kind) throws {
        let (one, two) = (
            try engine(newStore(.file, "source"), rules: ClassRules.base), try engine(newStore(kind, "copy"))
        )
        try ingest(["ana", "bo"].map { line("1", by: $0) }, into: one)
        let (actor, date) = (AuditActor(name: "a test"), Date(timeIntervalSince1970: 1_770_000_000))
        func texts(_ engine: ProgressEngine) throws -> [[String]?] {
            try ["ana", "bo", "cy"].map { try engine.notes(of: $0)?.map(\.text) }
        }
        let first = try #require(try one.addNote("speaks well", about: "ana", by: actor, at: date))
        _ = try one.addNote("was ill\né", about: "ana", by: actor, at: date + 60)
        _ = try one.addNote("is new", about: "bo", by: actor, at: date)
        _ = try copy(one, two)
        #expect(try texts(two) == [["was ill\né", "speaks well"], ["is new"], nil])
        #expect(try one.removeNote(first.id, about: "ana", by: actor))
        #expect(try copy(one, two).copiedEvents == 0)
        #expect(try texts(two) == [["was ill\né"], ["is new"], nil])
        #expect(try two.erase(learner: "ana") && texts(two) == [nil, ["is new"], nil])
    }
}
