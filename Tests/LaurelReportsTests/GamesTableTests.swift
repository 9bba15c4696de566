// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import Testing

@testable import LaurelReports

/// The tables `goals` and `balances`, and the weekly report's exhibits of them.
@Suite struct GamesTableTests {
    private static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        goals:
          - {id: five, name: {en: "Five lines", de: "Fünf Zeilen"}, every: day, value: day.lines, target: 5}
          - {id: own_lines, every: week, value: week.lines, target: 4, gives: {gems: 3}}
        currencies:
          gems: {start: 2}
          hearts: {start: 5, hold: 5, refill: {every: 4h, by: 1}, awards: [{id: slip, on: line.spoken, award: -2}]}
        """

    /// Two lines on a Friday, two on the Saturday. The report is as of that Saturday, six hours after the last line.
    private static func engine(rules: String? = rules) throws -> ProgressEngine {
        let times = ["2026-02-06T10:00:00Z", "2026-02-06T10:01:00Z", "2026-02-07T10:00:00Z", "2026-02-07T10:01:00Z"]
        return try Class.engine(times.map { Class.Event(type: "line.spoken", time: $0) }, rules: rules)
    }

    private static func document(
        _ query: String,
        locale: String = "en_GB",
        engine: ProgressEngine? = nil
    ) throws -> [[String]] {
        let yaml = """
            version: 1
            title: T
            learner:
              sections:
                - exhibits:
                    - {title: All, show: table, query: "\(query)"}
            """
        let definition = try ReportLoader.load(Array(yaml.utf8), file: "own.yaml")
        let request = ReportRequest(
            week: LocalDay(startOfISOWeek: "2026-W06".utf8)!,
            at: try Timestamp("2026-02-07T16:00:00Z"),
            locale: locale
        )
        let maker = try ReportMaker(definition, engine ?? Self.engine(), request)
        let csv = try ReportFormat.csv.files(maker.learner("ana"), locale: locale).first?.content ?? ""
        return csv.split(whereSeparator: \.isNewline).dropFirst().map { $0.components(separatedBy: ",") }
    }

    @Test func `goals are as of the report's instant, in the order of the rules`() throws {
        let goals = "SELECT goal, name, every, window, value, target, completed_at, times FROM goals"
        #expect(
            try Self.document(goals) == [
                ["five", "Five lines", "day", "2026-02-07", "2", "5", "", "0"],
                ["own_lines", "Own lines", "week", "2026-W06", "4", "4", "2026-02-07T10:01:00.000Z", "1"],
            ]
        )
        #expect(try Self.document("SELECT name FROM goals WHERE goal = 'five'", locale: "de_AT") == [["Fünf Zeilen"]])
    }

    /// The lines of Saturday took the hearts, refilled in the night, from 5 to 3 and to 1. Hearts refill every four hours
    /// from 10:00, when the balance left `hold`.
    @Test func `balances are refilled up to the report's instant`() throws {
        let columns = "currency, balance, hold, refill_anchor, refill_every_ms, refill_by, next_refill_at"
        #expect(
            try Self.document("SELECT \(columns) FROM balances") == [
                ["gems", "5", "", "", "", "", ""],
                ["hearts", "2", "5", "2026-02-07T14:00:00.000Z", "14400000", "1", "2026-02-07T18:00:00.000Z"],
            ]
        )
    }

    @Test func `the weekly report shows both, and neither without rules for them`() throws {
        let report = try ReportMaker("weekly-xp", Self.engine(), week: "2026-W06", at: "2026-02-07T16:00:00Z")
        let document = try report.learner("ana")
        let goals = try #require(document.exhibit("Goals")?.table.rows)
        #expect(goals.map { [$0[2].number, $0[3].number] } == [[2, 5], [4, 4]])
        #expect(document.exhibit("Balances")?.table.rows.map { $0[1].number } == [5, 2])
        let plain = "version: 1\nmetrics: {lines: {count: line.spoken}}\n"
        let without = try ReportMaker("weekly-xp", Self.engine(rules: plain), week: "2026-W06").learner("ana")
        #expect(without.exhibit("Goals")?.isLeftOut == true && without.exhibit("Balances")?.isLeftOut == true)
    }
}
