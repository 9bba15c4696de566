// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelReports
import LaurelStore

/// The present week of several learners, compared with the same days of the week before. Each learner's weeks are those
/// of the learner's own clock.
struct ClassWeek: Sendable {
    /// A number of the week.
    struct Number: Sendable {
        /// The value of this week up to now, and of the same days of the week before.
        var now = 0
        var before = 0
        /// The values of fourteen days: the whole week before, and this week.
        var days = [Int](repeating: 0, count: 14)
    }

    /// The learners who practised. Each learner counts once in the value of the week, and once in the value of each
    /// day.
    private(set) var learners = Number()
    private(set) var xp = Number()
    private(set) var minutes = Number()
    private(set) var words = Number()
    /// The number of days of the week that have begun for at least one learner.
    private(set) var begun = 1

    init(_ members: some Sequence<ClassMember>) {
        var (xp, milliseconds) = (Sums(), Sums())
        for member in members where !member.days.isEmpty {
            begun = max(begun, member.daysOfWeek)
            var isActive = (now: false, before: false)
            for (place, day) in member.days.enumerated() {
                let span = place >= 7 ? Span.now : place < member.daysOfWeek ? .sameDays : .rest
                xp.add(day.xp, place, span)
                milliseconds.add(Double(day.practiceMilliseconds), place, span)
                words.add(day.learnedWords, place, span)
                guard day.isPractised else { continue }
                learners.days[place] += 1
                if span == .now { isActive.now = true }
                if span == .sameDays { isActive.before = true }
            }
            if isActive.now { learners.now += 1 }
            if isActive.before { learners.before += 1 }
        }
        (self.xp, minutes) = (xp.number(1), milliseconds.number(60_000))
    }

    fileprivate enum Span {
        case now, sameDays, rest
    }

    /// Sums of fractions, which are rounded at the end.
    private struct Sums {
        var (now, before) = (0.0, 0.0)
        var days = [Double](repeating: 0, count: 14)

        mutating func add(_ value: Double, _ place: Int, _ span: Span) {
            days[place] += value
            if span == .now { now += value }
            if span == .sameDays { before += value }
        }

        func number(_ unit: Double) -> Number {
            func whole(_ value: Double) -> Int { Int(exactly: (value / unit).rounded()) ?? 0 }
            return Number(now: whole(now), before: whole(before), days: days.map(whole))
        }
    }
}

extension ClassWeek.Number {
    fileprivate mutating func add(_ value: Int, _ place: Int, _ span: ClassWeek.Span) {
        days[place] += value
        if span == .now { now += value }
        if span == .sameDays { before += value }
    }
}

extension DayTotals {
    var isPractised: Bool { exercises > 0 || practiceMilliseconds > 0 || xp > 0 }
}
