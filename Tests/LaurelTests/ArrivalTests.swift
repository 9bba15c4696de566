// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import StoreTesting
import Testing

/// The order, the repetition and the batches in which events arrive never affect results.
@Suite struct ArrivalTests {
    @Test(arguments: [1, 2] as [UInt64]) func `simulated streams`(seed: UInt64) throws {
        let lines = simulated(learners: 6, days: 14, seed: seed)
        let delivered = simulated(learners: 6, days: 14, seed: seed, disorder: true)
        try #require(delivered.count > lines.count, "seed \(seed): nothing is sent twice")
        try expectOne(lines, delivered, rules: nil, seed: seed)
    }

    @Test(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"), arguments: [71, 72] as [UInt64])
    func `random rules and events`(seed: UInt64) throws {
        let stream = try Oracle.generate(seed: seed, events: 400)
        let rules = String(decoding: try contents(stream.rules), as: UTF8.self)
        let text = String(decoding: try contents(stream.events), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        try expectOne(lines, lines, rules: rules, seed: seed)
    }

    /// One event at a time, some earlier than the one before, as from two devices. The events to fold are in memory.
    @Test(arguments: [31] as [UInt64]) func `events that come a moment late`(seed: UInt64) throws {
        let lines = simulated(learners: 2, days: 20, seed: seed)
        let whole = try Bench(.sqlite)
        try whole.ingest(lines)
        var random = SeededGenerator(seed: seed)
        var late = lines
        for start in stride(from: 0, to: late.count - 8, by: 8) where Bool.random(using: &random) {
            late[start..<start + 8].shuffle(using: &random)
        }
        let bench = try Bench(.sqlite)
        try ingest(late, in: late.count, into: bench)
        #expect(try bench.soundFingerprint() == whole.soundFingerprint(), "seed \(seed)")
        #expect(try projections(bench) == projections(whole), "seed \(seed)")
    }

    private func expectOne(_ lines: [String], _ delivered: [String], rules: String?, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let whole = try Bench(.sqlite, rules: rules)
        try whole.ingest(lines)
        let fingerprint = try whole.soundFingerprint()

        var again = delivered + lines.shuffled(using: &random).prefix(lines.count / 10)
        again.shuffle(using: &random)
        for (backend, batches) in [(Backend.sqlite, 50), (.sqliteTiny, 10)] {
            let bench = try Bench(backend, rules: rules)
            try ingest(again, in: batches, into: bench)
            #expect(try bench.soundFingerprint() == fingerprint, "seed \(seed), \(backend)")
            #expect(try bench.engine.statistics().events == whole.engine.statistics().events, "seed \(seed)")
        }
        let memory = try Bench(.memory, rules: rules)
        try memory.ingest(again)
        #expect(try memory.soundFingerprint() == fingerprint, "seed \(seed), in memory")
    }

    private func ingest(_ lines: [String], in batches: Int, into bench: Bench) throws {
        let size = (lines.count + batches - 1) / batches
        for start in stride(from: 0, to: lines.count, by: size) {
            try bench.ingest(lines[start..<min(start + size, lines.count)])
        }
    }
}

@Suite struct ReplayTests {
    /// More than one share of learners, so that all cores are used.
    @Test func `a replay gives what ingests gave`() throws {
        let bench = try Bench(.sqlite)
        let lines = simulated(learners: 700, days: 2, seed: 21)
        for start in stride(from: 0, to: lines.count, by: 1000) {
            try bench.ingest(lines[start..<min(start + 1000, lines.count)])
        }
        let fingerprint = try bench.soundFingerprint()
        let before = try projections(bench)
        let report = try bench.engine.replay()
        #expect(report.fingerprint == fingerprint)
        #expect(report.events == lines.count)
        #expect(report.learners == before.count)
        #expect(report.learners > 256)
        #expect(try projections(bench) == before)
        #expect(try bench.soundFingerprint() == fingerprint)
    }

    @Test func `a check finds what is wrong`() throws {
        let bench = try Bench(.sqlite)
        try bench.ingest([line("a"), line("b", by: "leo")])
        try bench.store.writeAll { transaction in
            let learner = try #require(try transaction.learner(named: Array("leo".utf8)))
            var projection = try #require(try transaction.projection(of: learner.id))
            projection.tracks[0].numbers.xp += 1
            try transaction.project(projection, of: learner.id, days: .all)
        }
        let differences = try bench.engine.check().differences
        #expect(differences.count == 1)
        #expect(differences.first?.hasPrefix("leo: * xp is ") == true)
        _ = try bench.engine.replay()
        _ = try bench.soundFingerprint()
    }
}

private func projections(_ bench: Bench) throws -> [String] {
    try bench.store.read { reader in
        var found: [String] = []
        try reader.forEachLearner {
            found.append("\($0.subject) \(String(describing: try reader.projection(of: $0.id)))")
        }
        return found
    }
}
