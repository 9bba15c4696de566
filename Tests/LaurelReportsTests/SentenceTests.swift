// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import Testing

@testable import LaurelReports

/// The sentences of reports are true.
@Suite struct SentenceTests {
    private struct Rules {
        /// A line makes a day active, and a session gives ten XP a minute.
        static let apart = """
            version: 1
            metrics: {lines: {count: line.spoken}}
            streak: {when: day.lines >= 1}
            xp: [{id: session, on: session.ended, award: "event.durationMs / 6000"}]
            levels: {table: [0, 100000]}
            """
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The days of February 2026 with a spoken line, and the sessions with their XP.
        let lines: [Int]
        let sessions: [Int: Int]
        let praise: String
        let call: String

        init(_ name: String, lines: [Int], sessions: [Int: Int] = [:], _ praise: String, _ call: String) {
            testDescription = name
            self.lines = lines
            self.sessions = sessions
            (self.praise, self.call) = (praise, call)
        }
    }

    @Test(
        "What is said of the week of 9 February, and what to do",
        arguments: [
            Row(
                "practice without XP, as often",
                lines: [2, 4, 9, 11],
                "Practice on 2 days of the week.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "a week off before",
                lines: [26 - 31, 9, 10],
                sessions: [9: 40],
                "Back after a week off, with practice on 2 days.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "more days",
                lines: [2, 9, 10],
                sessions: [2: 100, 9: 386],
                "Practice on 2 days, 1 day more than before.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "more XP",
                lines: [2, 9],
                sessions: [2: 100, 9: 386],
                "286 XP more than before.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "less of everything is no praise",
                lines: [2, 3, 9],
                sessions: [2: 100, 9: 40],
                "Practice on 1 day of the week.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "the first week",
                lines: [10],
                sessions: [10: 10],
                "The first week, and practice on 1 day of it.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "every day",
                lines: Array(2...15),
                sessions: [9: 10],
                "Practice on every single day of the week.",
                "Go on like this: the streak stands at 14 days."
            ),
            Row(
                "the longest streak",
                lines: [2, 4, 13, 14, 15],
                "A streak of 3 days, the longest so far.",
                "Practise on 4 days next week, one more than in this."
            ),
            Row(
                "more than for long",
                lines: [22 - 31, 29 - 31, 2, 3, 9, 10],
                sessions: [22 - 31: 100, 29 - 31: 90, 2: 80, 9: 101],
                "101 XP, more than in any of the eleven weeks before.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "XP, and no active day",
                lines: [2],
                sessions: [9: 40],
                "40 XP this week, and no day that counts as practice.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "minutes that gave nothing",
                lines: [2],
                sessions: [9: 0],
                "Some practice this week, and no day on which it was enough to count.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "a week off",
                lines: [2, 3],
                "No practice this week, after 2 days the week before.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "nothing for long",
                lines: [26 - 31],
                "No practice for 2 weeks.",
                "Practise on one day: it begins a new streak."
            ),
            Row(
                "nothing that ever counted",
                lines: [],
                sessions: [2: 0],
                "No practice this week.",
                "Practise on one day: it begins the first streak."
            ),
        ]
    )
    func weekInWords(row: Row) throws {
        var events = row.lines.map { Class.Event(type: "line.spoken", time: Self.time($0, 10)) }
        for (day, xp) in row.sessions {
            let length = xp == 0 ? 5000 : xp * 6000
            events.append(Class.Event(time: Self.time(day, 11), data: ["durationMs": .number(Double(length))]))
        }
        let engine = try Class.engine(events, rules: Rules.apart)
        let document = try ReportMaker("weekly-xp", engine, week: "2026-W07").learner("ana")
        #expect(Self.texts(document) == [row.praise, row.call])
    }

    private static func texts(_ document: Document) -> [String] {
        document.sections[0].exhibits.filter { $0.show == .text }.compactMap(\.text)
            .map { $0.replacing("\u{A0}", with: " ") }
    }

