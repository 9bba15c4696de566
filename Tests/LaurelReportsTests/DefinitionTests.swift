// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelRules
import LaurelYAML
import Testing

@testable import LaurelReports

@Suite struct DefinitionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let exhibit: String
        let expected: String

        init(_ name: String, _ exhibit: String, _ expected: String) {
            testDescription = name
            self.exhibit = exhibit
            self.expected = expected
        }
    }

    private func problems(_ exhibit: String, head: String = "") -> String {
        let lines = exhibit.split(separator: "\n", omittingEmptySubsequences: false).map { "        \($0)" }
        let text = """
            version: 1
            title: T
            \(head)
            learner:
              sections:
                - exhibits:
                  - 
            """ + "\n" + lines.joined(separator: "\n")
        do {
            let report = try ReportLoader.load(Array(text.utf8), file: "r.yaml")
            return report.warnings.map(\.description).joined(separator: "\n")
        } catch let error as RulesError {
            return error.description
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "What is wrong is said with its place",
        arguments: [
            Row("fine", "show: table\nquery: SELECT xp FROM progress", ""),
            Row(
                "a way to show",
                "show: pie\nquery: SELECT 1",
                "r.yaml:8:15: error: `show` cannot be `pie`; it is one of headline, bar, stackedBar, line, histogram, dots, heatmap, funnel, calendar, ring, table, text"
            ),
            Row("no query", "show: bar", "r.yaml:8:9: error: `show: bar` needs `query`"),
            Row(
                "a column",
                "show: table\nquery: SELECT xpp FROM progress",
                "r.yaml:9:23: error: SQL: no such column: xpp; did you mean `xp`?"
            ),
            Row(
                "a column on the third line",
                "show: table\nquery: |\n  SELECT learner,\n    xpp\n  FROM progress",
                "r.yaml:11:13: error: SQL: no such column: xpp; did you mean `xp`?"
            ),
            Row(
                "a column by the beginning of its name",
                "show: table\nquery: SELECT p.estimated FROM progress p",
                "r.yaml:9:23: error: SQL: no such column: p.estimated; did you mean `p.estimated_cefr`?"
            ),
            Row(
                "the learner's id by its name of versions before 0.3",
                "show: table\nquery: SELECT p.learner_id FROM progress p",
                "r.yaml:9:23: error: SQL: no such column: p.learner_id; did you mean `p.learner`?"
            ),
            Row(
                "the learner's id by another name",
                "show: table\nquery: SELECT subject FROM learners",
                "r.yaml:9:23: error: SQL: no such column: subject; did you mean `learner`?"
            ),
            Row(
                "a table",
                "show: table\nquery: SELECT 1 FROM nowhere",
                "r.yaml:9:16: error: SQL: no such table: nowhere"
            ),
            Row(
                "writing",
                "show: table\nquery: DELETE FROM progress",
                "r.yaml:9:16: error: a query may only read: SELECT, or WITH … SELECT"
            ),
            Row(
                "settings",
                "show: table\nquery: PRAGMA query_only = 0",
                "r.yaml:9:16: error: a query may only read: SELECT, or WITH … SELECT"
            ),
            Row(
                "attaching",
                "show: table\nquery: ATTACH 'laurel.db' AS other",
                "r.yaml:9:16: error: a query may only read: SELECT, or WITH … SELECT"
            ),
            Row(
                "chance",
                "show: table\nquery: SELECT random()",
                "r.yaml:9:16: error: `random` is not for reports: its answer is not the same every time"
            ),
            Row(
                "the clock",
                "show: table\nquery: SELECT date('now')",
                "r.yaml:9:28: error: a report must not read the clock: use :today or :as_of instead of 'now'"
            ),
            Row(
                "the clock, as quoted names are text where no column has them",
                "show: table\nquery: SELECT date(\"now\") AS d",
                "r.yaml:9:28: error: a report must not read the clock: use :today or :as_of instead of \"now\""
            ),
            Row(
                "the clock, with nothing given",
                "show: table\nquery: SELECT DateTime ( ) AS d",
                "r.yaml:9:23: error: a report must not read the clock: use :today or :as_of instead of datetime()"
            ),
            Row(
                "the clock, with a format alone",
                "show: table\nquery: SELECT strftime('%Y') AS d",
                "r.yaml:9:23: error: a report must not read the clock: use :today or :as_of instead of strftime(…)"
            ),
            Row("dates of the report", "show: table\nquery: SELECT strftime('%Y', date(:today, '-1 day')) AS d", ""),
            Row(
                "a note with a column that is not there",
                "show: headline\nquery: SELECT xp FROM progress\ncolumns: {xp: {note: \"of {all}\"}}",
                "r.yaml:10:30: error: the query gives no column `all`; there is xp"
            ),
            Row(
                "shades of a line",
                "show: line\nquery: SELECT day, xp FROM daily\npalette: shades",
                "r.yaml:10:9: error: `palette` is only for bar and stackedBar"
            ),
            Row(
                "what a bar counts",
                "show: bar\nquery: SELECT day, xp FROM daily\ncounted: learners",
                "r.yaml:10:9: error: `counted` is only for a histogram"
            ),
            Row(
                "two statements",
                "show: table\nquery: SELECT 1; SELECT 2",
                "r.yaml:9:25: error: a query is one statement"
            ),
            Row(
                "a parameter",
                "show: table\nquery: SELECT :weak AS w",
                "r.yaml:9:16: error: there is no parameter `:weak`; did you mean `:week`?"
            ),
            Row(
                "a parameter that is not declared",
                "show: table\nquery: SELECT :language AS l",
                "r.yaml:9:16: error: `:language` is read, but the report's `parameters` do not name `language`"
            ),
            Row(
                "columns of a bar",
                "show: bar\nquery: SELECT xp FROM progress",
                "r.yaml:8:9: error: `bar` needs a column for the category and one or more of numbers; the query gives 1"
            ),
            Row(
                "type of a bar",
                "show: bar\nquery: SELECT day, xp FROM daily\ncolumns: {xp: {type: text}}",
                "r.yaml:10:9: error: `bar` needs numbers in `xp`, which is `type: text`"
            ),
            Row(
                "a column that is not there",
                "show: table\nquery: SELECT xp FROM progress\ncolumns: {px: XP}",
                "r.yaml:10:19: error: the query gives no column `px`; did you mean `xp`?"
            ),
            Row(
                "a template",
                "show: text\nquery: SELECT xp FROM progress\ntext: \"{px} XP\"",
                "r.yaml:10:15: error: the query gives no column `px`; did you mean `xp`?"
            ),
            Row(
                "columns of dots",
                "show: dots\nquery: SELECT xp, active FROM daily",
                "r.yaml:8:9: error: `dots` needs three columns of numbers: across, up and size; the query gives 2"
            ),
            Row(
                "columns of a grid",
                "show: heatmap\nquery: SELECT day, xp FROM daily",
                "r.yaml:8:9: error: `heatmap` needs three columns: row, column and a number; the query gives 2"
            ),
            Row(
                "columns of a funnel",
                "show: funnel\nquery: SELECT day, xp, active FROM daily",
                "r.yaml:8:9: error: `funnel` needs a column for the step and one of numbers; the query gives 3"
            ),
            Row(
                "dates of a calendar",
                "show: calendar\nquery: SELECT day, xp FROM daily\ncolumns: {day: {type: number}}",
                "r.yaml:8:9: error: `calendar` needs dates in its first column; `day` is `type: number`"
            ),
            Row(
                "a key",
                "show: table\nquery: SELECT 1 AS one\ntitel: X",
                "r.yaml:10:9: error: unknown key `titel` in an exhibit; did you mean `title`?"
            ),
        ]
    )
    func diagnostics(row: Row) { #expect(problems(row.exhibit) == row.expected) }

    @Test func wordsAreForOneLearnerOnly() throws {
        let text = """
            version: 1
            title: T
            cohort: {sections: [{exhibits: [{show: table, query: SELECT word FROM words}]}]}
            """
        #expect(throws: RulesError.self) { try ReportLoader.load(Array(text.utf8), file: "r.yaml") }
    }

    @Test func aLanguageThatNobodyReadsIsDoubtful() {
        let expected = "no query reads `:language`, so `--language` would change nothing"
        #expect(problems("show: table\nquery: SELECT 1 AS one", head: "parameters: [language]").hasSuffix(expected))
    }

    @Test func aQueryThatDoesNotEndIsStopped() throws {
        let database = try ReportDatabase(timeLimit: 0.2)
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS m FROM n"
        let query = try database.prepare(endless)
        let error = #expect(throws: QueryError.self) { try database.run(query, .sample) { _ in } }
        #expect(error?.message == "the query took more than 0.2 seconds and was stopped")
        // The next query still runs.
        var rows = 0
        try database.run(try database.prepare("SELECT 1 AS one"), .sample) { _ in rows += 1 }
        #expect(rows == 1)
    }

    @Test func aQueryGivesNoMoreThanAReportHolds() throws {
        let database = try ReportDatabase()
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n"
        let query = try database.prepare(many)
        let error = #expect(throws: QueryError.self) { try database.run(query, .sample) { _ in } }
        #expect(error?.message == "the query gives more than 10000 rows; sum them up, or add LIMIT")
    }

    @Test(
        "Ids for people",
        arguments: [
            ("dialogCompletion", "Dialog completion"), ("new_words", "New words"), ("xp", "XP"),
            ("totalXP", "Total XP"),
            ("Food & drink", "Food & drink"), ("../etc", "../etc"), ("1. Ämter", "1. Ämter"), ("...", "..."),
            ("a.b-c", "A b c"), ("", ""), ("été", "Été"),
        ]
    )
    func titles(id: String, title: String) { #expect(IdentifierTitle.of(id) == title) }
}

extension QueryValues {
    static var sample: QueryValues {
        let week = LocalDay(year: 2026, month: 2, day: 2)
        return QueryValues(
            period: ReportPeriod(week: week, weeks: 1, at: Timestamp(milliseconds: 0)),
            weekName: "2026-W06",
            today: week,
            asOf: Timestamp(milliseconds: 0),
            language: "*",
            learner: nil,
            cohort: nil
        )
    }
}
