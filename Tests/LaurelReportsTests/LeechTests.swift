// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

@testable import LaurelReports

/// The exhibit of words that are forgotten again and again.
@Suite struct LeechTests {
    private static let title = "Words that do not stick"

    /// Reviews of a word on the first days of February, one a day.
    private func reviews(_ word: String, _ grades: [String], hour: Int = 10) -> [Class.Event] {
        grades.enumerated().map { index, grade in
            Class.Event(
                type: "review.graded",
                time: "2026-02-\(index < 9 ? "0" : "")\(index + 1)T\(hour):00:00Z",
                data: ["word": .string(word), "grade": .string(grade)]
            )
        }
    }

    private func rows(_ events: [Class.Event], rules: String = "starter.yaml") throws -> [[String]] {
        let engine = try Class.engine(events, rules: try Oracle.rules(rules))
        let document = try ReportMaker("mastery", engine, week: "2026-W07").learner("ana")
        let exhibit = try #require(document.exhibit(Self.title))
        #expect(exhibit.isLeftOut == exhibit.table.rows.isEmpty)
        return exhibit.table.rows.map { row in [row[0].key] + row[2...].map { "\(Int($0.number ?? -1))" } }
    }

    private static let again = Array(repeating: "again", count: 20)

    /// The first review is no lapse, because the word was not known before.
    @Test(arguments: ["starter.yaml", "bab-language.yaml"])
    func `words with eight lapses are leeches`(rules: String) throws {
        let events =
            reviews("most", Array(Self.again.prefix(11)))
            + reviews("enough", ["good"] + Self.again.prefix(8) + ["hard"])
            + reviews("few", Array(Self.again.prefix(8)))
        #expect(try rows(events, rules: rules) == [["most", "10", "11"], ["enough", "8", "10"]])
        #expect(try rows(events.reversed(), rules: rules) == [["most", "10", "11"], ["enough", "8", "10"]])
    }

    @Test func `reviews on the same day are no lapses`() throws {
        let events = (10...22).flatMap { reviews("sol", ["again"], hour: $0) }
        #expect(try rows(events) == [])
    }

    @Test func `a word that was added again begins anew`() throws {
        let removal = Class.Event(type: "word.removed", time: "2026-02-05T20:00:00Z", data: ["word": "sol"])
        #expect(try rows(reviews("sol", Array(Self.again.prefix(11))) + [removal]) == [])
    }

    @Test func `a word that has become mature is no leech`() throws {
        let schedule = Class.Event(
            type: "word.imported",
            time: "2026-02-12T10:00:00Z",
            data: ["word": "sol", "intervalDays": 30]
        )
        let events = reviews("sol", Array(Self.again.prefix(11)))
        #expect(try rows(events).count == 1)
        #expect(try rows(events + [schedule]) == [])
    }
}
