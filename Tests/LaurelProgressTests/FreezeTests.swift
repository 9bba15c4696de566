// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import SeededRandom
import Testing

/// Granted freezes, freezes at the start, pauses, and streaks of weeks.
@Suite struct FreezeTests {
    @Test(arguments: FreezeTests.grants + FreezeTests.pauses + FreezeTests.weeks) func freezes(row: Case) throws {
        try row.check()
    }

    private static func rules(_ streak: String = "", calendar: String = "default_timezone: UTC") -> String {
        """
        calendar: {\(calendar)}
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1\(streak.isEmpty ? "" : ", " + streak)}
        """
    }

    private static func date(_ day: Int) -> String { "2026-02-" + (day < 10 ? "0\(day)" : "\(day)") }

    private static func noon(_ day: Int) -> String { "\(date(day))T12:00:00Z" }

    /// A line at noon on each of these days of February 2026; the first day is a Sunday.
    private static func lines(_ days: Int...) -> [Event] { days.map { event("line.spoken", noon($0)) } }

    private static func granted(_ day: Int, _ count: Int? = nil, language: String? = nil) -> Event {
        event(
            "freeze.granted",
            "\(date(day))T18:00:00Z",
            count.map { ["count": .count($0)] } ?? [:],
            language: language
        )
    }

    private static func paused(_ from: Int, _ through: Int, on day: Int) -> Event {
        event("streak.paused", noon(day), ["from": .string(date(from)), "through": .string(date(through))])
    }

    static let grants: [Case] = [
        Case(
            "a granted freeze saves a day",
            rules(),
            lines(1, 2) + [granted(2)] + lines(4),
            at: noon(4),
            ["currentStreak": 3, "streakFreezes": 0]
        ),
        Case(
            "no more than hold",
            rules("freezes: {hold: 2}"),
            lines(1) + [granted(1, 5), granted(1)],
            at: noon(2),
            ["currentStreak": 1, "streakFreezes": 2]
        ),
        Case(
            "on a missed day, before it is judged",
            rules(),
            lines(1) + [granted(2)] + lines(3),
            at: noon(3),
            ["currentStreak": 2, "streakFreezes": 0]
        ),
        Case(
            "on the day itself",
            rules(),
            lines(1) + [granted(2)],
            at: "2026-02-02T20:00:00Z",
            ["currentStreak": 1, "streakFreezes": 1]
        ),
        Case(
            "too late for the day before",
            rules(),
            lines(1) + [granted(3)] + lines(4),
            at: noon(4),
            ["currentStreak": 1, "streakFreezes": 0]
        ),
        Case(
            "before the first active day, when the walk begins",
            rules("freezes: {hold: 3}"),
            [granted(1, 2)] + lines(10, 12),
            at: noon(12),
            ["currentStreak": 2, "streakFreezes": 1]
        ),
        Case(
            "before any active day",
            rules("freezes: {hold: 3, start: 1}"),
            [granted(1)],
            at: noon(2),
            ["currentStreak": 0, "streakFreezes": 2, "lastActivityDate": nil]
        ),
        Case("at the start, without events", rules("freezes: {start: 1}"), [], at: noon(2), ["streakFreezes": 1]),
        Case(
            "at the start",
            rules("freezes: {earn_every: 7, hold: 2, start: 2}"),
            lines(1, 4),
            at: noon(5),
            ["currentStreak": 2, "streakFreezes": 0]
        ),
        Case(
            "a broken streak waits for the next grant",
            rules("freezes: {hold: 2}"),
            lines(1) + [granted(10, 2)] + lines(11),
            at: noon(12),
            ["currentStreak": 1, "longestStreak": 1, "streakFreezes": 1]
        ),
        Case(
            "in the tracks of its event",
            rules(),
            [
                event("line.spoken", noon(1), language: "es"), granted(1),
                event("line.spoken", noon(3), language: "es"),
            ],
            at: noon(3),
            language: "es",
            ["currentStreak": 1]
        ),
        Case(
            "under rules without a streak nothing is shown",
            "metrics: {lines: {count: line.spoken}}",
            lines(1) + [granted(1)],
            at: noon(2),
            ["currentStreak": 0, "streakFreezes": 0]
        ),
    ]

