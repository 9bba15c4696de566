// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Dispatch
import Foundation
import Laurel
import LaurelEvents
import LaurelWire
import Testing

@testable import LaurelService

/// Messages that the passing of time causes: missed days, reminders and recaps.
@Suite struct LearnerWatchTests {
    /// A learner's events, the instants at which the watch looks, and the messages that each look causes.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var streak: String
        var events: [String]
        /// Instants without their year, with the messages of each.
        var looks: [(at: String, messages: [String])]
        var testDescription: String { name }

        init(_ name: String, streak: String = "", _ events: [String], _ looks: [(at: String, messages: [String])]) {
            (self.name, self.streak, self.events, self.looks) = (name, streak, events, looks)
        }
    }

    private static func rules(_ streak: String) throws -> Rules {
        try Rules(
            yaml: """
                version: 1
                metrics: {lines: {count: line.spoken}}
                streak: {when: day.lines >= 1\(streak.isEmpty ? "" : ", " + streak)}
                xp: [{id: line, on: line.spoken, award: 10}]
                """
        )
    }

    /// Added before all events of the tests.
    private static let webhookAddedAt = try? Timestamp("2026-03-01T00:00:00Z").date

    private static func service(_ streak: String = "", store: String? = nil) throws -> TestService {
        let added = try #require(webhookAddedAt)
        let test = try TestService(store: store) {
            $0.allowsPrivateWebhooks = true
            $0.now = { added }
        }
        guard store == nil else { return test }
        try test.service.engine.apply(rules(streak))
        try test.addSilentWebhook(#"["streak.lost","streak.freeze_used","reminder.due","recap.due"]"#)
        return test
    }

    /// - Parameters:
    ///   - time: the month, the day, the time and the offset.
    ///   - more: further members, such as a zone.
    private static func sent(_ type: String, _ time: String, _ data: String = "{}", more: String = "") -> String {
        #"{"id":"\#(type)-\#(time)","source":"app","type":"\#(type)","subject":"ana","time":"2026-\#(time)","#
            + #""data":\#(data)\#(more)}"#
    }

    private static func line(_ time: String, more: String = "") -> String { sent("line.spoken", time, more: more) }

    /// A line at the same time on each of some days of April.
    private static func lines(_ days: ClosedRange<Int>, at time: String = "18:30:00Z") -> [String] {
        days.map { line("04-\($0 < 10 ? "0" : "")\($0)T\(time)") }
    }

    private static func used(_ day: Int, days: Int, freezes: Int = 0) -> String {
        #"streak.freeze_used {"day":"2026-04-0\#(day)","days":\#(days),"freezes":\#(freezes)}"#
    }

    private static func lost(_ day: Int, days: Int) -> String {
        #"streak.lost {"day":"2026-04-0\#(day)","days":\#(days)}"#
    }

    private static func reminder(_ hour: Int, days: Int) -> String {
        #"reminder.due {"days":\#(days),"hour":\#(hour)}"#
    }

    /// The recap of the week from March 30.
    private static func recap(days: Int) -> String {
        #"recap.due {"activeDays":\#(days),"from":"2026-03-30","learnedWords":0,"lines":\#(days),"minutes":0,"#
            + #""newWords":0,"reviews":0,"through":"2026-04-05","xp":\#(10 * days)}"#
    }

    static let missedDays: [Case] = [
        Case(
            "a freeze is used, then the streak is lost",
            streak: "freezes: {start: 1, hold: 1}",
            lines(1...3),
            [
                ("04-04T12:00:00Z", []), ("04-05T00:01:00Z", [used(4, days: 3)]), ("04-05T12:00:00Z", []),
                ("04-06T00:01:00Z", [lost(5, days: 3)]),
                ("04-07T00:01:00Z", []), ("04-09T00:01:00Z", []),
            ]
        ),
        Case(
            "the service was stopped for two days",
            streak: "freezes: {start: 1, hold: 1}",
            lines(1...3),
            [("04-06T00:30:00Z", [used(4, days: 3), lost(5, days: 3)]), ("04-06T00:31:00Z", [])]
        ),
        Case("the service was stopped for a week", lines(1...3), [("04-12T00:30:00Z", [])]),
        Case(
            "practice begins again before the watch looks",
            lines(1...3) + [line("04-05T00:00:30Z")],
            [("04-05T00:01:00Z", [lost(4, days: 3)]), ("04-06T00:01:00Z", [])]
        ),
        Case(
            "the day ends by the learner's clock",
            lines(1...3, at: "18:30:00-10:00"),
            [("04-05T09:59:00Z", []), ("04-05T10:00:30Z", [lost(4, days: 3)])]
        ),
        Case(
            "a rest day and a paused day are not missed",
            streak: "rest_days: [saturday]",
            lines(1...3) + [sent("streak.paused", "04-03T20:00:00Z", #"{"from":"2026-04-05","through":"2026-04-06"}"#)],
            [("04-05T00:01:00Z", []), ("04-07T00:01:00Z", []), ("04-08T00:01:00Z", [lost(7, days: 3)])]
        ),
        Case(
            "a week is missed",
            streak: "every: week",
            [line("04-01T12:00:00Z")],
            [("04-12T23:59:00Z", []), ("04-13T00:01:00Z", [lost(6, days: 1)]), ("04-14T00:01:00Z", [])]
        ),
    ]

    static let reminders: [Case] = [
        Case(
            "once a day at the usual hour, for two weeks",
            lines(1...5),
            [
                ("04-06T17:59:00Z", [recap(days: 5)]),
                ("04-06T18:00:00Z", [reminder(18, days: 5)]), ("04-06T19:00:00Z", []),
                ("04-07T18:20:00Z", [lost(6, days: 5), reminder(18, days: 0)]),
                ("04-19T18:00:00Z", [reminder(18, days: 0)]), ("04-20T18:00:00Z", []),
            ]
        ),
        Case(
            "the median of the first practice of each day",
            [
                line("04-02T20:00:00Z"), line("04-03T12:00:00Z"), line("04-03T22:00:00Z"), line("04-04T09:00:00Z"),
            ],
            [("04-05T11:59:00Z", []), ("04-05T12:00:00Z", [reminder(12, days: 3)])]
        ),
        Case("not after practice", lines(1...4) + [line("04-05T09:00:00Z")], [("04-05T18:30:00Z", [])]),
        Case(
            "late in the evening becomes 20, and the watch may look late",
            lines(1...4, at: "23:30:00Z"),
            [("04-05T19:59:00Z", []), ("04-05T20:40:00Z", [reminder(20, days: 4)])]
        ),
        Case("nothing in the quiet time", lines(1...4), [("04-05T21:00:00Z", []), ("04-05T23:59:00Z", [])]),
        Case(
            "early in the morning becomes 8",
            lines(1...4, at: "05:00:00Z"),
            [("04-05T07:59:00Z", []), ("04-05T08:00:00Z", [reminder(8, days: 4)])]
        ),
        Case(
            "the clock changes to summer time",
            (26...28).map { line("03-\($0)T17:00:00Z", more: #","timezone":"Europe/Berlin""#) },
            [("03-29T15:59:00Z", []), ("03-29T16:00:00Z", [reminder(18, days: 3)])]
        ),
        Case("not on a rest day", streak: "rest_days: [sunday]", lines(1...4), [("04-05T18:30:00Z", [])]),
        Case(
            "not during a pause",
            lines(1...4) + [sent("streak.paused", "04-04T20:00:00Z", #"{"from":"2026-04-05","through":"2026-04-06"}"#)],
            [("04-05T18:30:00Z", [])]
        ),
    ]

    static let recaps: [Case] = [
        Case(
            "in the morning after the week",
            [line("03-31T12:00:00Z"), line("04-02T12:00:00Z"), line("04-06T05:00:00Z")],
            [
                ("04-06T07:59:00Z", [lost(3, days: 1)]), ("04-06T08:00:00Z", [recap(days: 2)]),
                ("04-07T07:00:00Z", []),
            ]
        ),
        Case(
            "by the learner's clock, and a day later if the service was stopped",
            [line("03-31T12:00:00+09:00"), line("04-07T00:10:00+09:00")],
            [("04-06T23:30:00Z", [recap(days: 1)])]
        ),
        Case(
            "no practice in that week",
            [line("03-27T12:00:00Z"), line("04-06T05:00:00Z")],
            [("04-06T12:00:00Z", [])]
        ),
    ]

    @Test(arguments: missedDays + reminders + recaps) func messages(row: Case) throws {
        let test = try Self.service(row.streak)
        try test.post(row.events.joined(separator: "\n"))
        #expect(try test.waitingMessages() == [])
        var expected: [String] = []
        for look in row.looks {
            test.service.learnerWatch.look(at: try Timestamp("2026-" + look.at).date)
            expected = (expected + look.messages).sorted()
            #expect(try test.waitingMessages() == expected, "at \(look.at)")
        }
        // Another service over the same store, as after a restart.
        test.service.close()
        let again = try Self.service(store: test.path)
        let last = try #require(row.looks.last)
        again.service.learnerWatch.look(at: try Timestamp("2026-" + last.at).date)
        #expect(try again.waitingMessages() == expected)
    }

    @Test func `a webhook is not sent what happened before it was added`() throws {
        let test = try Self.service()
        try test.post(Self.lines(1...3).joined(separator: "\n"))
        let records = try test.service.engine.serviceRecords(prefix: "webhook/")
        let later = records.mapValues { $0.replacing("2026-03-01T00:00:00.000Z", with: "2026-04-05T19:00:00.000Z") }
        #expect(later != records)
        try test.service.engine.setServiceRecords(later.mapValues(Optional.some))
        try test.service.keys.reload()
        for time in ["05T19:30:00", "06T12:00:00"] {
            test.service.learnerWatch.look(at: try Timestamp("2026-04-\(time)Z").date)
        }
        // Neither the lost day, nor the reminder of 18:00 on that day; but the recap of the week that ended afterwards.
        #expect(try test.waitingMessages() == [Self.recap(days: 3)])
    }

    @Test(.enabled(if: DatabaseServer.shared != nil)) func `several nodes announce the same once`() throws {
        let store = try #require(DatabaseServer.shared).newLocation()
        try StoreManagement(StoreLocation(store)).create()
        let added = try #require(Self.webhookAddedAt)
        let nodes = try (0..<3).map { _ in
            try TestService(store: store) {
                $0.allowsPrivateWebhooks = true
                $0.now = { added }
            }
        }
        try nodes[0].service.engine.apply(Self.rules(""))
        try nodes[0].addSilentWebhook(#"["streak.lost","reminder.due"]"#)
        for node in nodes { try node.service.keys.reload() }
        let learners = (0..<8).map { "learner-\($0)" }
        let events = learners.flatMap { learner in
            Self.lines(1...3).map { $0.replacing(#""ana""#, with: #""\#(learner)""#) }
        }
        try nodes[1].post(events.joined(separator: "\n"))
        let date = try Timestamp("2026-04-05T18:30:00Z").date
        DispatchQueue.concurrentPerform(iterations: 3) { nodes[$0].service.learnerWatch.look(at: date) }
        // As if two nodes had the duty for a moment.
        let late = Announcement(.reminderDue, learner: learners[0], ["days": 0, "hour": 19])
        DispatchQueue.concurrentPerform(iterations: 3) { index in
            try? nodes[index].service.engine.announce([("2026-04-05", late)], .reminder)
        }
        for learner in learners {
            let sent = try nodes[2].waitingMessages(about: learner)
            #expect(sent == [Self.reminder(18, days: 0), Self.lost(4, days: 3)], "\(learner)")
        }
        for node in nodes { node.service.close() }
    }
}
