// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

/// Words are listed from word events alone; reports list them from a complete fold. Both must agree.
@Suite struct WordListTests {
    @Test(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"), arguments: [81, 82, 83] as [UInt64])
    func `random rules and events`(seed: UInt64) throws {
        let stream = try Oracle.generate(seed: seed, events: 600)
        let bench = try Bench(.sqliteTiny, rules: String(decoding: try contents(stream.rules), as: UTF8.self))
        let text = String(decoding: try contents(stream.events), as: UTF8.self)
        try bench.ingest(text.split(separator: "\n").map(String.init))
        try expectSameWords(bench, seed)
    }

    @Test(arguments: Backend.allCases) func `simulated learners`(backend: Backend) throws {
        let bench = try Bench(backend)
        try bench.ingest(simulated(learners: 4, days: 20, seed: 5, disorder: true))
        let words = try expectSameWords(bench, 5)
        #expect(words > 40)
    }

    /// Compares the words of all learners, at their last event and some time before it.
    /// - Returns: the number of words.
    @discardableResult
    private func expectSameWords(_ bench: Bench, _ seed: UInt64) throws -> Int {
        var learners: [OverviewRecord] = []
        try bench.engine.forEachOverview { learners.append($0) }
        #expect(!learners.isEmpty, "seed \(seed)")
        var count = 0
        for learner in learners {
            let subject = String(decoding: learner.learner.subject, as: UTF8.self)
            guard let last = learner.lastEventAt else { continue }
            for milliseconds in [last, last - 5 * 86_400_000] {
                let at = Timestamp(milliseconds: milliseconds)
                // A week that is not over then.
                let period = ReportPeriod(week: LocalDay(number: 40_000), weeks: 1, at: at)
                let facts = try #require(try bench.engine.facts(of: subject, period, wants: .words))
                let words = try bench.engine.words(of: subject, language: nil, at: at)
                #expect(words.map(Array.init) == facts.words, "seed \(seed), \(subject) at \(milliseconds)")
                count += facts.words.count
            }
        }
        return count
    }
}
