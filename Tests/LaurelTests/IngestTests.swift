// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import Testing

@Suite struct IngestTests {
    private static let refused = #"{"id":"bad","source":"app","type":"line.spoken","subject":"ana","time":"yesterday"}"#

    @Test(arguments: Backend.allCases) func `counts what it reads`(backend: Backend) throws {
        let bench = try Bench(backend)
        let conflict = line("a", data: #"{"accuracy":0.5}"#)
        let report = try bench.ingest([line("a"), "", IngestTests.refused, line("b"), line("a"), conflict, "{"])
        #expect((report.read, report.stored, report.duplicates, report.conflicts, report.refused) == (6, 2, 1, 1, 2))
        #expect(report.problems.map(\.line).sorted() == [3, 6, 7])
        #expect(report.problems.allSatisfy { $0.file == "input" && !$0.message.isEmpty })
        #expect(report.unreadable.isEmpty)
        #expect(try bench.engine.statistics().events == 2)
        #expect(try bench.engine.statistics().quarantined == 3)
    }

    @Test(arguments: Backend.allCases) func `keeps what it does not take`(backend: Backend) throws {
        let bench = try Bench(backend)
        let conflict = line("a", data: #"{"accuracy" :  0.5, "text":"é"}"#)
        try bench.ingest([line("a"), IngestTests.refused, conflict])
        let kept = try bench.quarantined().sorted { $0.line.line ?? 0 < $1.line.line ?? 0 }
        #expect(kept.map { String(decoding: $0.bytes, as: UTF8.self) } == [IngestTests.refused, conflict])
        #expect(kept.map(\.line.line) == [2, 3])
        #expect(kept.map(\.line.reason) == ["invalid-attribute", "conflict"])
        #expect(kept.map(\.line.bytes) == [IngestTests.refused.utf8.count, conflict.utf8.count])
        #expect(try bench.export() == [line("a")])
    }

    @Test(arguments: Backend.allCases) func `takes repaired lines`(backend: Backend) throws {
        let bench = try Bench(backend)
        try bench.ingest([IngestTests.refused, line("a")])
        let repaired = try bench.quarantined().map {
            String(decoding: $0.bytes, as: UTF8.self).replacing("yesterday", with: "2026-02-04T10:00:00Z")
        }
        #expect(try bench.ingest(repaired).stored == 1)
        let progress = try bench.engine.progress(of: "ana", language: nil, at: try Timestamp("2026-02-05T12:00:00Z"))
        #expect((progress?.numbers.counts.events, progress?.numbers.currentStreak) == (2, 2))
        let ids = try bench.quarantined().map(\.line.id)
        #expect(try bench.engine.dropQuarantined(ids) == 1)
        #expect(try bench.quarantined().isEmpty)
    }

    @Test(arguments: Backend.allCases) func `the same again changes nothing`(backend: Backend) throws {
        let bench = try Bench(backend)
        let lines = simulated(learners: 3, days: 6, seed: 5)
        let first = try bench.ingest(lines)
        #expect(first.stored == lines.count)
        let fingerprint = try bench.soundFingerprint()
        let again = try bench.ingest(lines)
        #expect((again.read, again.stored, again.duplicates) == (lines.count, 0, lines.count))
        #expect(try bench.soundFingerprint() == fingerprint)
    }

    @Test(arguments: Backend.allCases) func `events from ahead`(backend: Backend) throws {
        let bench = try Bench(backend)
        let now = try Timestamp("2026-02-04T10:00:00Z").milliseconds
        #expect(try bench.ingest([line("a")], now: now).stored == 1)
        #expect(try bench.ingest([line("b")], now: now - 1).refused == 1)
        #expect(try bench.ingest([line("b")], now: now).stored == 1)
    }

    @Test(arguments: Backend.allCases) func `one id, many owners`(backend: Backend) throws {
        let bench = try Bench(backend)
        let lines = [
            line("a"), line("a", source: "tablet"), line("a", by: "leo"), line("a", by: "\u{e9}"),
            line("a", by: "e\u{301}"),
        ]
        #expect(try bench.ingest(lines).stored == 5)
        #expect(try bench.engine.statistics().learners == 4)
        let at = try Timestamp("2026-02-06T00:00:00Z")
        #expect(try bench.engine.progress(of: "ana", language: nil, at: at)?.numbers.counts.events == 2)
        #expect(try bench.engine.progress(of: "\u{e9}", language: nil, at: at)?.numbers.counts.events == 1)
        #expect(try bench.engine.progress(of: "nobody", language: nil, at: at) == nil)
    }

    @Test(arguments: Backend.allCases) func `events made in this process`(backend: Backend) throws {
        let bench = try Bench(backend)
        let event = Event(
            id: "a",
            source: "app",
            type: "line.spoken",
            subject: "ana",
            time: try Timestamp("2026-02-05T10:00:00Z")
        )
        #expect(try bench.engine.ingest([event, event], now: Bench.now).duplicates == 1)
        #expect(try bench.export().count == 1)
    }
}

@Suite struct RulesChangeTests {
    private static let double = "version: 1\nname: double\nxp: [{id: line, on: line.spoken, award: 20}]\n"
    private static let single = "version: 1\nname: single\nxp: [{id: line, on: line.spoken, award: 10}]\n"
    private static let at = try! Timestamp("2026-02-06T00:00:00Z")

    private func xp(_ bench: Bench, of subject: String) throws -> Double? {
        try bench.engine.progress(of: subject, language: nil, at: RulesChangeTests.at)?.numbers.xp
    }

    @Test(arguments: Backend.allCases) func `other rules than the store's are refused`(backend: Backend) throws {
        let bench = try Bench(backend, rules: RulesChangeTests.single)
        try bench.ingest([line("a"), line("b", by: "leo")])
        let fingerprint = try bench.engine.fingerprint()
        try bench.use(rules: RulesChangeTests.double)
        for write in [{ _ = try bench.ingest([line("c")]) }, { _ = try bench.engine.replay() }] {
            let error = #expect(throws: EngineError.self) { try write() }
            #expect(error?.code == .otherRules && error?.message.contains("version 1 (“single”)") == true)
        }
        try bench.use(rules: nil)
        #expect(try bench.soundFingerprint() == fingerprint)
        #expect(try bench.store.read { try $0.rulesHistory() }.map(\.name) == ["single"])
    }

    @Test(arguments: Backend.allCases) func `whoever waits with other rules finds them refused`(backend: Backend) throws
    {
        let bench = try Bench(backend, rules: RulesChangeTests.double)
        let first = try ProgressEngine(store: bench.store, rules: Bench.load(RulesChangeTests.single), clock: Bench.now)
        _ = try first.ingest(Array(line("a").utf8), now: Bench.now)
        let error = #expect(throws: EngineError.self) { try bench.ingest([line("b")]) }
        #expect(error?.code == .otherRules)
    }

    @Test(arguments: Backend.allCases) func `other rules can be read under`(backend: Backend) throws {
        let bench = try Bench(backend, rules: RulesChangeTests.single)
        try bench.ingest([line("a")])
        let fingerprint = try bench.engine.fingerprint()
        try bench.use(rules: RulesChangeTests.double)
        #expect(try xp(bench, of: "ana") == 20)
        #expect(try bench.engine.fingerprint() != fingerprint)
        #expect(try bench.engine.check().differences.first == "the store's progress was computed under other rules")
        try bench.use(rules: nil)
        #expect(bench.engine.rules.name == "single")
        #expect(try xp(bench, of: "ana") == 10)
        #expect(try bench.soundFingerprint() == fingerprint)
    }

    @Test(arguments: Backend.allCases) func `whoever applies goes by what is in force`(backend: Backend) throws {
        let bench = try Bench(backend, rules: RulesChangeTests.single)
        // Also before the store has any rules.
        _ = try bench.engine.apply(
            ClassRules.load(RulesChangeTests.double),
            options: ApplyOptions(appliedAt: Bench.date)
        )
        try bench.ingest([line("a")])
        #expect(try xp(bench, of: "ana") == 20)
        _ = try bench.soundFingerprint()
    }

    @Test(arguments: Backend.files) func `snapshots of other rules are not used`(backend: Backend) throws {
        let bench = try Bench(backend, rules: RulesChangeTests.single)
        try bench.ingest((0..<4200).map { line("e\($0)") })
        try bench.use(rules: RulesChangeTests.double)
        #expect(try xp(bench, of: "ana") == 84_000)
    }
}
