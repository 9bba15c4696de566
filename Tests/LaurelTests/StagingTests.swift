// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelRules
import LaurelStore
import Testing

/// A long input into a store with several partitions is stored in rounds, each of many transactions.
@Suite struct StagingTests {
    private let seed = UInt64.random(in: 0...999)
    /// The reference: a file with one partition.
    private let whole: Bench
    private let parted: ProgressEngine

    init() throws {
        whole = try Bench(.sqlite, rules: ClassRules.base)
        // So small that a round ends after a few thousand events.
        let store = MemoryStore(partitions: 4, eventsPerTransaction: 20)
        parted = try ProgressEngine(store: store, rules: Bench.load(ClassRules.base), clock: Bench.now)
    }

    /// Some megabytes, with repeated, conflicting and invalid events.
    private func lines() -> [String] {
        var lines: [String] = []
        let some = simulated(learners: 30, days: 40, seed: seed, disorder: true)
        for round in 0..<3 {
            for (index, event) in some.enumerated() {
                let number = index + round
                let other = String(repeating: "é", count: index % 200)
                let learner = "learner-00\(10 + index / 60 % 20)"
                switch number % 60 {
                case 7: lines.append("{\"no\": \"\(other)\"")
                case 20:
                    lines.append(line("s\(index / 60)", by: learner, data: #"{ "round" : \#(round),"x":"\#(other)"}"#))
                case 40: lines.append("")
                default: if round == 0 || number % 3 == 0 { lines.append(event) }
                }
            }
        }
        return lines
    }

    private struct Kept: Hashable, Comparable {
        var line: Int
        var reason: String
        var file: String
        var bytes: String

        static func < (one: Kept, other: Kept) -> Bool { (one.line, one.bytes) < (other.line, other.bytes) }
    }

    private func kept(_ engine: ProgressEngine) throws -> [Kept] {
        try engine.quarantinedLines(after: 0, limit: .max).map { line in
            var bytes: [UInt8] = []
            try engine.quarantinedLine(line.id) { bytes += $0 }
            let text = String(decoding: bytes, as: UTF8.self)
            return Kept(line: line.line ?? 0, reason: line.reason, file: line.file ?? "", bytes: text)
        }.sorted()
    }

    @Test func `a long input is stored as in a file`() throws {
        let lines = lines()
        let bytes = Array(lines.joined(separator: "\n").utf8)
        #expect(bytes.count > 3 << 20)
        let report = try parted.ingest(bytes, now: Bench.now)
        let expected = try whole.engine.ingest(bytes, now: Bench.now)
        #expect(expected.conflicts > 40 && expected.refused > 100 && expected.duplicates > 1000)
        #expect(report.read == expected.read && report.stored == expected.stored, "seed \(seed)")
        #expect(report.duplicates == expected.duplicates && report.conflicts == expected.conflicts, "seed \(seed)")
        #expect(report.refused == expected.refused && report.notKept == expected.notKept, "seed \(seed)")
        for problem in report.problems { #expect(problem.line > 0 && problem.file == "events", "seed \(seed)") }
        let fingerprint = try whole.soundFingerprint()
        #expect(try parted.fingerprint() == fingerprint, "seed \(seed)")
        #expect(try parted.check().differences == [], "seed \(seed)")
        let (found, wanted) = (try kept(parted), try kept(whole.engine))
        #expect(found == wanted, "seed \(seed)")
        for kept in found { #expect(lines[kept.line - 1] == kept.bytes, "seed \(seed)") }
    }
}
