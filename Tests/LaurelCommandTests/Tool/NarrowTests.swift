// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Output for people fits a terminal of 60 columns, whatever the names of learners, words and sessions.
@Suite struct NarrowTests {
    private static let width = 60
    private static let learner = "学習者-" + String(repeating: "とても長い名前", count: 4)

    /// Long, wide and right-to-left names.
    private static let events = {
        let long = String(repeating: "a-very-long-name-", count: 5)
        let arabic = "مُتَعَلِّم اللُّغَةِ الإِسْبَانِيَّةِ"
        let anna: [(String, String, String)] = [
            ("learner.updated", "17:00", #""data":{"displayName":"\#(arabic) \#(long)","cohort":"כיתה \#(long)"}"#),
            ("session.started", "18:00", #""session":"s-\#(long)","data":{"mode":"solo","scenario":"\#(long)"}"#),
            (
                "line.spoken", "18:01",
                #""session":"s-\#(long)","data":{"line":"\#(long)","text":"電車に乗ります、\#(arabic)","translation":"\#(long)","accuracy":0.9,"errors":1}"#
            ),
            (
                "error.detected", "18:02",
                #""session":"s-\#(long)","data":{"kind":"\#(long)","original":"\#(arabic)","corrected":"電車\#(long)"}"#
            ),
            (
                "word.added", "18:03",
                #""session":"s-\#(long)","data":{"word":"w-\#(long)","text":"電車電車電車電車電車電車","translation":"\#(arabic)","category":"乗り物 \#(long)","tags":["\#(long)","旅行"]}"#
            ),
            ("review.graded", "18:04", #""session":"s-\#(long)","data":{"word":"w-\#(long)","grade":"good"}"#),
            ("session.ended", "18:12", #""session":"s-\#(long)","data":{"durationMs":720000}"#),
            ("line.spoken", "19:00", #""data":{"accuracy":7}"#),
        ]
        let lines = anna.enumerated().map { number, event in
            #"{"id":"\#(number)","source":"app-\#(long)","type":"\#(event.0)","subject":"\#(learner)","language":"ja","time":"2026-02-04T\#(event.1):00Z",\#(event.2)}"#
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    private static let commands = [
        "learners", "leaderboard --all-time --at NOON", "leaderboard --all-time --around LEARNER --at NOON",
        "leaderboard --session SESSION --at NOON", "progress LEARNER --at NOON", "progress LEARNER --all --at NOON",
        "progress LEARNER --locale ja --at NOON", "words LEARNER --at NOON", "words LEARNER --language ja --at NOON",
        "vocabulary LEARNER --at NOON", "sessions LEARNER --at NOON", "sessions LEARNER --session SESSION --at NOON",
        "study-time LEARNER --at NOON", "achievements LEARNER --at NOON", "explain LEARNER --xp --at NOON",
        "explain LEARNER --streak --at NOON", "explain LEARNER --streak --events --at NOON",
        "explain LEARNER --achievement 長い --at NOON",
        "explain LEARNER --word WORD --at NOON", "quarantine list", "keys list", "report --list", "rules history",
        "rules diff other.yaml --at NOON", "rules check rules.yaml", "rules test rules.yaml", "replay --check",
        "verify", "formats", "events", "config show", "doctor", "--help", "ingest --help", "rules apply --help",
        "keys --help",
    ]

    private static let rules = """
        version: 1
        name: rules with \(String(repeating: "a long name ", count: 8))
        metrics: {lines: {count: line.spoken}, exercises_that_have_a_very_long_name_indeed_and_go_on_and_on: {count: review.graded}}
        streak: {when: day.lines >= 1}
        xp:
          - {id: a_rule_with_a_name_that_fills_a_whole_line_of_a_terminal, on: line.spoken, award: 10}
        achievements:
          - {id: 長い, name: 長い長い長い長い長い長い長い長い長い長い長い長い長い, value: total.lines, at_least: [1, 40], category: とても長いカテゴリー}
        tests:
          - name: \(String(repeating: "words of a test ", count: 6))
            events: [{type: line.spoken, time: "2026-02-05T18:00:00Z"}]
            expect: {totalXP: 10}

        """

    @Test func `whatever is shown fits sixty columns`() throws {
        let laurel = try Laurel(events: Self.events, rules: Self.rules)
        try laurel.write(Self.rules.replacing("award: 10", with: "award: 12345"), to: "other.yaml")
        try laurel.run("keys", "add", "--scope", "ingest,read", "--learner", Self.learner)
        let long = String(repeating: "a-very-long-name-", count: 5)
        for command in Self.commands {
            let words = command.replacing("LEARNER", with: Self.learner).replacing("SESSION", with: "s-\(long)")
                .replacing("WORD", with: "w-\(long)").replacing("NOON", with: "2026-02-05T12:00:00Z")
            // `wc` counts cells like the C library.
            let line = "set -o pipefail; laurel \(words) | tee shown | wc -L"
            let outcome = try laurel.shell(line, environment: ["COLUMNS": "\(Self.width)"])
            let widest = Int(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            #expect(outcome.status == 0 && widest > 0, "\(command): \(outcome)")
            let shown = try laurel.read("shown")
            #expect(widest <= Self.width, "\(command) takes \(widest) cells:\n\(shown)")
        }
    }

    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        let columns: String
        let command: String
        let shows: String

        init(_ name: String, _ columns: String, _ command: String, _ shows: String) {
            (testDescription, self.columns, self.command, self.shows) = (name, columns, command, shows)
        }
    }

    @Test(arguments: [
        Row(
            "columns give way from the right, and are named",
            "60",
            "learners",
            """
            learner  name  cohort       level  XP  streak  words learned
            anna     Anna                   1  70       2              0
            さくら   桜    b\\u{1B}[31m      1   0       0              0
            (no room for: events, last practice (UTC))

            """
        ),
        Row(
            "a value goes on below itself",
            "40",
            "explain anna --streak --events --at 2026-02-05T20:00:00Z | grep -A 2 Counts",
            """
              Counts      days with an event for
                          which day.lines >= 1
              Streak      2 days on 2026-02-05 Thu,

            """
        ),
        Row(
            "no width, no limit",
            "",
            "learners | head -n 1",
            "learner  name  cohort       level  XP  streak  words learned  events  last practice (UTC)\n"
        ),
        Row(
            "a bar that has no room is not named",
            "40",
            "leaderboard --all-time",
            """
            rank  learner  name  cohort  XP
               1  anna     Anna          70

            """
        ),
        Row("a width that is none is no limit", "wide", "learners | wc -l", "3\n"),
        Row("what programs read is never broken", "20", "fingerprint | wc -l", "1\n"),
    ]) private func `lines and tables`(row: Row) throws {
        let laurel = try Laurel(events: Laurel.events)
        let outcome = try laurel.shell("laurel \(row.command)", environment: ["COLUMNS": row.columns])
        #expect(outcome.output == row.shows)
    }
}
