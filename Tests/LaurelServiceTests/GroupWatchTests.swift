// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Dispatch
import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import Testing

@testable import LaurelService

/// Messages about groups: completed goals, and streaks that end tonight.
@Suite struct GroupWatchTests {
    /// The members' events, the instants at which the watch looks, and the messages that each look causes.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// Each event as the learner, the type, and the time without its year.
        var events: [String]
        var looks: [Look]
        var testDescription: String { name }

        init(_ name: String, _ events: [String], _ looks: [Look]) {
            (self.name, self.events, self.looks) = (name, events, looks)
        }
    }

    struct Look: Sendable {
        var at: String
        /// Events that arrive before the look.
        var late: [String] = []
        var messages: [String] = []
    }

    private static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1}
        groups:
          friends: {streak: {need: all}, goals: [{id: lines, every: week, sum: lines, target: 4}]}
        """

    private static func service(store: String? = nil) throws -> TestService {
        let test = try TestService(store: store) { $0.allowsPrivateWebhooks = true }
        guard store == nil else { return test }
        try test.service.engine.apply(Rules(yaml: rules))
        try test.addSilentWebhook(#"["group.goal_completed","group.streak_at_risk"]"#)
        return test
    }

    private static func lines(_ events: [String]) -> String {
        events.map { event in
            let parts = event.split(separator: " ").map(String.init)
            let data =
                switch parts[1] {
                case "group.joined": #"{"group":"team","kind":"friends"}"#
                case "group.left": #"{"group":"team"}"#
                default: "{}"
                }
            return #"{"id":"\#(event)","source":"app","type":"\#(parts[1])","subject":"\#(parts[0])","#
                + #""time":"2026-\#(parts[2])","data":\#(data)}"#
        }.joined(separator: "\n")
    }

    private static let joined = ["ana group.joined 04-06T08:00:00Z", "ben group.joined 04-06T08:00:00Z"]
    private static let monday = joined + ["ana line.spoken 04-06T18:00:00Z", "ben line.spoken 04-06T18:00:00Z"]

    private static func risk(_ days: Int, practised: Int, ends: String) -> String {
        #"group.streak_at_risk {"days":\#(days),"endsAt":"2026-\#(ends):00.000Z","needed":2,"practised":\#(practised)}"#
    }

    private static func goal(_ week: Int) -> String {
        #"group.goal_completed {"every":"week","goal":"lines","target":4,"window":"2026-W\#(week)"}"#
    }

    static let cases = [
        Case(
            "once in the evening, while a member has not practised",
            monday + ["ana line.spoken 04-07T09:00:00Z"],
            [
                Look(at: "04-07T19:59:00Z"),
                Look(at: "04-07T20:00:00Z", messages: [risk(1, practised: 1, ends: "04-08T00:00")]),
                Look(at: "04-07T20:01:00Z"),
                Look(at: "04-07T21:00:00Z", late: ["ana line.spoken 04-07T08:00:00Z"], messages: [goal(15)]),
                Look(at: "04-08T20:00:00Z"),
            ]
        ),
        Case(
            "not after the practice of all members, but on the next evening",
            monday + ["ana line.spoken 04-07T09:00:00Z", "ben line.spoken 04-07T09:00:00Z"],
            [
                Look(at: "04-07T20:00:00Z", messages: [goal(15)]),
                Look(at: "04-08T20:30:00Z", messages: [risk(2, practised: 0, ends: "04-09T00:00")]),
            ]
        ),
        Case(
            "the day ends by the clock of the member farthest west",
            joined + ["ana line.spoken 04-06T18:00:00-10:00", "ben line.spoken 04-06T18:00:00Z"],
            [
                Look(at: "04-08T05:59:00Z"),
                Look(at: "04-08T06:00:00Z", messages: [risk(1, practised: 0, ends: "04-08T10:00")]),
                Look(at: "04-08T09:59:00Z"), Look(at: "04-09T07:00:00Z"),
            ]
        ),
        Case("a group without a streak", joined, [Look(at: "04-06T20:00:00Z"), Look(at: "04-07T20:00:00Z")]),
        Case(
            "one member cannot lose a common streak",
            monday,
            [Look(at: "04-07T20:00:00Z", late: ["ben group.left 04-07T09:00:00Z"])]
        ),
        Case(
            "a goal once in each week",
            monday
                + (1...2).flatMap { ["ana line.spoken 04-06T1\($0):00:00Z", "ben line.spoken 04-13T1\($0):00:00Z"] },
            [
                Look(at: "04-06T19:00:00Z", messages: [goal(15)]),
                Look(at: "04-06T19:01:00Z", late: ["ben line.spoken 04-06T09:00:00Z"]),
                Look(
                    at: "04-13T14:00:00Z",
                    late: ["ana line.spoken 04-13T09:00:00Z", "ana line.spoken 04-13T09:30:00Z"],
                    messages: [goal(16)]
                ),
            ]
        ),
    ]

    @Test(arguments: cases) func messages(row: Case) throws {
        let test = try Self.service()
        try test.post(Self.lines(row.events))
        var expected: [String] = []
        for look in row.looks {
            if !look.late.isEmpty { try test.post(Self.lines(look.late)) }
            test.service.groupWatch.look(at: try Timestamp("2026-" + look.at).date)
            expected = (expected + look.messages).sorted()
            #expect(try test.waitingMessages(about: "team", as: "group") == expected, "at \(look.at)")
        }
        // Another service over the same store, as after a restart.
        test.service.close()
        let again = try Self.service(store: test.path)
        again.service.groupWatch.look(at: try Timestamp("2026-" + #require(row.looks.last).at).date)
        #expect(try again.waitingMessages(about: "team", as: "group") == expected)
    }

    @Test func `erasing a learner keeps the messages of a group with the same id`() throws {
        let test = try Self.service()
        let events = Self.lines(Self.monday + ["team line.spoken 04-06T18:00:00Z"])
        try test.post(events)
        let evening = try Timestamp("2026-04-07T20:00:00Z").date
        test.service.groupWatch.look(at: evening)
        let expected = [Self.risk(1, practised: 0, ends: "04-08T00:00")]
        #expect(try test.waitingMessages(about: "team", as: "group") == expected)
        #expect(try test.send("DELETE", "/v1/learners/team").status < 300)
        try test.post(Self.lines(["ana line.spoken 04-06T19:00:00Z"]))
        test.service.groupWatch.look(at: evening)
        #expect(try test.waitingMessages(about: "team", as: "group") == expected)
    }

    @Test(.enabled(if: DatabaseServer.shared != nil)) func `several nodes announce the same once`() throws {
        let store = try #require(DatabaseServer.shared).newLocation()
        try StoreManagement(StoreLocation(store)).create()
        let nodes = try (0..<3).map { _ in try Self.service(store: store) }
        try nodes[0].service.engine.apply(Rules(yaml: Self.rules))
        try nodes[0].addSilentWebhook(#"["group.goal_completed","group.streak_at_risk"]"#)
        for node in nodes { try node.service.keys.reload() }
        try nodes[1].post(Self.lines(Self.monday + (1...2).map { "ana line.spoken 04-07T1\($0):00:00Z" }))
        let date = try Timestamp("2026-04-07T20:30:00Z").date
        DispatchQueue.concurrentPerform(iterations: 3) { nodes[$0].service.groupWatch.look(at: date) }
        // As if two nodes had the duty for a moment.
        let late = Announcement(.groupStreakAtRisk, group: "team", ["days": 0])
        DispatchQueue.concurrentPerform(iterations: 3) { index in
            try? nodes[index].service.engine.announce([("2026-04-07", late)], .streakAtRisk)
        }
        let expected = [Self.goal(15), Self.risk(1, practised: 1, ends: "04-08T00:00")]
        #expect(try nodes[2].waitingMessages(about: "team", as: "group") == expected)
        for node in nodes { node.service.close() }
    }
}
