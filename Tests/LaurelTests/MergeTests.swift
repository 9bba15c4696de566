// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelEvents
import LaurelStore
import SeededRandom
import Testing

@testable import Laurel

/// A merged store is as if every event of the merged learner had had the other learner as its subject.
@Suite struct MergeTests {
    enum Kind: String, CaseIterable { case file, tinyFile, parted, database }

    private static let kinds = Kind.allCases.filter { $0 != .database || DatabaseServer.binaries != nil }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func engine(_ kind: Kind, _ name: String = "one") throws -> ProgressEngine {
        let store: any EventStore
        switch kind {
        case .file: store = try SQLiteStore(path: folder.file("\(name).db"), mode: .readWrite)
        case .tinyFile:
            var options = StoreOptions()
            (options.eventsPerBlock, options.tailLimit, options.bulkThreshold) = (256, 60, 40)
            store = try SQLiteStore(path: folder.file("\(name).db"), mode: .readWrite, options: options)
        case .parted: store = MemoryStore(partitions: 4, eventsPerTransaction: 100)
        case .database:
            let location = try #require(DatabaseServer.shared).newLocation()
            try PostgreSQLStore.create(location)
            store = try PostgreSQLStore(location, mode: .readWrite)
        }
        return try ProgressEngine(store: store, rules: Bench.load(ClassRules.base), clock: Bench.now)
    }

    @discardableResult
    private func ingest(_ lines: some Sequence<String>, into engine: ProgressEngine) throws -> IngestReport {
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let path = try folder.write(bytes, to: "input-\(UInt64.random(in: 0 ... .max))")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let source = IngestSource(name: "input", descriptor: descriptor, size: Int64(bytes.count))
        return try engine.ingest([source], options: IngestOptions(now: Bench.date))
    }

    private func events(_ engine: ProgressEngine, of learner: String? = nil) throws -> [String] {
        try engine.exported(learner: learner).filter { try JSONLine($0)["merged"].isEmpty }.sorted()
    }

    /// Checks that stored progress is that of a replay, and that the store is undamaged.
    private func expectSound(_ engine: ProgressEngine, _ comment: Comment) throws {
        #expect(try engine.check().differences == [], comment)
        #expect(try engine.verify().problems == [], comment)
    }

    // MARK: As if

    /// A step of a random test.
    private enum Step {
        case ingest([String])
        case merge(String, into: String)
    }

