// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// The class as a list, and its learners.
@Suite struct ClassPagesTests {
    /// Learners west of the rules' clock are still in last week on Monday morning. Those east of it are in the next
    /// week on Sunday night.
    @Test("In the order of what is shown", arguments: ["2026-04-05T11:30:00Z", "2026-04-06T01:00:00Z"])
    func order(instant: String) throws {
        let test = try TestService()
        var events: [String] = []
        for (place, offset) in ["-11:00", "-08:00", "+00:00", "+09:00", "+13:00"].enumerated() {
            for day in 3...6 where day < 6 || place > 2 {
                for number in 0..<(place + 1) {
                    events.append(
                        event("\(place)-\(day)-\(number)", learner: "learner\(offset)", day: day)
                            .replacing("T18:00:00Z", with: "T00:10:00\(offset)")
                    )
                }
            }
        }
        #expect(try test.post(events.joined(separator: "\n")).status == 200)
        let date = try Date(instant, strategy: .iso8601)
        for order in [ClassQuery.Order.week, .streak] {
            var query = ClassQuery()
            query.order = order
            let rows = try ClassList.read(test.service, query, at: date).rows
            let shown = rows.map { order == .week ? $0.weeklyXP : $0.currentStreak }
            #expect(rows.count == 5 && shown == shown.sorted(by: >), "\(order)")
        }
    }

    @Test func oneIsNotMany() throws {
        let test = try TestService()
        let word = event("1").replacing("line.spoken", with: "word.added")
            .replacing(#"{"accuracy":0.9}"#, with: #"{"word":"sol"}"#)
        #expect(try test.post(word).status == 200)
        let page = try test.get("/learners/ana").text
        #expect(page.contains("1\u{A0}word<") && page.contains("0\u{A0}words<"))
    }
}
