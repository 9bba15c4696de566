// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore
import Testing

/// A comparison of rules says how many learners and how much XP limits concern.
@Suite struct LimitDiffTests {
    private static let plain = "version: 1\nxp: [{id: line, on: line.spoken, award: 10}]\n"
    private static let limited = plain + "plausible: {line.spoken: {at_most: 2, per: minute}}\n"
    private static let end = try! Timestamp("2026-02-20T12:00:00Z")

    /// `fast` exceeds the limit twice, `slow` and `old` never.
    private static let lines =
        ["10:00:00", "10:00:10", "10:00:20", "10:00:30"].enumerated().map { index, time in
            line("\(index)", at: "2026-02-05T\(time)Z", by: "fast")
        }
        + ["slow", "old"].map { line("1", by: $0) }

    private func summary(_ rules: String, against other: String) throws -> DifferenceSummary {
        let bench = try Bench(.sqlite, rules: rules)
        try bench.ingest(Self.lines)
        return try bench.engine.diff(ClassRules.load(other), options: DiffOptions(at: Self.end)).summary
    }

    @Test func `of a new limit, a limit that goes, and none`() throws {
        var expected = DifferenceSummary.Flagged()
        (expected.learnersAfter, expected.eventsAfter, expected.xpAfter) = (1, 2, 20)
        let new = try summary(Self.plain, against: Self.limited)
        #expect(new.flagged == expected && new.noChange == 3)
        var back = DifferenceSummary.Flagged()
        (back.learnersBefore, back.eventsBefore, back.xpBefore) = (1, 2, 20)
        #expect(try summary(Self.limited, against: Self.plain).flagged == back)
        #expect(try summary(Self.plain, against: Self.plain).flagged == nil)
    }

    @Test func `in JSON, and back`() throws {
        let new = try summary(Self.plain, against: Self.limited)
        let json = try LaurelJSON.encode(new)
        #expect(String(decoding: json, as: UTF8.self).contains(#""flagged":{"learnersBefore":0,"learnersAfter":1,"#))
        #expect(try LaurelJSON.decode(DifferenceSummary.self, from: json).flagged == new.flagged)
        let none = try LaurelJSON.encode(try summary(Self.plain, against: Self.plain))
        #expect(!String(decoding: none, as: UTF8.self).contains("flagged"))
    }

    /// A test in the rules covers a limit only if it fails without the limit.
    @Test func `tests cover limits`() throws {
        func uncovered(_ expectation: String) throws -> [String] {
            let test = """
                tests:
                  - name: three lines at once
                    events: [{type: line.spoken, time: "2026-02-05T18:00:00Z", times: 3, every: 1s}]
                    expect: {\(expectation)}
                """
            return try ClassRules.load(Self.limited + test).uncoveredParts().map(\.message)
        }
        #expect(try uncovered("totalXP: 30, flaggedEvents: 1, flaggedXP: 10") == [])
        #expect(try uncovered("totalXP: 30") == ["no test notices without the limit of `line.spoken`"])
    }
}