    /// Random events of six people with nine ids, and the merges of three of the ids, before, among and after the events.
    private func steps(_ random: inout SeededGenerator, seed: UInt64) -> [Step] {
        let people = (1...6).map { "learner-000\($0)" }
        var lines = simulated(learners: 6, days: 5, seed: seed, disorder: true).map { line in
            let isOther = Int.random(in: 0..<2, using: &random) == 0
            return isOther ? people.prefix(3).reduce(line) { rename($1, to: "phone-\($1.suffix(1))", in: $0) } : line
        }
        let corrected = lines.indices.filter { lines[$0].contains("phone-") && lines[$0].contains("line.spoken") }
        for index in corrected.shuffled(using: &random).prefix(20) {
            // The same event again, under the other id.
            lines.append(rename("phone-1", to: people[0], in: lines[index]))
        }
        lines.append(line("back", "event.retracted", by: people[1], data: #"{"source":"app","id":"wrong"}"#))
        lines.append(line("wrong", by: "phone-2", data: #"{"accuracy":1}"#))
        // The learner who stays was the first to send these events.
        let firsts = (0..<5).map { line("clash-\($0)", by: people[2], data: #"{"accuracy":0.5}"#) }
        lines += (0..<5).map { line("clash-\($0)", by: "phone-3", data: #"{"accuracy":1}"#) }
        lines.shuffle(using: &random)
        var steps: [Step] = [.ingest(firsts)]
        for start in stride(from: 0, to: lines.count, by: 97) {
            steps.append(.ingest(Array(lines[start..<min(start + 97, lines.count)])))
        }
        let merges: [Step] = [
            .merge("phone-1", into: people[0]), .merge("phone-2", into: people[1]),
            .merge("phone-3", into: people[2]), .merge(people[0], into: people[3]), .merge("nobody", into: people[4]),
        ]
        for merge in merges { steps.insert(merge, at: Int.random(in: 1...steps.count, using: &random)) }
        return steps
    }

    private func rename(_ learner: String, to other: String, in line: String) -> String {
        line.replacing(#""subject":"\#(learner)""#, with: #""subject":"\#(other)""#)
    }

    @Test(arguments: kinds) func `is as if one learner had sent all events`(kind: Kind) throws {
        let seed = UInt64.random(in: 0...9999)
        var random = SeededGenerator(seed: seed)
        let (merged, expected) = (try engine(kind), try engine(.file, "expected"))
        let steps = steps(&random, seed: seed)
        var final: [String: String] = [:]
        for case .merge(let learner, let other) in steps { final[learner] = other }
        func last(_ learner: String) -> String { final[learner].map(last) ?? learner }
        for step in steps {
            switch step {
            case .ingest(let lines):
                try ingest(lines, into: merged)
                let renamed = lines.map { line in
                    final.keys.reduce(line) { rename($1, to: last($1), in: $0) }
                }
                try ingest(renamed, into: expected)
            case .merge(let learner, let other): try merged.merge(learner, into: other, at: Bench.date)
            }
        }
        let comment: Comment = "seed \(seed)"
        #expect(try events(merged) == events(expected), comment)
        #expect(try merged.fingerprint() == expected.fingerprint(), comment)
        let lines = try [merged, expected].map { try $0.quarantineCounts().map { "\($0.reason) \($0.lines)" } }
        #expect(lines[0] == lines[1], comment)
        try expectSound(merged, comment)
        let learners = try merged.learnerIDs()
        #expect(learners == (try expected.learnerIDs()), comment)
        #expect(Set(learners).isDisjoint(with: final.keys), comment)
        for (learner, _) in final where try merged.learner(last(learner)).isKnown() {
            let found = try merged.learner(learner).progress(at: Bench.date)
            #expect(try found == expected.learner(last(learner)).progress(at: Bench.date), comment)
        }
        // An export gives the same store again, merges included.
        let again = try engine(.file, "again")
        try ingest(merged.exported(), into: again)
        #expect(try again.fingerprint() == merged.fingerprint(), comment)
        #expect(try Set(again.merges().map(\.merged)) == Set(merged.merges().map(\.merged)), comment)
        let copy = try ProgressEngine(store: MemoryStore(partitions: 4), rules: nil, clock: Bench.now)
        _ = try StoreTransfer(from: merged, to: copy, now: Bench.date).run { _ in }
        #expect(try copy.learnerIDs() == learners && copy.merges() == merged.merges(), comment)
        #expect(try copy.fingerprint() == merged.fingerprint(), comment)
    }

    // MARK: Which merges

    @Test(arguments: kinds) func `the same merge again has no effect, and a circle is refused`(kind: Kind) throws {
        let engine = try engine(kind)
        try ingest([line("1", by: "a"), line("2", by: "b"), line("3", by: "c")], into: engine)
        #expect(try engine.merge("a", into: "b").events == 1)
        #expect(try engine.merge("b", into: "c").events == 2)
        let rows: [(from: String, into: String, isRepeated: Bool)] = [
            ("a", "b", true), ("b", "c", true), ("a", "c", false), ("b", "a", false), ("c", "a", false),
            ("c", "c", false), ("d", "d", false),
        ]
        for row in rows {
            let outcome = Result { () throws(EngineError) in try engine.merge(row.from, into: row.into) }
            switch outcome {
            case .success(let outcome): #expect(outcome.isRepeated == row.isRepeated, "\(row)")
            case .failure(let error): #expect(!row.isRepeated && error.code == .sameLearner, "\(row): \(error)")
            }
        }
        // A merged id stands for the learner that it means.
        #expect(try engine.merge("a", into: "d").merged == "a")
        #expect(try engine.merge("a", into: "d").isRepeated)
        #expect(try ["a", "b", "c", "d", "e"].map { try engine.currentID(of: $0) } == ["d", "d", "d", "d", "e"])
        #expect(try engine.learnerIDs() == ["d"])
        #expect(try events(engine, of: "a").map { try JSONLine($0)["id"] }.sorted() == ["1", "2", "3"])
        for id in ["", String(repeating: "x", count: 257)] {
            #expect(throws: EngineError.self) { try engine.merge(id, into: "a") }
            #expect(throws: EngineError.self) { try engine.merge("a", into: id) }
        }
    }

    @Test(arguments: kinds) func `erasing the learner erases the merged ids`(kind: Kind) throws {
        let engine = try engine(kind)
        try ingest([line("1", by: "a"), line("2", by: "b"), line("3", by: "c"), "{\"subject\":\"a\"}"], into: engine)
        try engine.merge("a", into: "b", by: AuditActor(name: "a test"))
        try engine.merge("b", into: "c", by: AuditActor(name: "a test"))
        #expect(try engine.erase(learner: "a", by: AuditActor(name: "a test")))
        #expect(try engine.learnerIDs() == [] && engine.merges() == [])
        #expect(try engine.quarantinedLines() == [])
        let log = try engine.auditLog()
        #expect(log.map(\.action) == ["learner.erased", "learner.merged", "learner.merged"])
        #expect(log.allSatisfy { $0.learner == nil && $0.target == nil })
        try ingest([line("4", by: "a")], into: engine)
        #expect(try engine.learnerIDs() == ["a"], "the id is free again")
        try expectSound(engine, "after an erasure")
    }

    @Test(arguments: kinds) func `a condition refuses the whole merge`(kind: Kind) throws {
        let engine = try engine(kind)
        try ingest(["x-1", "x-2", "x-3", "x-4", "ana"].map { line($0, by: $0) }, into: engine)
        func mergeAnonymous(_ id: String) throws(EngineError) -> MergeOutcome {
            try engine.merge(id, into: "ben", by: nil, at: Bench.date) { $0.hasPrefix("x-") }
        }
        try engine.merge("x-1", into: "x-2")
        try engine.merge("ana", into: "x-3")
        try engine.merge("x-4", into: "cleo")
        let learners = try engine.learnerIDs()
        // Another id was merged into x-3, and x-4 means another learner.
        for id in ["ana", "x-3", "x-4", "cleo"] {
            do throws(EngineError) {
                _ = try mergeAnonymous(id)
                Issue.record("\(id) is merged")
            } catch {
                #expect(error.code == .notAnonymous)
            }
        }
        #expect(try engine.learnerIDs() == learners && engine.merges().count == 3)
        #expect(try mergeAnonymous("x-1").events == 2)
        #expect(try engine.learnerIDs() == ["ben", "cleo", "x-3"])
    }

    /// Recent events of a file have numbers in the order of arrival.
    @Test func `of two recent events that conflict, the first to arrive stays`() throws {
        for (first, second) in [("a", "b"), ("b", "a")] {
            let (merged, expected) = (try engine(.file, "\(first)-merged"), try engine(.file, "\(first)-expected"))
            let lines = [first, second].map { learner in
                line("1", at: learner == "a" ? "2026-02-05T10:00:00Z" : "2026-03-01T10:00:00Z", by: learner)
            }
            for line in lines {
                try ingest([line], into: merged)
                try ingest([rename("a", to: "b", in: line)], into: expected)
            }
            #expect(try merged.merge("a", into: "b").conflicts == 1)
            #expect(try events(merged) == events(expected), "\(first) is the first")
            #expect(try merged.fingerprint() == expected.fingerprint(), "\(first) is the first")
            let lost = try #require(try merged.quarantinedLines().first)
            #expect(lost.reason == "conflict" && lost.learner == "b" && lost.eventId == "1")
            try expectSound(merged, "\(first) is the first")
        }
    }

    // MARK: Other data

    @Test(arguments: kinds) func `notes go along, and requests under the merged id are stored`(kind: Kind) throws {
        let engine = try engine(kind)
        try ingest([line("1", by: "a"), line("2", by: "b")], into: engine)
        let actor = AuditActor(name: "a test")
        _ = try engine.addNote("about a", about: "a", by: actor, at: Bench.date)
        _ = try engine.addNote("about b", about: "b", by: actor, at: Bench.date)
        try engine.merge("a", into: "b")
        #expect(try Set(engine.notes(of: "a")?.map(\.text) ?? []) == ["about a", "about b"])
        _ = try engine.addNote("more", about: "a", by: actor, at: Bench.date)
        #expect(try engine.notes(of: "b")?.count == 3)
        // The second request finds the name in memory.
        for id in ["3", "4"] {
            var request = IngestRequest(.event, Array(line(id, by: "a").utf8))
            (request.learner, request.progressLimit) = ("b", 1)
            let outcome = try engine.ingest(together: [request], now: Bench.date)[0]
            guard case .done(let report) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(report.stored == 1 && report.progress?.map(\.learner) == ["b"])
        }
        #expect(try engine.learner("a").progress()?.events == 4)
        #expect(try engine.learner("a").progress()?.learner == "b")
        try expectSound(engine, "after requests")
    }

    @Test func `a copy merges a learner that an earlier copy had`() throws {
        let source = try engine(.file)
        let copy = try ProgressEngine(store: MemoryStore(partitions: 4), rules: nil, clock: Bench.now)
        try ingest([line("1", by: "a"), line("2", by: "b"), line("2", by: "a")], into: source)
        _ = try StoreTransfer(from: source, to: copy, now: Bench.date).run { _ in }
        try source.merge("a", into: "b", at: Bench.date)
        try ingest([line("3", by: "a")], into: source)
        _ = try StoreTransfer(from: source, to: copy, now: Bench.date).run { _ in }
        #expect(try copy.learnerIDs() == ["b"] && copy.merges() == source.merges())
        #expect(try events(copy) == events(source))
    }
}
