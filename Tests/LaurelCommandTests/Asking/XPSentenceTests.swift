// SPDX-License-Identifier: Apache-2.0

import Testing

/// The sentences of `explain --xp`, one for each way in which events give XP.
@Suite struct XPSentenceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let rules: String
        let events: [String]
        /// The lines between the heading and the sums.
        let lines: [String]

        var testDescription: String { name }
    }

    private static func reviews(_ grades: String...) -> [String] {
        grades.map { #""type":"review.graded","data":{"word":"w","grade":"\#($0)"}"# }
    }

    private static func lines(_ accuracies: Double...) -> [String] {
        accuracies.map { #""type":"line.spoken","data":{"accuracy":\#($0)}"# }
    }

    private static let review = "xp: [{id: review, on: review.graded, award: 'event.grade == \"again\" ? 1 : 2'}]"
    private static let accuracy = "xp: [{id: line, on: line.spoken, award: 'event.accuracy * 10'}]"

    private static let rows = [
        Row(
            name: "equal amounts",
            rules: review,
            events: reviews("good", "hard", "easy"),
            lines: ["+6  review  3 reviews gave 6 XP: 2 each"]
        ),
        Row(
            name: "a forgotten word",
            rules: review,
            events: reviews("good", "again", "good", "again", "good"),
            lines: ["+8  review  5 reviews gave 8 XP: 2 each, 1 when forgotten (2 times)"]
        ),
        Row(
            name: "a value that explains an amount",
            rules: "xp: [{id: review, on: review.graded, award: 'event.grade == \"hard\" ? 5 : 2'}]",
            events: reviews("good", "good", "hard"),
            lines: ["+9  review  3 reviews gave 9 XP: 2 each, 5 when event.grade is \"hard\" (once)"]
        ),
        Row(
            name: "amounts that no single value explains",
            rules: accuracy,
            events: lines(1, 0.5, 1),
            lines: ["+25  line  3 lines gave 25 XP: 10 each, 5 for 1 of them"]
        ),
        Row(
            name: "many amounts",
            rules: accuracy,
            events: lines(1, 0.5, 0.2, 0.7),
            lines: ["+24  line  4 lines gave 24 XP: 2 to 10 each"]
        ),
        Row(
            name: "a condition that held for some",
            rules: "xp: [{id: clean, on: line.spoken, when: event.accuracy > 0.6, award: 3}]",
            events: lines(1, 0.5, 0.7),
            lines: ["+6  clean  2 of 3 lines gave 6 XP: 3 each"]
        ),
        Row(
            name: "a daily cap",
            rules: "xp: [{id: line, on: line.spoken, award: 10, daily_cap: 25}]",
            events: lines(1, 1, 1, 1),
            lines: ["+25  line  3 of 4 lines gave 25 XP: 10 each; the daily cap of 25 XP withheld 15"]
        ),
        Row(
            name: "nothing, for several reasons",
            rules: "xp: [{id: line, on: line.spoken, when: event.accuracy != 0.5, award: event.errors}]",
            events: lines(1, 0.5),
            lines: [
                "0  line  2 lines gave nothing: a value of the formula is missing, or the rule's condition did not hold"
            ]
        ),
        Row(
            name: "an event that was retracted",
            rules: accuracy,
            events: lines(1, 1) + [#""type":"event.retracted","data":{"source":"app","id":"1"}"#],
            lines: ["0  void  1 line gave nothing: retracted", "+10  line  1 line gave 10 XP"]
        ),
        Row(
            name: "adjustments by hand",
            rules: accuracy,
            events: [5, 5, -3].map { #""type":"xp.adjusted","data":{"amount":\#($0),"reason":"contest"}"# },
            lines: [
                "+10  adjustment  2 adjustments by hand gave 10 XP: contest",
                "-3  adjustment  1 adjustment by hand took 3 XP: contest",
            ]
        ),
        Row(
            name: "a declared total",
            rules: accuracy,
            events: [40, 40].map { #""type":"xp.declared","data":{"total":\#($0)}"# },
            lines: [
                "+40  adjustment  the declared total of 40 XP added 40 XP",
                "0  adjustment  the declared total of 40 XP was reached before",
            ]
        ),
        Row(
            name: "a type of the app's own",
            rules: "events: {org.example.quiz: {score: number}}\nxp: [{id: quiz, on: org.example.quiz, award: 4}]",
            events: [#""type":"org.example.quiz""#, #""type":"org.example.quiz""#],
            lines: ["+8  quiz  2 events of the type org.example.quiz gave 8 XP: 4 each"]
        ),
    ]

    @Test(arguments: rows) func `a sentence per rule`(row: Row) throws {
        let events = row.events.enumerated().map { number, event in
            #"{"id":"\#(number + 1)","source":"app","subject":"ana","time":"2026-02-04T10:0\#(number):00Z",\#(event)}"#
        }
        let laurel = try Laurel(
            events: events.joined(separator: "\n") + "\n",
            rules: "version: 1\nname: small\n\(row.rules)\n"
        )
        let outcome = try laurel.run("explain", "ana", "--xp", "--at", "2026-02-06T00:00:00Z")
        #expect(outcome.status == 0, "\(outcome)")
        let told = outcome.output.split(separator: "\n").dropFirst(2).prefix { $0 != "Sums" }
        #expect(told.map { $0.drop { $0 == " " } } == row.lines.map { $0[...] }, "\(outcome)")
    }
}
