// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import Testing

/// Explanations of numbers in cases that a person can follow.
@Suite struct ExplanationStoryTests {
    private static let rules = rules(line: "10 * event.accuracy")

    private static func rules(line award: String) -> String {
        """
        version: 1
        metrics:
          lines: {count: line.spoken}
          errors: {sum: "default(event.errors, 0)", on: line.spoken}
        streak: {when: day.lines >= 2, freezes: {earn_every: 2, hold: 1}, rest_days: [sunday]}
        xp:
          - {id: line, on: line.spoken, award: \(award), daily_cap: 15}
          - {id: bonus, bucket: extra, on: session.ended, when: session.lines >= 3, award: "(1 - session.errors / session.lines) * 30"}
        achievements:
          - {id: talker, name: Talker, value: total.lines, at_least: [2, 6], xp: 50}
          - {id: master, value: total.lines, at_least: 3, requires: talker, hidden: true}
          - {id: careful, value: total.lines, at_least: 4, when: total.errors == 0, scope: language, xp: 5}
        """
    }

    private static let end = try! Timestamp("2026-02-20T12:00:00Z").date

    private func bench(_ lines: [String], rules: String = rules) throws -> Bench {
        let bench = try Bench(.memory, rules: rules)
        let report = try bench.ingest(lines)
        try #require(report.stored == lines.count, "\(report.problems)")
        return bench
    }

    private func spoken(_ id: String, _ time: String, _ data: String = "{}", session: String? = nil) -> String {
        line(id, at: time, data: data, session: session)
    }

    // MARK: XP

    private func ana(_ bench: Bench) -> Learner { bench.engine.learner("ana", timeZone: nil) }

    private func xp(_ bench: Bench, day: LocalDay? = nil, session: String? = nil) throws -> XPExplanation {
        try #require(try ana(bench).explainXP(day: day, session: session, at: ExplanationStoryTests.end))
    }

    private func told(_ explanation: XPExplanation) -> [String] {
        explanation.events.flatMap { event in
            event.entries.map { entry in
                let what =
                    switch entry.cause {
                    case .award(let id, let award, let whole, _):
                        "\(id): \(award.source) = \(award.substituted) = \(award.value), \(whole)"
                    case .withheld(let id, let when, let award):
                        "\(id) withheld: \(when.substituted) is \(when.value), else \(award.value)"
                    case .adjustment(let reason): "adjustment: \(reason ?? "")"
                    case .outOfPeriod(let id, let obstacle, _): "\(id) \(obstacle ?? "")"
                    case .declaration(let total): "of \(total) declared"
                    case .reward(let id, let tiers, let language): "\(id) \(tiers) \(language ?? "*")"
                    case .rewardTakenBack(let id, let tiers, _): "\(id) -\(tiers)"
                    case .goal(let id): "goal \(id)"
                    }
                return "\(event.event.id) \(entry.bucket) \(entry.amount) \(what)"
            } + (event.event.void.map { ["\(event.event.id) \($0)"] } ?? [])
        }
    }

