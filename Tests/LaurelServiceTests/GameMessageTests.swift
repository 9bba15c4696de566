// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

@testable import LaurelService

/// Messages about goals, balances, and the beginning and freezes of a streak.
@Suite struct GameMessageTests {
    private static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1, freezes: {earn_every: 3, hold: 2, start: 1}}
        goals: [{id: two, every: day, value: day.lines, target: 2, gives: {gems: 5}}]
        currencies:
          gems: {awards: [{id: fix, on: repair.made, award: 2}]}
          hearts: {start: 5, hold: 5, refill: {every: 4h, by: 1}, awards: [{id: slip, on: error.detected, award: -1}]}
        """

    /// A learner's events, which are stored in one request, and the messages that they cause.
    struct Step: Sendable {
        var events: [String]
        var messages: [String]
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var steps: [Step]
        var testDescription: String { name }
    }

    /// - Parameter time: a day of April 2026, and the time on it.
    private static func sent(_ id: String, _ type: String, _ time: String, _ data: String = "{}") -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"ana","time":"2026-04-\#(time):00Z","data":\#(data)}"#
    }

    private static func line(_ id: String, _ time: String) -> String { sent(id, "line.spoken", time) }

    private static func done(_ times: Int, _ time: String) -> String {
        #"goal.completed {"completedAt":"2026-04-\#(time):00.000Z","every":"day","goal":"two","times":\#(times)}"#
    }

    private static func gems(_ balance: Int, _ change: Int) -> String {
        #"balance.changed {"balance":\#(balance),"change":\#(change),"currency":"gems","nextRefillAt":null}"#
    }

    private static func began(_ day: Int) -> String { #"streak.started {"day":"2026-04-0\#(day)"}"# }

    private static func days(_ days: Int, _ day: Int) -> String {
        #"streak.extended {"day":"2026-04-0\#(day)","days":\#(days)}"#
    }

    static let cases: [Case] = [
        Case(
            name: "a goal is announced once in its window",
            steps: [
                Step(events: [line("1", "01T10:00")], messages: [days(1, 1), began(1)]),
                Step(events: [line("2", "01T11:00")], messages: [gems(5, 5), done(1, "01T11:00")]),
                Step(events: [line("3", "01T12:00")], messages: []),
                Step(
                    events: [line("4", "02T10:00"), line("5", "02T11:00")],
                    messages: [gems(10, 5), done(2, "02T11:00"), days(2, 2)]
                ),
            ]
        ),
        Case(
            name: "goals of two days arrive together, then one of an earlier day",
            steps: [
                Step(
                    events: [
                        line("1", "03T10:00"), line("2", "03T11:00"), line("3", "04T10:00"), line("4", "04T11:00"),
                    ],
                    messages: [gems(10, 10), done(1, "03T11:00"), done(2, "04T11:00"), days(2, 4), began(3)]
                ),
                Step(
                    events: [line("5", "01T10:00"), line("6", "01T11:00")],
                    messages: [
                        gems(15, 5), done(1, "01T11:00"), days(3, 4), #"streak.freeze_earned {"count":1,"freezes":1}"#,
                    ]
                ),
            ]
        ),
        Case(
            name: "a streak begins again after it was lost, and a late event moves its beginning silently",
            steps: [
                Step(events: [line("1", "01T10:00")], messages: [days(1, 1), began(1)]),
                Step(events: [line("2", "05T10:00")], messages: [days(1, 5), began(5)]),
                Step(events: [line("3", "04T10:00")], messages: [days(2, 5)]),
            ]
        ),
        Case(
            name: "a freeze is earned, and another is granted",
            steps: [
                Step(events: [line("1", "01T10:00"), line("2", "02T10:00")], messages: [days(2, 2), began(1)]),
                Step(
                    events: [line("3", "03T10:00")],
                    messages: [days(3, 3), #"streak.freeze_earned {"count":1,"freezes":2}"#]
                ),
                Step(events: [sent("4", "freeze.granted", "03T12:00")], messages: []),
                // One of two freezes is used on day 4; the grant fills its place.
                Step(
                    events: [sent("5", "freeze.granted", "05T12:00")],
                    messages: [#"streak.freeze_earned {"count":1,"freezes":2}"#]
                ),
            ]
        ),
        Case(
            name: "a balance that refills",
            steps: [
                Step(
                    events: [sent("1", "error.detected", "01T10:00")],
                    messages: [
                        #"balance.changed {"balance":4,"change":-1,"currency":"hearts","#
                            + #""nextRefillAt":"2026-04-01T14:00:00.000Z"}"#
                    ]
                ),
                // The refill of one heart and the loss of another leave the balance as it was.
                Step(
                    events: [sent("2", "error.detected", "01T14:30")],
                    messages: []
                ),
                Step(
                    events: [sent("3", "currency.adjusted", "03T10:00", #"{"currency":"gems","amount":-3}"#)],
                    messages: [
                        gems(-3, -3),
                        #"balance.changed {"balance":5,"change":1,"currency":"hearts","nextRefillAt":null}"#,
                    ]
                ),
            ]
        ),
    ]

    @Test(arguments: cases) func messages(row: Case) throws {
        let test = try TestService { $0.allowsPrivateWebhooks = true }
        try test.service.engine.apply(Rules(yaml: Self.rules))
        try test.addSilentWebhook()
        var expected: [String] = []
        for (index, step) in row.steps.enumerated() {
            try test.post(step.events.joined(separator: "\n"))
            expected = (expected + step.messages).sorted()
            #expect(try test.waitingMessages() == expected, "step \(index)")
        }
        // Neither a duplicate nor a replay causes a message.
        try test.post(row.steps.flatMap(\.events).joined(separator: "\n"))
        try test.service.engine.replay()
        #expect(try test.waitingMessages() == expected)
    }

    @Test func `only what a webhook subscribed to is sent`() throws {
        let test = try TestService { $0.allowsPrivateWebhooks = true }
        try test.service.engine.apply(Rules(yaml: Self.rules))
        try test.addSilentWebhook(#"["goal.completed"]"#)
        try test.post([Self.line("1", "01T10:00"), Self.line("2", "01T11:00")].joined(separator: "\n"))
        #expect(try test.waitingMessages() == [Self.done(1, "01T11:00")])
    }
}
