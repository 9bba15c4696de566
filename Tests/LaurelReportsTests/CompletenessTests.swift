// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import Testing

@testable import LaurelReports

/// A table that a page shows in part can be had in full, and a source has the same name everywhere.
@Suite struct CompletenessTests {
    private static func dropouts(_ count: Int) throws -> Document {
        let engine = try Class.engine(
            (1...count).map {
                Class.Event(subject: "learner-\($0)", time: "2026-02-03T10:00:00Z", data: ["durationMs": 60_000])
            }
        )
        return try ReportMaker("weekly-xp", engine, week: "2026-W07").cohort()
    }

    @Test func whoIsAtRiskIsListedWhole() throws {
        let document = try Self.dropouts(23)
        #expect(document.headline("at_risk") == 23)
        let page = try #require(ReportFormat.html.write(document, locale: "en_GB"))
        #expect(page.contains("15 of 23 are shown.") && page.contains("<summary>Show the other 8</summary>"))
        let markdown = try #require(ReportFormat.markdown.write(document, locale: "en_GB"))
        #expect(markdown.contains("_15 of 23 are shown. CSV and JSON have all of them._"))
        #expect(markdown.components(separatedBy: "| no practice this week |").count == 16)
        let json = try #require(ReportFormat.json.write(document, locale: "en_GB"))
        let files = ReportFormat.csv.files(document, locale: "en_GB").filter { $0.name.hasSuffix("who-and-why.csv") }
        for number in 1...23 {
            #expect(page.contains("<bdi>learner-\(number)</bdi>"))
            #expect(json.contains("\"name\":\"learner-\(number)\""))
            #expect(
                files.first?.content.contains("learner-\(number),learner-\(number),no practice this week,0,,12") == true
            )
        }
    }

    @Test func nothingIsSaidOfTheRestWhereThereIsNone() throws {
        let page = try #require(ReportFormat.html.write(try Self.dropouts(15), locale: "en_GB"))
        #expect(!page.contains("are shown.") && !page.contains("Show the other"))
        let one = try #require(ReportFormat.html.write(try Self.dropouts(16), locale: "en_GB"))
        #expect(one.contains("15 of 16 are shown.") && one.contains("<summary>Show the other one</summary>"))
        // A page has 200 rows at most, so the other 213 are not all there.
        let many = try #require(ReportFormat.html.write(try Self.dropouts(228), locale: "en_GB"))
        #expect(many.contains("15 of 228 are shown.") && many.contains("<summary>Show the next 185</summary>"))
        #expect(many.contains("200 of 228 are shown."))
    }

    @Test func aSourceHasOneColourForEveryLearner() throws {
        let rules = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Rules/bab-language.yaml"
        )
        let yaml = try String(contentsOf: rules.standardized, encoding: .utf8)
        let engine = try Class.simulated(learners: 12, days: 90, seed: 4, rules: yaml)
        var classes: [String: Set<String>] = [:]
        for learner in 1...12 {
            let name = "learner-00\(learner < 10 ? "0" : "")\(learner)"
            let document = try ReportMaker("weekly-xp", engine, week: "2026-W13").learner(name)
            let exhibit = try #require(document.exhibit("XP by day and source"))
            let charted = Pivot(exhibit, LocaleText()).charted(exhibit.colors)
            let colors = SeriesColors(
                palette: .distinct,
                names: charted.columns.dropFirst().map(\.name),
                numbers: exhibit.colors
            )
            for (place, column) in charted.columns.dropFirst().enumerated() {
                classes[column.title, default: []].insert(colors.fill(place))
            }
            let list = try #require(document.exhibit("XP by source"))
            for row in list.table.rows {
                classes[row[0].key, default: []].insert(colors.fill(of: row[0].key, place: 0))
            }
        }
        #expect(classes.count >= 8)
        for (source, found) in classes where source != Phrase.other.rawValue {
            #expect(found.count == 1, "\(source): \(found)")
        }
        let own = classes.filter { $0.key != Phrase.other.rawValue }
        #expect(Set(own.values.flatMap(\.self)).count == own.count)
    }

    @Test func whatIsBeyondTheColoursIsOther() {
        let columns = (1...20).map {
            DataTable.Column(name: "s\($0)", title: "s\($0)", type: .number, unit: nil, decimals: nil)
        }
        let day = DataTable.Column(name: "day", title: "Day", type: .text, unit: nil, decimals: nil)
        let colors = Dictionary(uniqueKeysWithValues: (1...20).map { ("s\($0)", $0) })
        let series = DataTable.Column(name: "source", title: "Source", type: .text, unit: nil, decimals: nil)
        let rows: [[Cell]] = (1...20).map { [.text("Mon"), .text("s\($0)"), .number(Double($0))] }
        let exhibit = Exhibit(
            show: .stackedBar,
            width: .full,
            table: DataTable(columns: [day, series, columns[0]], rows: rows),
            series: "source",
            columns: []
        )
        let charted = Pivot(exhibit, LocaleText()).charted(colors)
        #expect(charted.columns.map(\.title) == ["Day", "s16", "s17", "s18", "s19", "s20", "Other"])
        #expect(charted.rows[0].dropFirst().reduce(0) { $0 + ($1.number ?? 0) } == 210)
    }
}
