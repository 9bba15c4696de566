// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelStore
import Testing

/// A store with several partitions answers like a store with one.
@Suite struct PartitionTests {
    private let seed = UInt64.random(in: 0...999)
    private let whole: Bench
    private let parted: Bench

    init() throws {
        whole = try Bench(.memory, rules: ClassRules.base)
        parted = try Bench(.memoryPartitioned, rules: ClassRules.base)
    }

    /// Two weeks of a class, out of order, with repeated events and refused lines.
    private func lines() -> [String] {
        var random = SeededGenerator(seed: seed)
        var lines = simulated(learners: 24, days: 14, seed: seed, disorder: true)
        lines += lines.prefix(60)
        lines += ["{", #"{"id":"1"}"#, line("odd", "no.such type", by: "learner-0003")]
        // The same identity with other content.
        for number in 0..<4 {
            lines += ["line.spoken", "line.skipped"].map { line("x\(number)", $0, by: "learner-000\(number)") }
        }
        return lines.shuffled(using: &random)
    }

    private func expectSame<T: Equatable>(_ what: String, _ said: (Bench) throws -> T) throws {
        let (one, other) = (try said(whole), try said(parted))
        #expect(one == other, "seed \(seed): \(what)")
    }

    private func expectSameAnswers(_ when: String) throws {
        try expectSame("fingerprint \(when)") { try $0.soundFingerprint() }
        try expectSame("events \(when)") { try $0.export().sorted() }
        try expectSame("learners \(when)") { try LaurelJSON.encode($0.engine.learners()) }
        try expectSame("size \(when)") { try $0.engine.size() }
        let request = LeaderboardRequest(week: nil, instant: Timestamp(milliseconds: Bench.now))
        try expectSame("leaderboard \(when)") { try LaurelJSON.encode($0.engine.leaderboard(request)) }
        let learners = try whole.engine.learners().map { whole.engine.learner($0.id) }
        let session = try #require(learners.lazy.compactMap { try? $0.sessions(at: Bench.date).first }.first)
        try expectSame("leaderboard of a session \(when)") { bench in
            try LaurelJSON.encode(bench.engine.leaderboard(ofSession: session.id, at: Bench.date))
        }
        try expectSame("quarantine \(when)") { bench in
            try bench.quarantined().map { "\($0.line.reason) \(String(decoding: $0.bytes, as: UTF8.self))" }.sorted()
        }
    }

    @Test func `ingests, rules, replays and erasures`() throws {
        let lines = lines()
        for part in [lines[..<(lines.count / 2)], lines[(lines.count / 2)...]] {
            try expectSame("the report of an ingest") { bench in
                var report = try bench.ingest(part)
                report.problems.sort { ($0.line, $0.message) < ($1.line, $1.message) }
                return report
            }
            try expectSameAnswers("after an ingest")
        }
        var random = SeededGenerator(seed: seed)
        for (name, rules) in ClassRules.changed.shuffled(using: &random).prefix(3) {
            let rules = try ClassRules.load(rules)
            let options = DiffOptions(at: Bench.date)
            try expectSame("diff of \(name)") { try LaurelJSON.encode($0.engine.diff(rules, options: options)) }
            try expectSame("\(name) applied") { bench in
                var report = try bench.engine.apply(rules, options: ApplyOptions(appliedAt: Bench.date))
                report.seconds = 0
                return report
            }
            try expectSameAnswers("under \(name)")
        }
        try expectSame("a replay") { try $0.engine.replay().fingerprint }
        try expectSameAnswers("after a replay")
        let gone = try whole.engine.learners().map(\.id).filter { $0.hasSuffix("3") }
        #expect(!gone.isEmpty)
        for learner in gone { try expectSame("an erasure") { try $0.engine.erase(learner: learner) } }
        try expectSameAnswers("after erasures")
    }

    @Test func `changes`() throws {
        try expectSame("stored") { try $0.ingest(lines()).stored }
        var positions = try [whole, parted].map { try $0.engine.changes(since: 0).commit }
        #expect(positions.map { $0.description.split(separator: ".").count } == [1, 4])
        for round in 0..<12 {
            for bench in [whole, parted] {
                try bench.ingest((0...round % 4).map { line("r\(round)", by: "learner-00\($0 + 10)") })
            }
            let changes = try zip([whole, parted], positions).map { try $0.engine.changes(since: $1) }
            #expect(changes[0].learners == changes[1].learners && !changes[0].learners.isEmpty)
            #expect(changes.allSatisfy { !$0.everyone })
            // The positions written as text, and read again.
            positions = try changes.map { changes in
                let text = String(decoding: try LaurelJSON.encode(changes), as: UTF8.self)
                #expect(try LaurelJSON.decode(LearnerChanges.self, from: Data(text.utf8)) == changes)
                return try #require(CommitPosition(changes.commit.description))
            }
        }
    }

    @Test(arguments: ["", "1.", ".1", "1..2", "x", "1.x", "1,2", "1 "]) func `what is no position`(text: String) {
        #expect(CommitPosition(text) == nil)
    }
}
