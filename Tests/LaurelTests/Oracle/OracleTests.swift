// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

/// Laurel's numbers compared with those of a second implementation, written from the specification alone, on random
/// rules and events.
@Suite(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"))
struct OracleTests {
    private static let now = try! Timestamp("2027-01-01T00:00:00Z")

    private static func offset(_ seed: UInt64) -> String { ["Z", "+05:30", "-08:00", "+00:00"][Int(seed % 4)] }

    @Test(arguments: Oracle.seeds ?? 501...510) func `all progress`(seed: UInt64) throws { try compare(seed) }

    @Test(.disabled(if: Oracle.seeds != nil, "other seeds were asked for"))
    func `games, for half a minute`() throws {
        try Oracle.forHalfAMinute(from: 9001, compare)
    }

    private func compare(_ seed: UInt64) throws {
        let stream = try Oracle.generate(seed: seed, events: 500, "--conflicts", "--invalid")
        let answer = try Oracle.answer(stream, now: OracleTests.now, offset: OracleTests.offset(seed))
        let rules = String(decoding: try contents(stream.rules), as: UTF8.self)
        let bench = try Bench(seed.isMultiple(of: 2) ? .sqliteTiny : .sqlite, rules: rules)
        let report = try bench.ingest(contents(stream.events), now: OracleTests.now.milliseconds)

        var comparison = Comparison(place: "seed \(seed)")
        comparison.compare(counts(report), answer["counts"], "counts")
        try expectEqual(bench, answer, &comparison)
    }

    private func expectEqual(_ bench: Bench, _ answer: JSONValue, _ comparison: inout Comparison) throws {
        try comparison.compare(bench, answer)
        #expect(comparison.compared > 100)
        #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(12).joined(separator: "\n"))")
        _ = try bench.soundFingerprint()
    }

    /// Learners are merged among the events. To the oracle, the merged ids have always meant the learner who stays.
    @Test(arguments: Oracle.seeds ?? 701...704) func `merged learners`(seed: UInt64) throws {
        let stream = try Oracle.generate(seed: seed, events: 800, "--merges")
        let answer = try Oracle.answer(stream, now: OracleTests.now, offset: OracleTests.offset(seed))
        let rules = String(decoding: try contents(stream.rules), as: UTF8.self)
        let bench = try Bench(seed.isMultiple(of: 2) ? .sqliteTiny : .sqlite, rules: rules)
        var (waiting, merges): ([String], Int) = ([], 0)
        for line in String(decoding: try contents(stream.events), as: UTF8.self).split(separator: "\n") {
            let parsed = try JSONLine(String(line))
            guard !parsed["merged"].isEmpty else {
                waiting.append(String(line))
                continue
            }
            try bench.ingest(waiting, now: OracleTests.now.milliseconds)
            try bench.engine.merge(parsed["merged"], into: parsed["into"], at: OracleTests.now.date)
            (waiting, merges) = ([], merges + 1)
        }
        try bench.ingest(waiting, now: OracleTests.now.milliseconds)
        #expect(merges == 3)
        var comparison = Comparison(place: "seed \(seed)")
        try expectEqual(bench, answer, &comparison)
    }

    @Test func `the oracle's own cases`() throws { try Oracle.test() }

    private func counts(_ report: IngestReport) -> JSONValue {
        [
            "read": .count(report.read), "stored": .count(report.stored), "duplicates": .count(report.duplicates),
            "conflicts": .count(report.conflicts), "refused": .count(report.refused),
        ]
    }
}
