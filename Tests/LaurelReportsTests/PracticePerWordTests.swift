// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

@testable import LaurelReports

/// The practice for each learned word, by week.
@Suite struct PracticePerWordTests {
    private static let title = "Practice per learned word"

    private func session(_ day: String, minutes: Int) -> Class.Event {
        Class.Event(time: "2026-02-\(day)T10:00:00Z", data: ["durationMs": .integer(Int64(minutes) * 60_000)])
    }

    private func learned(_ word: String, _ day: String, by learner: String = "ana") -> Class.Event {
        Class.Event(
            subject: learner,
            type: "word.learned",
            time: "2026-02-\(day)T11:00:00Z",
            data: ["word": .string(word)]
        )
    }

    /// Minutes of the last two weeks; nil without a learned word.
    private func minutes(_ document: Document) -> [Double?] {
        let rows = document.exhibit(Self.title)?.table.rows ?? []
        return rows.suffix(2).map { row in row[1].number.map { $0 / 60_000 } }
    }

    @Test func `divides all practice of a week by the words learned in it`() throws {
        let events = [
            session("03", minutes: 4), session("05", minutes: 5), learned("sol", "03"), learned("mar", "05"),
            // The word was learned before, so this event makes no difference.
            learned("sol", "10"), session("10", minutes: 7),
        ]
        let maker = try ReportMaker("mastery", Class.engine(events), week: "2026-W07")
        #expect(try minutes(maker.learner("ana")) == [4.5, nil])
        // Ben learned a word without any practice.
        let engine = try Class.engine(events + [learned("luna", "11", by: "ben")])
        let both = try ReportMaker("mastery", engine, week: "2026-W07")
        #expect(try minutes(both.cohort()) == [4.5, 7])
    }

    @Test func `is empty without a learned word`() throws {
        let maker = try ReportMaker("mastery", Class.engine([session("03", minutes: 4)]), week: "2026-W07")
        #expect(try maker.learner("ana").exhibit(Self.title)?.table.rows.isEmpty == true)
        #expect(try maker.cohort().exhibit(Self.title)?.table.rows.isEmpty == true)
    }
}
