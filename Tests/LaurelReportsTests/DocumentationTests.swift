// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelRules
import Testing

@testable import LaurelReports

/// `docs/reports.md` is true.
@Suite struct DocumentationTests {
    private let text: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        text = try String(contentsOf: root.appending(path: "docs/reports.md"), encoding: .utf8)
    }

    private var examples: [String] {
        text.components(separatedBy: "```yaml\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    @Test func itsExamplesAreReportsThatWork() throws {
        let engine = try Class.simulated(learners: 4, days: 40, seed: 2)
        #expect(examples.count == 2)
        for example in examples {
            let definition = try ReportLoader.load(Array(example.utf8), file: "example.yaml")
            #expect(definition.warnings == [])
            let request = try ReportRequest(week: "2026-W05", at: "2026-06-01T00:00:00Z")
            let maker = ReportMaker(definition, engine, request)
            let document =
                definition.learner == nil ? try maker.cohort() : try maker.learner("learner-0004")
            #expect(document.sections.flatMap(\.exhibits).allSatisfy { !$0.isEmpty })
        }
    }

    @Test func itNamesEveryTableParameterTypeAndWayToShow() {
        for table in ReportTable.all { #expect(text.contains("| `\(table.name)` |"), "\(table.name)") }
        for name in QueryParameter.names { #expect(text.contains("`:\(name)`"), "\(name)") }
        for kind in ExhibitKind.allCases { #expect(text.contains("`\(kind.rawValue)`"), "\(kind)") }
        for type in ColumnType.allCases { #expect(text.contains("`\(type.rawValue)`"), "\(type)") }
        for state in StreakDayStates.names { #expect(text.contains("`\(state)`"), "\(state)") }
    }

    /// The columns that the store's own tables lack.
    @Test(arguments: [
        ReportTable.weekly, .xpByDay, .streakDays, .reviewsByDay, .words, .sessions, .reviews, .reviewsByGrade,
        .workload, .experiments, .variants, .buckets, .weeks, .days,
    ])
    func itNamesEveryColumn(of table: ReportTable) throws {
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("| `\(table.name)` |") })
        for column in table.columns where !["learner", "language", "word"].contains(column) {
            #expect(line.contains("`\(column)`"), "\(table.name).\(column)")
        }
    }
}

enum StreakDayStates {
    static let names = Phrase.states.map(\.name)
}