    /// Rules with everything that a report may praise, or suggest as the next goal.
    private static let rich = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1}
        xp: [{id: line, on: line.spoken, award: 10}]
        levels: {table: [0, 60, 200]}
        achievements: [{id: talker, name: Talker, value: total.lines, at_least: [3, 10]}]
        """

    @Test(
        "What there is to praise and to go for",
        arguments: [
            // The days of February 2026 with a line, and the instant.
            (
                [2, 9, 10], "02-15T23:00", "A new achievement this week: “Talker”.",
                "Practise on one day: it begins a new streak."
            ),
            (
                [2, 3, 4, 9, 10, 15], "02-16T10:00", "Level 2 reached this week.",
                "Practise on 4 days next week, one more than in this."
            ),
            (
                [2, 3, 4, 5, 6, 7, 9, 14, 15], "02-16T10:00", "Practice on 3 days of the week.",
                "Go for the next achievement: “Talker” is 90% done."
            ),
            (
                [2, 3, 4, 5, 6, 7, 9, 10], "02-10T20:00", "Practice on 2 days of the week.",
                "Go for the next achievement: “Talker” is 80% done."
            ),
            (
                [2, 3, 4, 9, 10], "02-11T10:00", "Practice on 2 days of the week.",
                "Practise today: it keeps the streak of 2 days."
            ),
            ([2, 3, 4, 9, 10], "02-10T20:00", "Practice on 2 days of the week.", "Go for level 2: it is 10 XP away."),
        ]
    )
    func praiseAndCall(days: [Int], at: String, praise: String, call: String) throws {
        let lines = days.map { Class.Event(type: "line.spoken", time: Self.time($0, 10)) }
        let maker = try ReportMaker(
            "weekly-xp",
            Class.engine(lines, rules: Self.rich),
            week: "2026-W07",
            at: "2026-\(at):00Z"
        )
        #expect(Self.texts(try maker.learner("ana")) == [praise, call])
    }

    /// - Parameter day: the day of February 2026; below 1, a day of January.
    private static func time(_ day: Int, _ hour: Int) -> String {
        let date = LocalDay(number: LocalDay(year: 2026, month: 2, day: 1).number + Int32(day - 1))
        return "\(date)T\(hour):00:00Z"
    }

    @Test(
        "Changes have the word of their unit",
        arguments: [
            ("1 AS now, 3 AS before", "", "2 fewer than before"), ("3 AS now, 1 AS before", "", "2 more than before"),
            ("1 AS now, 3 AS before", "unit: [day, days], ", "2 days fewer than before"),
            ("1 AS now, 3 AS before", "unit: XP, ", "2 XP less than before"),
            ("1.5 AS now, 3 AS before", "", "1.5 less than before"),
            ("0 AS now, 120000 AS before", "type: duration, ", "2 min less than before"),
            ("80 AS now, 81 AS before", "type: percent, ", "1 point lower than before"),
            ("84 AS now, 81 AS before", "type: percent, ", "3 points higher than before"),
            ("3 AS now, 3 AS before", "", "same as before"),
        ]
    )
    func changes(values: String, column: String, expected: String) throws {
        let markdown = try Class.markdown(
            "show: headline\nquery: SELECT \(values)\ncolumns: {now: {\(column)previous: before}}"
        )
        #expect(markdown.replacing("\u{A0}", with: " ").contains("(\(expected))"), "\(markdown)")
    }

    @Test func aGoalThatNobodySetIsNotMissed() throws {
        let line = Class.Event(type: "line.spoken", time: "2026-02-03T10:00:00Z")
        let goal = Class.Event(type: "learner.updated", time: "2026-02-02T10:00:00Z", data: ["dailyGoalMinutes": 15])
        let without = try ReportMaker("weekly-xp", Class.engine([line]), week: "2026-W06").learner("ana")
        let with = try ReportMaker("weekly-xp", Class.engine([line, goal]), week: "2026-W06").learner("ana")
        for (document, isSet) in [(without, false), (with, true)] {
            let page = try #require(ReportFormat.html.write(document, locale: "en_GB"))
            #expect(page.contains("Days with the daily goal met") == isSet)
            #expect(page.contains("Daily goal: 15") == isSet)
            #expect(document.exhibit("Days with the daily goal met")?.table.rows.count == (isSet ? 1 : 0))
        }
    }

    @Test func wordsStandThereAsPeopleCallThem() throws {
        let added = Class.Event(
            type: "word.added",
            time: "2026-02-02T09:00:00Z",
            data: ["word": "es-7", "text": "sol"]
        )
        let reviews = ["es-7", "es-father", "12", "es", "es-"].flatMap { word in
            (0..<2).map { minute in
                Class.Event(
                    type: "review.graded",
                    time: "2026-02-02T10:0\(minute):00Z",
                    data: ["word": .string(word), "grade": "again"]
                )
            }
        }
        let document = try ReportMaker("mastery", Class.engine([added] + reviews), week: "2026-W06").learner("ana")
        let names = document.exhibit("Hardest words")?.table.rows.compactMap(\.[0].text) ?? []
        #expect(Set(names) == ["sol", "father", "12", "es", "es-"])
    }

    @Test func theScoreIsToldInWords() throws {
        let rules = """
            version: 1
            metrics: {long_lines: {count: line.spoken}}
            cefr: {score: "words.learned + 2 * total.long_lines", bands: {A1: 0, A2: 1, B1: 2, B2: 3, C1: 4, C2: 5}}
            """
        let engine = try Class.engine([Class.Event(type: "line.spoken", time: "2026-02-03T10:00:00Z")], rules: rules)
        let document = try ReportMaker("mastery", engine, week: "2026-W06").learner("ana")
        #expect(
            document.exhibit("Where the score comes from")?.text
                == "The score counts words learned plus 2 times long lines."
        )
    }
}
