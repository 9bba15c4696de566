// SPDX-License-Identifier: Apache-2.0

import Laurel
import Testing

@testable import LaurelReports

/// The effect of each key of an exhibit.
@Suite struct ExhibitTests {
    /// A report with one exhibit about no learner, as a page and as Markdown.
    private func made(_ exhibit: String, locale: String = "en_GB") throws -> (page: String, markdown: String) {
        let yaml = """
            version: 1
            title: T
            cohort:
              sections:
                - exhibits:
                    - 
            """
        let lines = exhibit.split(separator: "\n").map { "          \($0)" }
        let text = yaml + "\n" + lines.joined(separator: "\n")
        let definition = try ReportLoader.load(Array(text.utf8), file: "exhibit.yaml")
        let request = try ReportRequest(week: "2026-W06", at: "2026-06-01T00:00:00Z")
        let document = try ReportMaker(definition, try Class.engine([]), request).cohort()
        let html = HTMLFormat(locale: LocaleText(identifier: locale)).page(document)
        return (
            String(html[(html.firstRange(of: "<main>")?.upperBound ?? html.startIndex)...]),
            MarkdownFormat(locale: LocaleText(identifier: locale)).text(document)
        )
    }

    @Test(
        "Notes of headlines are filled in by locale",
        arguments: [("en_GB", "of 1,234 learners"), ("en_DE", "of 1.234 learners")]
    )
    func notes(locale: String, note: String) throws {
        let exhibit = """
            show: headline
            query: SELECT 3 AS streaks, 1234 AS learners, NULL AS gone, 5 AS level
            columns: {streaks: {note: "of {learners}"}, learners: {unit: [learner, learners]}, level: {note: "{gone} left"}}
            """
        let made = try made(exhibit, locale: locale)
        #expect(
            made.markdown.contains(
                "- **Streaks:** 3, \(note.replacing(" ", with: "\u{A0}", maxReplacements: 2).replacing("of\u{A0}", with: "of "))\n"
            )
        )
        // Without a change, there is no note about it.
        #expect(made.markdown.contains("- **Level:** 5\n"))
        #expect(!made.page.contains("Learners") && !made.page.contains("left"))
    }

    @Test func barsOfSharesAreOfAllThereIs() throws {
        let made = try made(
            """
            show: bar
            query: SELECT 'one' AS name, 50 AS share UNION ALL SELECT 'two', 25
            columns: {share: {type: percent}}
            """
        )
        #expect(made.page.contains("width=\"50%\" height=\"8\"") && made.page.contains("width=\"25%\" height=\"8\""))
        #expect(made.markdown.contains("| one | 50% | ████████ |\n| two | 25% | ████ |"))
    }

    @Test func stepsAreShadesAndSumUp() throws {
        let made = try made(
            """
            show: stackedBar
            series: level
            palette: shades
            query: SELECT 'ja' AS language, 'A1' AS level, 3 AS learners UNION ALL SELECT 'ja', 'A2', 1
            columns: {language: {type: language}, learners: {unit: [learner, learners]}}
            """
        )
        #expect(made.page.contains("class=\"r1\" x=\"0%\" y=\"0\" width=\"75%\""))
        #expect(made.page.contains("class=\"r6\" x=\"75%\" y=\"0\" width=\"25%\""))
        #expect(made.page.contains("<bdi>Japanese</bdi></span><span>4\u{A0}learners</span>"))
    }

    @Test func lossesAreBelowZero() throws {
        let days = "SELECT '2026-02-02' AS day, 30 AS xp UNION ALL SELECT '2026-02-04', -10"
        let columns = try made("show: bar\nquery: \(days)\ncolumns: {day: {type: date}, xp: {unit: XP}}").page
        #expect(columns.contains("mark gain") && columns.contains("mark loss"))
        #expect(columns.contains("class=\"zero\"") && columns.contains(">-10</text>"))
        let names = "SELECT 'up' AS name, 30 AS xp UNION ALL SELECT 'down', -10"
        let list = try made("show: bar\nquery: \(names)").page
        #expect(list.contains("class=\"s1\" x=\"25%\" y=\"0\" width=\"75%\""))
        #expect(list.contains("class=\"loss\" x=\"0%\" y=\"0\" width=\"25%\""))
        #expect(list.contains("class=\"goal\" x1=\"25%\""))
        let parts = try made("show: stackedBar\nquery: SELECT 'one' AS name, 6 AS won, -2 AS lost").page
        #expect(parts.contains("class=\"s1\" x=\"25%\"") && parts.contains("class=\"s2\" x=\"0%\""))
    }

    @Test func tooltipsNeedNoPointer() throws {
        func bars(_ count: Int) -> String {
            let rows = (1...count).map { "SELECT \($0) AS hour, 2 AS won, \($0 % 2) AS lost" }
            return "show: bar\nquery: \(rows.joined(separator: " UNION ALL "))\ncolumns: {hour: {type: number}}"
        }
        let few = try made(bars(2)).page
        #expect(few.contains("role=\"img\" tabindex=\"0\" aria-label=\"1: Won 2, Lost 1\""))
        #expect(few.contains("aria-label=\"2: Won 2\""))
        // Many columns are not in the way of the Tab key.
        let many = try made(bars(24)).page
        #expect(many.contains("class=\"tips\" aria-hidden=\"true\""))
        #expect(!many.contains("tabindex=\"0\" aria-label=\"1:"))
        let days = "show: calendar\nquery: SELECT '2026-02-02' AS day, 30 AS xp\ncolumns: {xp: {unit: XP}}"
        let calendar = try made(days).page
        #expect(calendar.contains("2 Feb 2026, 30\u{A0}XP\""), "\(calendar)")
    }

    @Test func numbersOnAnAxisHaveATitle() throws {
        let page = try made("show: bar\nquery: SELECT 7 AS hour, 3 AS reviews\ncolumns: {hour: {type: number}}").page
        #expect(page.contains("text-anchor=\"middle\">Hour</text>") && page.contains(">Reviews</text>"))
    }

    @Test func dotsAreSizedByTheirCount() throws {
        let exhibit = """
            show: dots
            query: SELECT 90 AS predicted, 80 AS remembered, 400 AS reviews UNION ALL SELECT 50, 60, 100
            columns: {predicted: {type: TYPE}, remembered: {type: percent}, reviews: {unit: [review, reviews]}}
            """
        let page = try made(exhibit.replacing("TYPE", with: "percent")).page
        #expect(page.contains("aria-label=\"Predicted 90%, Remembered 80%: 400\u{A0}reviews\""))
        #expect(page.contains("cx=\"90%\" cy=\"76\" r=\"13\"") && page.contains("cx=\"50%\" cy=\"118\" r=\"6.5\""))
        #expect(page.contains("more reviews</li>") && page.contains("both equal</li>"))
        #expect(try !made(exhibit.replacing("TYPE", with: "number")).page.contains("both equal"))
    }

    @Test func aGridIsShadedByItsNumbers() throws {
        let made = try made(
            """
            show: heatmap
            query: SELECT 'May' AS month, 0 AS later, 100 AS share UNION ALL SELECT 'May', 1, 40 UNION ALL SELECT 'June', 0, 0
            columns: {later: Weeks later, share: {type: percent}}
            """
        )
        #expect(made.page.contains("<th scope=\"colgroup\" colspan=\"2\">Weeks later</th>"))
        #expect(made.page.contains("<td class=\"h4\">100%</td><td class=\"h2\">40%</td>"))
        #expect(made.page.contains("<td class=\"h0\">0%</td><td class=\"hnone\"></td>"))
        #expect(made.markdown.contains("| May | 100% | 40% |\n| June | 0% | "))
    }

    @Test func stepsOfAFunnelContainOneAnother() throws {
        func steps(_ numbers: Int...) -> String {
            let rows = numbers.map { "SELECT 'step' AS step, \($0) AS learners" }.joined(separator: " UNION ALL ")
            return "show: funnel\nquery: \(rows)\ncolumns: {learners: {unit: [learner, learners]}}"
        }
        let made = try made(steps(8, 4, 1))
        #expect(made.page.contains("<span>8\u{A0}learners</span>"))
        #expect(made.page.contains("<span>4\u{A0}learners · 50% of the step before</span>"))
        #expect(made.page.contains("<span>1\u{A0}learner · 25% of the step before</span>"))
        #expect(made.page.contains("x=\"25%\" width=\"50%\" height=\"14\""))
        #expect(made.markdown.contains("| step | 4 | ████████ |"))
        #expect(try self.made(steps(0, 0)).page.contains("<span>0\u{A0}learners</span>"))
        let error = try #require(throws: ReportError.self) { try self.made(steps(1, 2)) }
        #expect(error.message.hasPrefix("the step “step” has 2, more than the 1 of the step before"))
    }

    @Test func histogramsSayWhatTheyCount() throws {
        let exhibit = "show: histogram\nquery: SELECT 1 AS xp UNION ALL SELECT 30"
        #expect(try made(exhibit + "\ncounted: [learner, learners]").page.contains(">Learners</text>"))
        #expect(try made(exhibit).page.contains(">Count</text>"))
    }

    @Test(
        "Few values have room around them, and none below 0",
        arguments: [([52.0, 52], 50.0, 55.0), ([0], 0, 5), ([1, 2], 0, 5), ([-3], -5, 0), ([0, 100], 0, 110)]
    )
    func histogramBounds(values: [Double], low: Double, high: Double) {
        var bins = HistogramBins()
        for value in values { bins.add(value) }
        #expect(bins.values.first?[0].number == low)
        #expect(bins.values.last?[1].number == high)
        #expect(bins.values.reduce(0) { $0 + ($1[2].number ?? 0) } == Double(values.count))
    }

    @Test func weekdaysAreOfOneWeekOnly() throws {
        let days = "show: bar\nquery: SELECT '2026-02-02' AS day, 1 AS n UNION ALL SELECT '2026-02-04', 2"
        #expect(try made(days + "\ncolumns: {day: {type: date}}").page.contains(">Mon</text>"))
        let weeks = "show: bar\nquery: SELECT '2026-02-02' AS day, 1 AS n UNION ALL SELECT '2026-02-09', 2"
        let page = try made(weeks + "\ncolumns: {day: {type: date}}").page
        #expect(page.contains(">2 Feb</text>") && !page.contains(">Mon</text>"))
    }

    @Test func nothingHasNoNote() throws {
        let made = try made("show: table\nquery: SELECT 1 AS n WHERE 0\nnote: At most 15.\nempty: Nobody.")
        #expect(made.page.contains("Nobody.") && !made.page.contains("At most 15."))
        #expect(made.markdown.contains("Nobody.") && !made.markdown.contains("At most 15."))
    }

    @Test func theTargetStandsInTheKey() throws {
        let made = try made(
            """
            show: bar
            query: SELECT '2026-02-02' AS day, 60000 AS practice, 900000 AS goal
            target: goal
            columns: {day: {type: date}, practice: {type: duration}, goal: {title: Daily goal, type: duration}}
            """
        )
        #expect(made.page.contains("<bdi>Daily goal: 15\u{A0}min</bdi></li></ul>"))
    }
}
