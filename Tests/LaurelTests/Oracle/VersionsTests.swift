// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

/// Rules in time compared with the second implementation: random versions, each in force from a date, with periods.
@Suite(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"))
struct VersionsTests {
    private static let now = try! Timestamp("2027-01-01T00:00:00Z")

    /// The first rules, and those that are applied later.
    private struct Versions {
        let first: String
        let later: [(day: LocalDay, rules: String)]

        init(_ stream: Oracle.Stream) throws {
            first = String(decoding: try contents(stream.rules), as: UTF8.self)
            later = try stream.later.map { ($0.day, String(decoding: try contents($0.rules), as: UTF8.self)) }
        }

        func apply(to bench: Bench) throws {
            for version in later { try bench.apply(version.rules, from: version.day) }
        }

        /// Applies the versions. Some replace others of the same date or later ones.
        func applyAfterOthers(to bench: Bench) throws {
            let (start, last) = (later[0].day, later[later.count - 1])
            try bench.apply(first, from: LocalDay(number: start.number + 3))
            try bench.apply(last.rules, from: start)
            try apply(to: bench)
        }
    }

    @Test(arguments: Oracle.seeds ?? 601...604) func `at the end, and about each date`(seed: UInt64) throws {
        try compare(seed)
    }

    @Test(.disabled(if: Oracle.seeds != nil, "other seeds were asked for"))
    func `games, for half a minute`() throws {
        try Oracle.forHalfAMinute(from: 8001, compare)
    }

    private func compare(_ seed: UInt64) throws {
        let stream = try Oracle.generate(seed: seed, events: 400, "--versions")
        let versions = try Versions(stream)
        let lines = String(decoding: try contents(stream.events), as: UTF8.self).split(separator: "\n").map(String.init)
        let whole = try Bench(seed.isMultiple(of: 2) ? .sqliteTiny : .sqlite, rules: versions.first)
        try whole.ingest([String]())
        try versions.apply(to: whole)
        try whole.ingest(lines)

        let offset = ["Z", "+05:30", "-08:00", "+00:00"][Int(seed / 2 % 4)]
        let answer = try Oracle.answer(stream, now: VersionsTests.now, offset: offset)
        var comparison = Comparison(place: "seed \(seed)")
        try comparison.compare(whole, answer)
        #expect(comparison.compared > 100)
        #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(12).joined(separator: "\n"))")
        try expectOne(lines, versions, fingerprint: whole.soundFingerprint(), seed: seed)
    }

    /// The fingerprint is the same, whatever the order of events and versions.
    private func expectOne(_ lines: [String], _ versions: Versions, fingerprint: String, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let shuffled = lines.shuffled(using: &random)
        let half = shuffled.count / 2

        let batches = try Bench(.sqliteTiny, rules: versions.first)
        for start in stride(from: 0, to: shuffled.count, by: (shuffled.count + 49) / 50) {
            try batches.ingest(shuffled[start..<min(start + (shuffled.count + 49) / 50, shuffled.count)])
            if start == 0 { try versions.apply(to: batches) }
        }
        #expect(try batches.soundFingerprint() == fingerprint, "seed \(seed), fifty batches")

        let memory = try Bench(.memory, rules: versions.first)
        try memory.ingest(shuffled[..<half])
        try versions.applyAfterOthers(to: memory)
        try memory.ingest(shuffled[half...])
        #expect(try memory.soundFingerprint() == fingerprint, "seed \(seed), in memory")

        // Events after the first date come first, then late events across it.
        let date = versions.later[0].day.description
        let late = lines.filter { (try? JSONLine($0)["time"]).map { $0 < date } ?? true }
        let others = try Bench(.sqlite, rules: versions.first)
        try others.ingest(lines.filter { !late.contains($0) })
        try versions.applyAfterOthers(to: others)
        try others.ingest(late)
        #expect(try others.soundFingerprint() == fingerprint, "seed \(seed), late across \(date)")
    }
}

extension Bench {
    func apply(_ rules: String, from day: LocalDay) throws {
        _ = try engine.apply(ClassRules.load(rules), from: day, options: ApplyOptions(appliedAt: Bench.date))
    }
}
