// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import SeededRandom
import Testing

/// The explained days of a streak agree with the streak's value.
@Suite struct StreakWalkTests {
    @Test(arguments: UInt64(1)...60) func `says what the streak says`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let terms = StreakSchedule(
            StreakTerms(
                freezeEvery: Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil,
                freezesHeld: Int.random(in: 1...3, using: &random),
                restDays: UInt8.random(in: 0...255, using: &random) & UInt8.random(in: 0...255, using: &random)
            )
        )
        var streak = Streak()
        let first: Int32 = 20_000
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let day = LocalDay(number: first + Int32.random(in: 0...50, using: &random))
            if Int.random(in: 0..<5, using: &random) == 0 {
                streak.freeze(day...day, terms)
            } else {
                streak.markActive(day, terms)
            }
        }
        for reference in first...first + 60 {
            let day = LocalDay(number: reference)
            let end = max(day, streak.active.last ?? day)
            var last: StreakValue?
            var days: [Int32] = []
            streak.walk(to: day, terms) { day, outcome, value in
                last = value
                days.append(day.number)
                let isActive = if case .active = outcome { true } else { false }
                #expect(isActive == streak.active.contains(day), "seed \(seed), \(day)")
                #expect((outcome == .open) == (day == end && !isActive), "seed \(seed), \(day)")
            }
            #expect(days == streak.active.first.map { Array($0.number...end.number) } ?? [], "seed \(seed)")
            if let last { #expect(last == streak.value(at: day, terms), "seed \(seed), \(day)") }
        }
    }

    @Test func `each outcome`() {
        // Saturday the 3rd is a rest day.
        let terms = StreakSchedule(StreakTerms(freezeEvery: 2, freezesHeld: 1, restDays: 1 << 6))
        var streak = Streak()
        let day = { LocalDay(year: 2026, month: 1, day: $0) }
        for active in [1, 2, 6, 9, 10] { streak.markActive(day(active), terms) }
        streak.freeze(day(5)...day(5), terms)
        var told: [String] = []
        streak.walk(to: day(12), terms) { told.append("\($0.civil.day) \($1) \($2.current) \($2.freezes)") }
        #expect(
            told == [
                "1 active(earnsFreeze: false) 1 0", "2 active(earnsFreeze: true) 2 1", "3 restDay 2 1",
                "4 freezeSpent 2 0", "5 frozen 2 0", "6 active(earnsFreeze: false) 3 0", "7 missed(lost: 3) 0 0",
                "8 missed(lost: 0) 0 0", "9 active(earnsFreeze: false) 1 0", "10 active(earnsFreeze: true) 2 1",
                "11 freezeSpent 2 0", "12 open 2 0",
            ]
        )
    }
}
