// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelWire
import Testing

@testable import LaurelService

/// The list of learners, and the page of one learner.
@Suite struct LearnersPageTests {
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

    /// Some practise too little for a day to count after their last active day, and some send a profile from elsewhere.
    /// At the first instants, most events still lie ahead, so the list must equal that of a store without them.
    @Test("As the API has it, around midnight in twelve zones")
    func zones() throws {
        let events = try Self.eventsInTwelveZones()
        let test = try service(events.map(\.line), partitions: nil)
        for hour in stride(from: 0, to: 220, by: 7) {
            let date = try Date("2026-04-01T12:30:00Z", strategy: .iso8601) + Double(hour) * 3600
            let asOfThen = try service(events.filter { $0.time <= date }.map(\.line), partitions: 2)
            let rows = try ClassList.read(test.service, ClassQuery(), at: date).rows
            let known = try ClassList.read(asOfThen.service, ClassQuery(), at: date).rows
            let days = try ClassList.members(test.service, ClassQuery(), at: date).map(\.days)
            #expect(days == (try ClassList.members(asOfThen.service, ClassQuery(), at: date).map(\.days)), "\(date)")
            #expect(rows.map(\.learner) == known.map(\.learner), "\(date)")
            #expect(rows.map(\.lastPracticeAt) == known.map(\.lastPracticeAt), "\(date)")
            for row in rows {
                let now = try #require(try test.service.engine.learner(row.learner, timeZone: nil).progress(at: date))
                let alone = asOfThen.service.engine.learner(row.learner, timeZone: nil)
                let next = try #require(try alone.progress(at: date + 86_400))
                let told: [AnyHashable] = [row.totalXP, row.weeklyXP, row.currentStreak, row.atRisk]
                let expected: [AnyHashable] = [
                    now.totalXP, now.weeklyXP, now.currentStreak, next.currentStreak < now.currentStreak,
                ]
                #expect(told == expected, "\(row.learner) at \(date)")
            }
        }
    }

    private func service(_ events: [String], partitions: Int?) throws -> TestService {
        let test = try TestService(partitions: partitions)
        try test.service.engine.apply(Rules(yaml: Self.rules))
        #expect(try test.post(events.joined(separator: "\n")).status == 200)
        return test
    }

    private static func eventsInTwelveZones() throws -> [(time: Date, line: String)] {
        let zones = [
            "Pacific/Kiritimati", "Asia/Tokyo", "Asia/Kathmandu", "Europe/Berlin", "America/New_York",
            "Pacific/Pago_Pago",
            "+14:00", "+05:30", "+00:00", "-03:30", "-11:00", "Z",
        ]
        var events: [(time: Date, line: String)] = []
        for (place, zone) in zones.enumerated() {
            let isName = zone.contains("/")
            for day in 1...(4 + place % 3) {
                for number in 0..<(day == 4 + place % 2 ? 1 : 2) {
                    let hour = isName || zone == "Z" ? "12:00:00Z" : "22:10:00\(zone)"
                    let named = isName ? #""timezone":"\#(zone)","# : ""
                    let line = event("\(place)-\(day)-\(number)", learner: "learner-\(place)", day: day)
                        .replacing("T18:00:00Z", with: "T\(hour)").replacing(#""time""#, with: named + #""time""#)
                    events.append((try Timestamp("2026-04-0\(day)T\(hour)").date, line))
                }
            }
        }
        return events
    }

    private static let rules = """
        version: 1
        calendar: {default_timezone: America/Lima, day_starts_at: "03:00"}
        metrics:
          lines: {count: line.spoken}
        streak:
          when: day.lines >= 2
          freezes: {earn_every: 2, hold: 1}
          rest_days: [sunday]
        xp:
          - {id: line, on: line.spoken, award: 5}
        """

    /// 5 April 2026 is a Sunday, on which the rules let the learner rest. Two days in a row earn a freeze.
    @Test(
        "A streak ends tonight only if today's practice is missing",
        arguments: [
            ([4], "2026-04-04", false), ([4], "2026-04-05", false), ([4], "2026-04-06", true),
            ([4], "2026-04-07", false), ([1, 3], "2026-04-04", true), ([2, 3], "2026-04-04", false),
        ]
    ) func endsTonight(days: [Int], today: String, isAtRisk: Bool) throws {
        let now = try Timestamp("\(today)T20:00:00Z").date
        let test = try TestService { $0.now = { now } }
        try test.service.engine.apply(Rules(yaml: Self.rules))
        let events = days.flatMap { day in (0..<2).map { event("\(day)-\($0)", day: day) } }
        #expect(try test.post(events.joined(separator: "\n")).status == 200)
        let page = try test.get("/learners/ana").text
        let tile = page.firstRange(of: "Streak<").map { String(page[$0.lowerBound...].prefix(300)) } ?? page
        #expect(tile.contains("ends tonight without practice") == isAtRisk, "\(tile)")
        let row = try #require(try ClassList.read(test.service, ClassQuery(), at: now).rows.first)
        #expect(row.atRisk == isAtRisk)
    }

    @Test func `who stopped is told by the weeks since`() throws {
        let test = try TestService()
        func practised(_ learner: String, days: Double) -> String {
            let time = (Date() - days * 86_400).formatted(.iso8601)
            return event("1", learner: learner).replacing("2026-04-05T18:00:00Z", with: time)
        }
        let days: KeyValuePairs = ["ana": 1.0, "ben": 6.9, "carla": 7.1, "dan": 22]
        try test.post(days.map { practised($0, days: $1) }.joined(separator: "\n"))
        let page = try test.get("/learners").text
        #expect(page.contains("2\u{A0}learners have stopped.</a>") || page.contains("2 learners have stopped.</a>"))
        #expect(page.contains(">away for 1 week<") && page.contains(">away for 3 weeks<"))
        // On a phone, what needs a teacher comes first.
        let heads = ["Learner", "Streak", "Last practice", "At risk", "Level", "XP this week"]
        let head = try #require(page.firstMatch(of: /<thead>.*?<\/thead>/)).0
        let places = heads.compactMap { head.firstRange(of: ">\($0)<")?.lowerBound }
        #expect(places.count == heads.count && places == places.sorted())
        let away = try test.get("/v1/class?sort=away").json["learners"] as? [[String: Any]] ?? []
        #expect(away.compactMap { $0["learner"] as? String } == ["carla", "dan"])
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
