// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

/// The library's explanations equal the output of `laurel explain --json`, and can be decoded from it.
@Suite struct ExplainedResultsTests {
    private static let rules = """
        version: 1
        metrics:
          lines: {count: line.spoken}
          errors: {sum: "default(event.errors, 0)", on: line.spoken}
        streak: {when: day.lines >= 2, freezes: {earn_every: 2, hold: 1}, rest_days: [sunday]}
        xp:
          - {id: line, on: line.spoken, award: event.accuracy * 10, daily_cap: 15}
          - {id: bonus, bucket: extra, on: session.ended, when: session.lines >= 3, award: "session.errors + session.lines * 1.5"}
          - {id: party, on: line.spoken, award: 5, through: 2026-02-05}
        achievements:
          - {id: talker, name: Talker, description: Speak, value: total.lines, at_least: [2, 6], xp: 50}
          - {id: master, value: total.lines, at_least: 3, requires: talker, hidden: true}
          - {id: careful, value: total.lines + total.errors * 0, at_least: 4, when: "event.type != 'total.lines' && total.errors == 0", scope: language, through: 2026-02-28}

        """

    private static let fsrs = rules + "mastery: {scheduler: fsrs}\n"

    private static func line(_ id: String, _ type: String, _ time: String, _ rest: String = "") -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"ana","language":"es","time":"2026-02-\#(time)"\#(rest)}"#
    }

    private static let events = [
        line("1", "line.spoken", "05T10:00:00+05:30", #","session":"s","data":{"accuracy":0.96,"errors":2}"#),
        line("2", "line.spoken", "05T10:01:00+05:30", #","session":"s","data":{"accuracy":0.8}"#),
        line("3", "session.ended", "05T10:02:00+05:30", #","session":"s""#),
        line("4", "line.spoken", "06T10:00:00Z"),
        line("5", "xp.adjusted", "06T11:00:00Z", #","data":{"amount":-7,"reason":"so \"called\" luck"}"#),
        line("6", "xp.declared", "06T12:00:00Z", #","data":{"total":200}"#),
        line("7", "achievement.revoked", "06T13:00:00Z", #","data":{"achievement":"talker","reason":"a bug"}"#),
        line("8", "achievement.granted", "06T14:00:00Z", #","data":{"achievement":"talker"}"#),
        line("9", "achievement.granted", "06T15:00:00Z", #","data":{"achievement":"talker"}"#),
        line("10", "streak.repaired", "08T10:00:00Z", #","data":{"date":"2026-02-07"}"#),
        line("11", "streak.frozen", "08T10:01:00Z", #","data":{"date":"2026-02-09"}"#),
        line("12", "line.spoken", "09T10:00:00Z"),
        line("13", "event.retracted", "09T11:00:00Z", #","data":{"source":"app","id":"12"}"#),
        line("14", "word.added", "10T10:00:00Z", #","data":{"word":"gato","text":"el gato","translation":"the cat"}"#),
        line("15", "review.graded", "11T10:00:00Z", #","data":{"word":"gato","grade":"good"}"#),
        line("16", "review.graded", "14T10:00:00Z", #","data":{"word":"gato","grade":"hard"}"#),
        line("17", "word.encountered", "15T10:00:00Z", #","data":{"word":"gato","count":3}"#),
        line("18", "achievement.granted", "15T11:00:00Z", #","data":{"achievement":"master"}"#),
        line("19", "event.retracted", "15T12:00:00Z", #","data":{"source":"app","id":"18"}"#), "",
    ].joined(separator: "\n")

    /// A question to the command line, and the same to the library.
    struct Row: Sendable, CustomTestStringConvertible {
        var words: String
        var rules = ExplainedResultsTests.rules
        /// The result encoded at once, and encoded after decoding.
        var ask: @Sendable (Learner, Date) throws -> [(Data, Data)]

        var testDescription: String { "\(words)\(rules == ExplainedResultsTests.rules ? "" : ", FSRS")" }
    }

    private static func encodings(_ explanation: some Codable) throws -> (Data, Data) {
        let once = try LaurelJSON.encode(explanation)
        return (once, try LaurelJSON.encode(try decoded(explanation, from: once)))
    }

    private static func decoded<Explanation: Codable>(_: Explanation, from data: Data) throws -> Explanation {
        try LaurelJSON.decode(Explanation.self, from: data)
    }

    static let rows = [
        Row(words: "--xp") { [try encodings($0.explainXP(at: $1))] },
        Row(words: "--xp --language es --day 2026-02-06") { learner, date in
            [try encodings(learner.explainXP(language: "es", day: LocalDay(year: 2026, month: 2, day: 6), at: date))]
        },
        Row(words: "--xp --session s") { [try encodings($0.explainXP(session: "s", at: $1))] },
        Row(words: "--streak") { [try encodings($0.explainStreak(at: $1))] },
        Row(words: "--streak --language es --day 2026-02-08") { learner, date in
            let day = LocalDay(year: 2026, month: 2, day: 8)
            return [try encodings(learner.explainStreak(language: "es", around: day, at: date))]
        },
        Row(words: "--achievement talker") { try $0.explainAchievement("talker", at: $1).map(encodings) },
        Row(words: "--achievement master") { try $0.explainAchievement("master", at: $1).map(encodings) },
        Row(words: "--achievement careful") { try $0.explainAchievement("careful", at: $1).map(encodings) },
        Row(words: "--word gato") { try $0.explainWord("gato", at: $1).map(encodings) },
        Row(words: "--word gato", rules: fsrs) { try $0.explainWord("gato", at: $1).map(encodings) },
    ]

    @Test(arguments: rows) func `are the command's, before and after they were read back`(_ row: Row) throws {
        let laurel = try Laurel(events: ExplainedResultsTests.events, rules: row.rules)
        let at = "2026-02-16T12:00:00Z"
        let printed = try laurel.shell("laurel explain ana \(row.words) --at \(at) --json").output
        let engine = try ProgressEngine.open(path: laurel.folder.appending(path: "laurel.db").path, for: .reading)
        let answers = try row.ask(engine.learner("ana", timeZone: nil), try Timestamp(at).date)
        #expect(!answers.isEmpty)
        for (once, again) in answers { #expect(once == again) }
        let texts = answers.map { String(decoding: $0.1, as: UTF8.self) }
        let isList = row.words.contains("--achievement") || row.words.contains("--word")
        #expect(printed == (isList ? "[\n\(texts.joined(separator: ",\n"))\n]\n" : "\(texts[0])\n"))
    }

    @Test func `tell whole stories here`() throws {
        let laurel = try Laurel(events: ExplainedResultsTests.events, rules: ExplainedResultsTests.rules)
        let printed = try laurel.shell("laurel explain ana --xp --at 2026-02-16T12:00:00Z --json").output
        for kind in ["award", "withheld", "outOfPeriod", "adjustment", "declaration", "reward", "rewardTakenBack"] {
            #expect(printed.contains(#""kind":"\#(kind)""#))
        }
    }
}