    @Test func `awards, floors, caps and what was withheld`() throws {
        let bench = try bench([
            spoken("1", "2026-02-05T10:00:00Z", #"{"accuracy":0.96,"errors":2}"#, session: "s"),
            spoken("2", "2026-02-05T10:01:00Z", #"{"accuracy":0.8,"errors":1}"#, session: "s"),
            spoken("3", "2026-02-05T10:02:00Z", #"{"accuracy":1}"#, session: "s"),
            line("4", "session.ended", at: "2026-02-05T10:03:00Z", session: "s"),
            spoken("5", "2026-02-06T10:00:00Z"),
            line("6", "session.ended", at: "2026-02-06T10:03:00Z", session: "t"),
            line("7", "xp.adjusted", at: "2026-02-06T11:00:00Z", data: #"{"amount":-7,"reason":"cheating"}"#),
        ])
        let all = try xp(bench)
        #expect(
            told(all) == [
                "1 line 9 line: 10 * event.accuracy = 10 * 0.96 = 9.6, 9",
                "2 line 6 line: 10 * event.accuracy = 10 * 0.8 = 8, 8",
                "2 achievements 50 talker 1...1 *",
                "3 line 0 line: 10 * event.accuracy = 10 * 1 = 10, 10",
                "4 extra 0 bonus: (1 - session.errors / session.lines) * 30 = (1 - 3 / 3) * 30 = 0, 0",
                "5 line 0 line: 10 * event.accuracy = 10 * null = null, 0",
                "6 extra 0 bonus withheld: 0 >= 3 is false, else null",
                "7 adjustment -7 adjustment: cheating",
            ]
        )
        #expect(all.totalXP == 58)
        #expect(
            all.xpBreakdown.map { "\($0.name) \($0.value)" } == ["achievements 50.0", "adjustment -7.0", "line 15.0"]
        )
        let second = try xp(bench, day: LocalDay(year: 2026, month: 2, day: 6))
        #expect(second.events.map(\.event.id) == ["5", "6", "7"])
        #expect(second.totalXP == -7)
        #expect(try xp(bench, session: "s").totalXP == 65)
        #expect(try xp(bench, session: "none").events.isEmpty)
    }

    @Test func `what was declared, and what of it was lacking`() throws {
        let bench = try bench([
            spoken("1", "2026-02-05T10:00:00Z", #"{"accuracy":1}"#),
            line("2", "xp.declared", at: "2026-02-05T11:00:00Z", data: #"{"total":200}"#),
            line("3", "xp.declared", at: "2026-02-05T12:00:00Z", data: #"{"total":200}"#),
        ])
        let explanation = try xp(bench)
        #expect(
            told(explanation).filter { $0.contains("declared") } == [
                "2 adjustment 190 of 200 declared", "3 adjustment 0 of 200 declared",
            ]
        )
        #expect(explanation.totalXP == 200)
    }

    @Test func `rewards taken back, and given once more`() throws {
        let revoked = #"{"achievement":"talker","reason":"a bug"}"#
        let bench = try bench([
            spoken("1", "2026-02-05T10:00:00Z"), spoken("2", "2026-02-05T10:01:00Z"),
            line("3", "achievement.revoked", at: "2026-02-05T11:00:00Z", data: revoked),
            line("4", "achievement.granted", at: "2026-02-05T12:00:00Z", data: #"{"achievement":"talker"}"#),
            line("5", "achievement.granted", at: "2026-02-05T13:00:00Z", data: #"{"achievement":"talker"}"#),
        ])
        let rewards = told(try xp(bench)).filter { $0.contains("achievements") }
        #expect(
            rewards == [
                "2 achievements 50 talker 1...1 *", "3 achievements -50 talker -1",
                "4 achievements 100 talker 1...2 *",
            ]
        )
        let story = try achievement("talker", bench)
        #expect(
            story.history.map { "\($0.event.id) \($0.kind) \($0.xp) \($0.reason ?? "")" } == [
                "2 unlocked(ClosedRange(1...1)) 50 ", "3 revoked(1) -50 a bug",
                "4 granted(Optional(ClosedRange(1...2))) 100 ", "5 granted(nil) 0 ",
            ]
        )
    }

    @Test func `void events are named and count nothing`() throws {
        let bench = try bench([
            spoken("1", "2026-02-05T10:00:00Z", #"{"accuracy":1}"#),
            spoken("2", "2026-02-05T10:01:00Z", #"{"accuracy":1}"#, session: "s"),
            line("3", "event.retracted", at: "2026-02-06T10:00:00Z", data: #"{"source":"app","id":"1"}"#),
            line("4", "session.discarded", at: "2026-02-06T10:01:00Z", session: "s"),
        ])
        #expect(told(try xp(bench)) == ["1 retracted", "2 sessionDiscarded"])
        #expect(try xp(bench).totalXP == 0)
        let early = try ana(bench).explainXP(at: try Timestamp("2026-02-05T12:00:00Z").date)
        // Two lines, the second of which the cap limited, and the achievements that they unlocked.
        #expect(early?.totalXP == 65)
    }

    @Test func `what other rules would say`() throws {
        let bench = try bench([spoken("1", "2026-02-05T10:00:00Z", #"{"accuracy":1}"#)])
        try bench.use(rules: ExplanationStoryTests.rules(line: "3"))
        #expect(told(try xp(bench)) == ["1 line 3 line: 3 = 3 = 3, 3"])
    }

    // MARK: Achievements

    private func achievement(_ id: String, _ bench: Bench, language: String? = nil) throws -> AchievementExplanation {
        let found = try ana(bench).explainAchievement(id, language: language, at: ExplanationStoryTests.end)
        return try #require(found.first)
    }

    @Test func `an achievement's way`() throws {
        let bench = try bench([
            spoken("1", "2026-02-05T10:00:00Z"), spoken("2", "2026-02-05T10:01:00Z"),
            spoken("3", "2026-02-05T10:02:00Z"), spoken("4", "2026-02-05T10:03:00Z"),
        ])
        let talker = try achievement("talker", bench)
        #expect(talker.history.map(\.event.id) == ["2"])
        #expect(talker.history.first?.reading?.value.substituted == "2")
        #expect(talker.tier == 1)
        #expect(talker.latest?.value.value == .number(4))
        #expect(talker.best?.event.id == "4")
        // A hidden achievement that requires another.
        let master = try achievement("master", bench)
        #expect(master.isHidden)
        #expect(master.requires.map { "\($0.id) \($0.tier)/\($0.tiers)" } == ["talker 1/2"])
        #expect(master.latest?.missing == ["talker"])
        #expect(master.latest?.value.value == .number(4))
        #expect(master.best == nil)
    }

    @Test func `an achievement whose condition fails, per language`() throws {
        func line(_ id: String, _ language: String, _ data: String) -> String {
            #"{"id":"\#(id)","source":"app","type":"line.spoken","subject":"ana","language":"\#(language)","#
                + #""time":"2026-02-05T10:00:0\#(id)Z","data":\#(data)}"#
        }
        let bench = try bench([
            line("1", "es", "{}"), line("2", "es", "{}"), line("3", "es", #"{"errors":1}"#), line("4", "ja", "{}"),
        ])
        let end = ExplanationStoryTests.end
        let both = try ana(bench).explainAchievement("careful", at: end)
        #expect(both.map(\.language) == ["es", "ja"])
        let spanish = try achievement("careful", bench, language: "es")
        #expect(spanish.best?.event.id == "2")
        #expect(spanish.latest?.isOpen == false)
        #expect(spanish.latest?.when?.substituted == "1 == 0")
        #expect(spanish.progress == 0.5)
    }

    // MARK: Streak

    @Test func `a streak day by day`() throws {
        func two(_ day: Int, _ offset: String = "+01:00") -> [String] {
            let date = "2026-02-" + (day < 10 ? "0\(day)" : "\(day)")
            return ["a", "b"].map { spoken("\(day)\($0)", "\(date)T23:30:00\(offset)") }
        }
        // The 1st is a Sunday.
        let bench = try bench(
            two(5) + two(6) + two(9) + [spoken("11", "2026-02-11T10:00:00+01:00")] + two(13, "-05:00")
                + [
                    line("f", "streak.frozen", at: "2026-02-09T12:00:00Z", data: #"{"date":"2026-02-10"}"#),
                    line("r", "streak.repaired", at: "2026-02-13T12:00:00Z", data: #"{"date":"2026-02-12"}"#),
                    spoken("x", "2026-02-14T10:00:00+01:00"), spoken("y", "2026-02-14T10:01:00+01:00"),
                    line("z", "event.retracted", at: "2026-02-14T12:00:00Z", data: #"{"source":"app","id":"x"}"#),
                ]
        )
        let at = try Timestamp("2026-02-16T12:00:00+01:00")
        func explained(_ day: LocalDay?) throws -> StreakExplanation {
            try #require(try bench.engine.learner("ana", at: at).explainStreak(around: day, at: at.date))
        }
        let streak = try explained(nil)
        #expect(
            streak.days.map { "\($0.day.civil.day) \($0.outcome) \($0.currentStreak) \($0.streakFreezes)" } == [
                "5 active 1 0", "6 active 2 1", "7 freezeSpent 2 0", "8 restDay 2 0", "9 active 3 0", "10 frozen 3 0",
                "11 missed 0 0", "12 repaired 1 0", "13 active 2 1", "14 freezeSpent 2 0", "15 restDay 2 0",
                "16 open 2 0",
            ]
        )
        #expect(streak.days.filter(\.earnsFreeze).map(\.day.civil.day) == [6, 13])
        let days = Dictionary(uniqueKeysWithValues: streak.days.map { ($0.day.civil.day, $0) })
        #expect(days.compactMapValues(\.lost) == [11: 3])
        #expect(days[5]?.activeEvents == 1 && days[5]?.events == 2 && days[5]?.event?.id == "5b")
        #expect(days[5]?.zones == ["+01:00"] && days[13]?.zones == ["-05:00"])
        #expect(days[5]?.when?.substituted == "2 >= 2")
        #expect(days[10]?.frozenBy?.id == "f")
        #expect(days[12]?.repairedBy?.id == "r" && days[12]?.activeEvents == 0)
        #expect(days[11]?.when?.substituted == "1 >= 2" && days[11]?.activeEvents == 0)
        #expect(days[14]?.voidEvents == 1 && days[14]?.events == 2)
        #expect(streak.lastBreak?.day == LocalDay(year: 2026, month: 2, day: 11))
        let later = try explained(LocalDay(year: 2026, month: 2, day: 27))
        #expect(later.days.map(\.day.civil.day) == [12, 13, 14, 15, 16])
        #expect([later.currentStreak, later.longestStreak] == [streak.currentStreak, streak.longestStreak])
    }

    // MARK: Words

    @Test func `a word's way`() throws {
        func word(_ id: String, _ type: String, _ data: String = "") -> String {
            line(id, type, at: "2026-02-0\(id)T10:00:00Z", data: #"{"word":"gato"\#(data)}"#)
        }
        let bench = try bench([
            word("1", "word.added", #","text":"el gato","translation":"the cat""#),
            word("2", "review.graded", #","grade":"good""#), word("4", "review.graded", #","grade":"good""#),
            word("5", "word.removed"), word("6", "word.encountered", #","count":3"#),
            line("7", "event.retracted", at: "2026-02-07T10:00:00Z", data: #"{"source":"app","id":"4"}"#),
            line("8", "review.graded", at: "2026-02-08T10:00:00Z", data: #"{"word":"perro","grade":"easy"}"#),
        ])
        let end = ExplanationStoryTests.end
        let found = try ana(bench).explainWord("gato", at: end)
        let story = try #require(found.first)
        #expect(found.count == 1)
        #expect(
            story.steps.map { step in
                let states = [step.before, step.after].map { $0.map { "\($0.intervalDays)d \($0.mastery)" } ?? "-" }
                return "\(step.event.id) \(step.event.void.map { "\($0)" } ?? "\(states[0]) > \(states[1])")"
            } == ["1 - > 1d 0", "2 1d 0 > 2d 1", "4 retracted", "5 2d 1 > -", "6 - > 1d 0"]
        )
        #expect(story.steps.map(\.grade) == [nil, "good", nil, nil, nil])
        #expect(story.state?.mastery == 0 && story.text == nil)
        #expect(try ana(bench).explainWord("none", at: end).isEmpty)
        #expect(try bench.engine.learner("bo", timeZone: nil).explainWord("gato", at: end).isEmpty)
    }
}
