// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Testing

/// The days on which a learner is a member of a group.
@Suite struct MembershipTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [Event]
        /// The days of February on which the learner is a member of `blue`, from the 1st to the 28th.
        let days: [Int]
        var kind: String?
        var isOpen = false
    }

    private static func join(_ time: String, _ kind: String? = nil, group: String = "blue", id: String = "") -> Event {
        let kind: [String: JSONValue] = kind.map { ["kind": .string($0)] } ?? [:]
        return event("group.joined", "2026-02-\(time)", kind.merging(["group": .string(group)]) { $1 }, id: id)
    }

    private static func leave(_ time: String, group: String = "blue", id: String = "") -> Event {
        event("group.left", "2026-02-\(time)", ["group": .string(group)], id: id)
    }

    private static func retract(_ time: String, _ id: String) -> Event {
        event("event.retracted", "2026-02-\(time)", ["source": "app", "id": .string(id)])
    }

    private static let rows = [
        Row(testDescription: "no group", events: [], days: []),
        Row(
            testDescription: "from the day of joining to the day before leaving",
            events: [join("03T10:00:00Z"), leave("06T10:00:00Z")],
            days: [3, 4, 5]
        ),
        Row(
            testDescription: "until now",
            events: [join("26T10:00:00Z", "team")],
            days: [26, 27, 28],
            kind: "team",
            isOpen: true
        ),
        Row(
            testDescription: "joining twice is joining once, and names another kind",
            events: [join("03T10:00:00Z", "team"), join("05T10:00:00Z", "friends"), leave("06T10:00:00Z")],
            days: [3, 4, 5],
            kind: "friends"
        ),
        Row(
            testDescription: "a joining without a kind keeps the kind",
            events: [join("03T10:00:00Z", "team"), leave("04T10:00:00Z"), join("05T10:00:00Z"), leave("06T10:00:00Z")],
            days: [3, 5],
            kind: "team"
        ),
        Row(
            testDescription: "leaving on the day of joining",
            events: [join("03T10:00:00Z"), leave("03T11:00:00Z"), join("05T10:00:00Z"), leave("06T10:00:00Z")],
            days: [5]
        ),
        Row(
            testDescription: "leaving without joining",
            events: [leave("02T10:00:00Z"), join("03T10:00:00Z"), leave("05T10:00:00Z"), leave("07T10:00:00Z")],
            days: [3, 4]
        ),
        Row(
            testDescription: "another group",
            events: [join("03T10:00:00Z"), leave("04T10:00:00Z", group: "red"), leave("05T10:00:00Z")],
            days: [3, 4]
        ),
        Row(
            testDescription: "by the clock on the wall",
            events: [join("03T22:00:00-05:00"), leave("06T01:00:00+09:00")],
            days: [3, 4, 5]
        ),
        Row(
            testDescription: "after a journey to the west, back on an earlier day",
            events: [
                join("03T10:00:00Z"), leave("06T01:00:00+12:00"), join("05T04:00:00-12:00"), leave("07T04:00:00-12:00"),
            ],
            days: [3, 4, 5, 6]
        ),
        Row(
            testDescription: "a retracted joining",
            events: [
                join("03T10:00:00Z", "team", id: "j"), retract("20T10:00:00Z", "j"), join("05T10:00:00Z"),
                leave("06T10:00:00Z"),
            ],
            days: [5]
        ),
        Row(
            testDescription: "a retracted leaving",
            events: [join("25T10:00:00Z"), leave("26T10:00:00Z", id: "l"), retract("20T10:00:00Z", "l")],
            days: [25, 26, 27, 28],
            isOpen: true
        ),
    ]

    @Test(arguments: rows) func `days of membership`(row: Row) throws {
        var story = Story("", row.events)
        for order in ["as they happened", "backwards"] {
            for saves in [false, true] {
                let state = try story.state(story.plan(), saves: saves)
                let membership = state.memberships.membership(of: Array("blue".utf8))
                let days = (1...28).filter { membership?.contains(LocalDay(year: 2026, month: 2, day: $0)) ?? false }
                #expect(days == row.days, "\(order), state saved after every event: \(saves)")
                #expect(membership?.kind?.name == row.kind.map { Array($0.utf8) })
                #expect((membership?.isOpen ?? false) == row.isOpen)
            }
            story.events.reverse()
        }
    }

    @Test func `a state has the groups in byte order, and the joined groups until it is settled`() throws {
        let joinings = ["b", "é", "a"].map { Self.join("03T10:00:00Z", group: $0) }
        let story = Story("", joinings + [Self.leave("04T10:00:00Z", group: "a")])
        let plan = try story.plan()
        let state = try story.state(plan)
        #expect(state.memberships.all.map { String(decoding: $0.group, as: UTF8.self) } == ["a", "b", "é"])
        let reader = ProgressReader(plan: plan)
        #expect(Set(reader.projection(state).joinedGroups) == ["a", "b", "é"])
        state.settle()
        #expect(reader.projection(state).joinedGroups == [])
    }
}
