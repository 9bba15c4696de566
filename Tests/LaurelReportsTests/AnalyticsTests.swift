// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import Testing

@testable import LaurelReports

/// The numbers of the product report equal those that plain SQL in `sqlite3` computes from the exported events.
@Suite struct AnalyticsTests {
    /// Rules so simple that SQL can compute them: a day with a line counts, and a line is worth two XP.
    private static let rules = """
        version: 1
        streak: {when: event.type == 'line.spoken'}
        metrics: {lines: {count: line.spoken}}
        xp: [{id: line, on: line.spoken, award: 2}]
        levels: {table: [0, 20, 60, 120, 200]}
        achievements:
          - {id: talker, name: Talker, value: total.lines, at_least: [1, 50]}
          - {id: chatterbox, name: Chatterbox, value: total.lines, at_least: 60}
          - {id: legend, name: Legend, value: total.lines, at_least: 1000000}
        """

    /// From 2 March on, a line is worth three XP.
    private static let later = rules.replacing("award: 2", with: "award: 3")

    /// Ninety learners who begin in the ten weeks from 5 January, in nine zones. The longer they have been there, the
    /// less often they practise.
    private static func events(seed: UInt64) -> [Class.Event] {
        var state = seed
        func draw(_ bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
        let zones = ["-11:00", "-08:00", "-03:30", "Z", "+01:00", "+05:45", "+09:00", "+12:00", "+14:00"]
        let monday = LocalDay(year: 2026, month: 1, day: 5).number
        var events: [Class.Event] = []
        for learner in 0..<90 {
            let first = draw(70)
            let habit = 1 + draw(6)
            for day in first..<84 where day == first || draw(UInt64(habit + (day - first) / 14)) == 0 {
                let date = LocalDay(number: monday + Int32(day))
                for line in 0...draw(6) {
                    let hour = 10 + draw(10)
                    let length = 60_000 * (1 + draw(9))
                    events.append(
                        Class.Event(
                            subject: "learner-\(learner)",
                            time: "\(date)T\(hour):\(10 + line):59\(zones[learner % 9])",
                            language: learner % 2 == 0 ? "es" : "ja",
                            data: ["durationMs": .number(Double(length))]
                        )
                    )
                    events.append(
                        Class.Event(
                            subject: "learner-\(learner)",
                            type: "line.spoken",
                            time: "\(date)T\(hour):\(10 + line):00\(zones[learner % 9])",
                            language: learner % 2 == 0 ? "es" : "ja"
                        )
                    )
                }
            }
        }
        return events
    }

    /// Runs SQL in `sqlite3` over a table of the exported events, with `learner`, `type`, `time`, `day`, `language`,
    /// `xp` and `practice`. Returns the rows of each statement.
    private func sqlite(_ statements: [String], _ events: URL) throws -> [[[String]]] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let table = """
            CREATE TABLE events AS
            SELECT value ->> 'subject' AS learner, value ->> 'type' AS type, value ->> 'time' AS time,
              substr(value ->> 'time', 1, 10) AS day, value ->> 'language' AS language,
              CASE WHEN value ->> 'type' <> 'line.spoken' THEN 0 WHEN substr(value ->> 'time', 1, 10) < '2026-03-02' THEN 2 ELSE 3 END AS xp,
              value ->> '$.data.durationMs' AS practice
            FROM json_each(readfile('\(events.path)'));
            """
        process.arguments = ["sqlite3", "-batch", "-separator", "\t", "-nullvalue", "null", ":memory:"]
        let marked = statements.map { "\($0);\nSELECT '---';" }
        let script = events.deletingLastPathComponent().appending(path: "script.sql")
        try Data((table + marked.joined(separator: "\n")).utf8).write(to: script)
        process.standardInput = try FileHandle(forReadingFrom: script)
        let output = events.deletingLastPathComponent().appending(path: "rows")
        try Data().write(to: output)
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try String(contentsOf: output, encoding: .utf8).components(separatedBy: "---\n").map { rows in
            rows.split(separator: "\n").map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let report: String
        let exhibit: String?
        let sql: String
        var testDescription: String { "\(report), \(exhibit ?? "headline")" }

        init(_ report: String, _ exhibit: String?, _ sql: String) {
            (self.report, self.exhibit, self.sql) = (report, exhibit, sql)
        }
    }

    /// The week is 2026-W12, from 16 March, and everything up to 22 March counts.
    private static let acts =
        "acts AS (SELECT DISTINCT learner, day FROM events WHERE type = 'line.spoken' AND day <= '2026-03-22')"
    private static let weeks = """
        weeks AS (SELECT DISTINCT date(day, 'weekday 0', '-6 days') AS week FROM acts)
        """
    private static let runs = """
        numbered AS (SELECT learner, day, julianday(day) - row_number() OVER (PARTITION BY learner ORDER BY day) AS run FROM acts),
        runs AS (SELECT learner, run, count(*) AS days FROM numbered GROUP BY learner, run)
        """
    private static let first = """
        first AS (SELECT learner, date(min(day), 'weekday 0', '-6 days') AS week FROM acts GROUP BY learner),
        came AS (SELECT DISTINCT a.learner, f.week,
                   CAST((julianday(date(a.day, 'weekday 0', '-6 days')) - julianday(f.week)) / 7 AS INTEGER) AS later
                 FROM acts a JOIN first f USING (learner))
        """

    private static func share(after weeks: Int) -> String {
        """
        CASE WHEN date(week, '+\(7 * weeks) days') <= '2026-03-16'
          THEN 100.0 * sum(later = \(weeks)) / count(DISTINCT learner) END
        """
    }

    private static let rows = [
        Row(
            "engagement",
            nil,
            """
            WITH \(acts), week AS (SELECT count(*) / 7.0 AS d, count(DISTINCT learner) AS w FROM acts WHERE day >= '2026-03-16'),
              before AS (SELECT count(*) / 7.0 AS d, count(DISTINCT learner) AS w FROM acts WHERE day BETWEEN '2026-03-09' AND '2026-03-15'),
              month AS (SELECT count(DISTINCT learner) AS m FROM acts WHERE day >= '2026-02-23'),
              old AS (SELECT count(DISTINCT learner) AS m FROM acts WHERE day BETWEEN '2026-02-16' AND '2026-03-15')
            SELECT week.d, before.d, week.w, before.w, month.m, old.m, 100 * week.d / month.m, 100 * before.d / old.m
            FROM week, before, month, old
            """
        ),
        Row(
            "engagement",
            "By day",
            "WITH \(acts) SELECT day, count(*) FROM acts WHERE day >= '2026-02-23' GROUP BY day ORDER BY day"
        ),
        Row(
            "engagement",
            "By week",
            """
            WITH \(acts) SELECT '2025-12-29' AS w, 0 UNION ALL
            SELECT date(day, 'weekday 0', '-6 days') AS w, count(DISTINCT learner) FROM acts GROUP BY w ORDER BY w
            """
        ),
        Row(
            "engagement",
            "By month",
            """
            WITH \(acts) SELECT column1 AS m, 0 FROM (VALUES ('2025-10'), ('2025-11'), ('2025-12')) UNION ALL
            SELECT substr(day, 1, 7) AS m, count(DISTINCT learner) FROM acts GROUP BY m ORDER BY m
            """
        ),
        Row(
            "engagement",
            "Won and lost",
            """
            WITH \(acts), \(weeks),
              seen AS (SELECT DISTINCT learner, date(day, 'weekday 0', '-6 days') AS week FROM acts)
            SELECT '2025-12-29' AS week, 0, 0 UNION ALL
            SELECT week,
              (SELECT count(*) FROM (SELECT learner FROM seen s WHERE s.week = weeks.week
                                     EXCEPT SELECT learner FROM seen s WHERE s.week = date(weeks.week, '-7 days'))),
              -(SELECT count(*) FROM (SELECT learner FROM seen s WHERE s.week = date(weeks.week, '-7 days')
                                      EXCEPT SELECT learner FROM seen s WHERE s.week = weeks.week))
            FROM weeks ORDER BY week
            """
        ),
        Row(
            "engagement",
            "How often those who come do so",
            """
            WITH \(acts), \(weeks)
            SELECT '2025-12-29' AS week, NULL, NULL UNION ALL
            SELECT week, 100.0 * count(*) / 7 / count(DISTINCT learner),
              100.0 * count(DISTINCT learner)
                / (SELECT count(DISTINCT learner) FROM acts a WHERE a.day BETWEEN date(week, '-21 days') AND date(week, '+6 days'))
            FROM weeks JOIN acts ON day BETWEEN week AND date(week, '+6 days') GROUP BY week ORDER BY week
            """
        ),
        Row(
            "engagement",
            "How long streaks last",
            """
            WITH \(acts), \(runs), goal(days) AS (VALUES (1), (3), (7), (14), (30), (60), (100))
            SELECT goal.days || CASE goal.days WHEN 1 THEN ' day' ELSE ' days' END,
              100.0 * (SELECT count(*) FROM runs r WHERE r.days >= goal.days) / (SELECT count(*) FROM runs) FROM goal
            """
        ),
        Row(
            "retention",
            "Who came back",
            """
            WITH \(acts), \(first)
            SELECT week, count(DISTINCT learner), \(share(after: 1)), \(share(after: 4)), \(share(after: 8))
            FROM came GROUP BY week ORDER BY week
            """
        ),
        Row(
            "retention",
            "Cohorts week by week",
            """
            WITH RECURSIVE \(acts), \(first),
              size AS (SELECT week, count(*) AS n FROM first GROUP BY week ORDER BY week DESC LIMIT 12),
              step(later) AS (VALUES (0) UNION ALL SELECT later + 1 FROM step WHERE later < 11)
            SELECT week, later, 100.0 * (SELECT count(*) FROM came c WHERE c.week = size.week AND c.later = step.later) / n
            FROM size, step WHERE date(week, '+' || (7 * later) || ' days') <= '2026-03-16' ORDER BY week, later
            """
        ),
        Row(
            "retention",
            "From the first practice on",
            """
            WITH \(acts), lines AS (SELECT learner, sum(xp) AS xp, date(min(datetime(time))) AS first, max(day) AS last
                                    FROM events WHERE day <= '2026-03-22' GROUP BY learner)
            SELECT 'Practised', count(*) FROM lines UNION ALL SELECT 'First achievement', count(*) FROM lines
            UNION ALL SELECT 'Level 5', sum(xp >= 200) FROM lines
            UNION ALL SELECT 'Still there after 30 days', sum(xp >= 200 AND last >= date(first, '+30 days')) FROM lines
            """
        ),
        Row(
            "rules-health",
            "XP by week and source",
            """
            SELECT '2025-12-29' AS w, NULL, NULL UNION ALL
            SELECT date(day, 'weekday 0', '-6 days') AS w, 'Line', sum(xp) FROM events
            WHERE day <= '2026-03-22' GROUP BY w ORDER BY w
            """
        ),
        Row(
            "rules-health",
            "XP of a day of practice",
            """
            SELECT '2025-12-29' AS w, NULL UNION ALL
            SELECT date(day, 'weekday 0', '-6 days') AS w, 1.0 * sum(xp) / count(DISTINCT learner || day) FROM events
            WHERE day <= '2026-03-22' GROUP BY w ORDER BY w
            """
        ),
        Row(
            "rules-health",
            "XP of an hour of practice",
            """
            SELECT '2025-12-29' AS w, NULL UNION ALL
            SELECT date(day, 'weekday 0', '-6 days') AS w, 3600000.0 * sum(xp) / sum(practice) FROM events
            WHERE day <= '2026-03-22' GROUP BY w ORDER BY w
            """
        ),
        // In force from 2 March, so the 21 days up to the 22nd are compared with the 21 days before.
        Row(
            "rules-health",
            "Before and after",
            """
            WITH sums AS (
                SELECT day >= '2026-03-02' AS late, 1.0 * sum(xp) AS xp, count(DISTINCT learner || day) AS days, sum(practice) AS ms
                FROM events WHERE day BETWEEN '2026-02-09' AND '2026-03-22' GROUP BY late),
              old AS (SELECT * FROM sums WHERE late = 0), new AS (SELECT * FROM sums WHERE late),
              rates(what, one, other) AS (
                SELECT 'XP of a day of practice', old.xp / old.days, new.xp / new.days FROM old, new
                UNION ALL SELECT 'XP of an hour of practice', 3600000 * old.xp / old.ms, 3600000 * new.xp / new.ms FROM old, new
                UNION ALL SELECT 'Active learners a day', old.days / 21.0, new.days / 21.0 FROM old, new
                UNION ALL SELECT 'Minutes of a day of practice', old.ms / 60000.0 / old.days, new.ms / 60000.0 / new.days FROM old, new)
            SELECT '2026-03-02', what, one, other, 100 * (other / one - 1) FROM rates
            """
        ),
        Row(
            "rules-health",
            "How many have each",
            """
            WITH lines AS (SELECT sum(type = 'line.spoken') AS n FROM events WHERE day <= '2026-03-22' GROUP BY learner)
            SELECT 'Talker', 100 UNION ALL SELECT 'Chatterbox', 100.0 * sum(n >= 60) / count(*) FROM lines
            UNION ALL SELECT 'Legend', 0
            """
        ),
        Row(
            "rules-health",
            "Nobody has",
            "SELECT 'Legend', '', max(n) / 10000.0 FROM (SELECT sum(type = 'line.spoken') AS n FROM events WHERE day <= '2026-03-22' GROUP BY learner)"
        ),
        Row("rules-health", "Everybody has", "SELECT 'Talker', ''"),
    ]

    @Test("As in plain SQL", arguments: [UInt64(20), 21])
    func inPlainSQL(seed: UInt64) throws {
        let engine = try Class.engine(Self.events(seed: seed), rules: Self.rules)
        try engine.apply(Rules(yaml: Self.later), from: LocalDay(year: 2026, month: 3, day: 2))
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-analytics-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var lines: [String] = []
        _ = try engine.export { bytes in
            lines += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        let events = folder.appending(path: "events.json")
        try Data("[\(lines.joined(separator: ","))]".utf8).write(to: events)
        let wantedRows = try sqlite(Self.rows.map(\.sql), events)
        let documents = try Dictionary(
            uniqueKeysWithValues: Set(Self.rows.map(\.report)).map { name in
                (name, try ReportMaker(name, engine, week: "2026-W12").cohort())
            }
        )
        for (row, wanted) in zip(Self.rows, wantedRows) {
            let document = try #require(documents[row.report])
            let found = try #require(document.exhibit(row.exhibit)?.table.rows).map { row in row.map(\.key) }
            // A column of colours is not a column of the document.
            #expect(found.count == wanted.count, "seed \(seed), \(row.testDescription)")
            #expect(!found.isEmpty, "seed \(seed), \(row.testDescription)")
            for (one, other) in zip(found, wanted) {
                let isSame = one.count == other.count && zip(one, other).allSatisfy(Self.same)
                #expect(isSame, "seed \(seed), \(row.testDescription): \(one), \(other)")
            }
        }
    }

    /// Wednesday is compared with Monday to Wednesday of the week before, not with all of it.
    @Test func `a week that has not ended is compared with the same days`() throws {
        var events: [Class.Event] = []
        for day in 9...18 {
            // Three learners each day of the week before, and two each day of this one.
            for learner in 0..<(day < 16 ? 3 : 2) {
                let time = "2026-03-\(day < 10 ? "0" : "")\(day)T08:00:00Z"
                let subject = "learner-\(learner)"
                events.append(Class.Event(subject: subject, type: "line.spoken", time: time, language: "es"))
            }
        }
        let engine = try Class.engine(events, rules: Self.rules)
        let document = try ReportMaker("engagement", engine, week: "2026-W12", at: "2026-03-18T20:00:00Z").cohort()
        let found = try #require(document.exhibit(nil)?.table.rows.first).map(\.key)
        #expect(found.prefix(4) == ["2", "3", "2", "3"], "\(found)")
        let head = DocumentHead(locale: .english).parts(document)
        #expect(head.contains("compared with the same days of the week before"))
        let whole = try ReportMaker("engagement", engine, week: "2026-W11", at: "2026-03-18T20:00:00Z").cohort()
        #expect(!whole.comparesSameDays)
    }

    @Test func `retention begins with the first weeks of a class of 90 days`() throws {
        let engine = try Class.engine(Self.events(seed: 20), rules: Self.rules)
        let document = try ReportMaker("retention", engine, week: "2026-W15").cohort()
        let rows = try #require(document.exhibit("Who came back")?.table.rows)
        #expect(rows.first?[0] == .text("2026-01-05") && rows.count == 10, "\(rows)")
    }

    private static func same(_ one: String, _ other: String) -> Bool {
        if one == other || one.isEmpty && other == "null" { return true }
        guard let one = Double(one), let other = Double(other) else { return false }
        return abs(one - other) <= 1e-9 * max(1, abs(one), abs(other))
    }
}