    static let pauses: [Case] = [
        Case(
            "the missed days of a pause have no effect",
            rules(),
            lines(1, 2) + [paused(3, 9, on: 2)] + lines(10),
            at: noon(10),
            ["currentStreak": 3]
        ),
        Case(
            "an active day of a pause counts",
            rules(),
            lines(1) + [paused(2, 9, on: 1)] + lines(5, 10),
            at: noon(10),
            ["currentStreak": 3]
        ),
        Case(
            "afterwards",
            rules(),
            lines(1, 4) + [paused(2, 3, on: 5)],
            at: noon(5),
            ["currentStreak": 2]
        ),
    ]

    static let weeks: [Case] = [
        Case(
            "weeks in a row",
            rules("every: week"),
            lines(1, 2, 3, 10, 22),
            at: noon(22),
            ["currentStreak": 4, "lastActivityDate": "2026-02-22"]
        ),
        Case(
            "the week is not over",
            rules("every: week"),
            lines(1, 8),
            at: noon(15),
            ["currentStreak": 2, "longestStreak": 2]
        ),
        Case("a missed week breaks it", rules("every: week"), lines(1, 8), at: noon(16), ["currentStreak": 0]),
        Case(
            "the rules' first weekday",
            rules("every: week", calendar: "week_starts_on: sunday"),
            lines(1, 7, 8),
            at: noon(8),
            ["currentStreak": 2]
        ),
        Case(
            "freezes are earned and spent in weeks",
            rules("every: week, freezes: {earn_every: 2}"),
            lines(1, 8, 22),
            at: noon(22),
            ["currentStreak": 3, "streakFreezes": 0]
        ),
        Case(
            "a grant holds for its whole week",
            rules("every: week"),
            lines(1) + [granted(8)] + lines(9),
            at: noon(9),
            ["currentStreak": 2, "streakFreezes": 0]
        ),
        Case(
            "a repaired day makes its week active, a frozen day freezes it",
            rules("every: week"),
            lines(1) + [
                event("streak.repaired", noon(20), ["date": .string(date(5))]),
                event("streak.frozen", noon(20), ["date": .string(date(11))]),
            ] + lines(20),
            at: noon(20),
            ["currentStreak": 3, "lastActivityDate": "2026-02-20"]
        ),
        Case(
            "a pause that touches a week freezes it",
            rules("every: week"),
            lines(1) + [paused(8, 9, on: 1)] + lines(16),
            at: noon(16),
            ["currentStreak": 2]
        ),
    ]

    @Test(arguments: UInt64(1)...80) func `a walk in steps is the walk as a whole`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let terms = StreakTerms(
            freezeEvery: Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil,
            freezesHeld: Int.random(in: 0...3, using: &random),
            freezesAtStart: Int.random(in: 0...2, using: &random),
            restDays: 0
        )
        let weeks = StreakWeeks([
            (nil, Int.random(in: 1...7, using: &random)),
            (LocalDay(number: 20_030), Int.random(in: 1...7, using: &random)),
        ])
        let isWeekly = Bool.random(using: &random)
        let schedule = isWeekly ? StreakSchedule(terms).byWeek(weeks) : StreakSchedule(terms)
        var (streak, steps): (Streak, [(inout Streak) -> Void]) = (Streak(), [])
        for _ in 0..<Int.random(in: 1...30, using: &random) {
            let day = LocalDay(number: Int32.random(in: 20_000...20_100, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: steps.append { $0.freeze(day...LocalDay(number: day.number + 5), schedule) }
            case 1: steps.append { $0.grant(2, on: day, schedule) }
            default: steps.append { $0.markActive(day, schedule) }
            }
        }
        for step in steps { step(&streak) }
        var shuffled = Streak()
        for step in steps.shuffled(using: &random) { step(&shuffled) }
        for reference in Int32(20_000)...20_110 {
            let day = LocalDay(number: reference)
            let value = streak.value(at: day, schedule)
            #expect(shuffled.value(at: day, schedule) == value, "seed \(seed), \(day)")
            var last: StreakValue?
            streak.walk(to: day, schedule) { last = $2 }
            if let last { #expect(last == value, "seed \(seed), \(day)") }
        }
    }
}
