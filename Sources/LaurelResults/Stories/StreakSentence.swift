// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// The sentences of a streak.
extension StreakStory {
    var isWeekly: Bool { explanation.terms?.isWeekly == true }

    package var title: String { isWeekly ? "Week by week" : "Day by day" }

    /// A number of days; for a weekly streak, of weeks.
    func length(_ count: Int) -> Story { isWeekly ? "\(count, "week")" : "\(count, "day")" }

    /// The sentence that says how long the streak is, and why.
    package var answer: Story {
        guard explanation.currentStreak > 0 else { return noStreak }
        let length = length(explanation.currentStreak)
        guard let run, let first = run.first else {
            return "A streak of \(length), up to \(date(explanation.day))."
        }
        let exceptions = exceptions(run).map { "; \($0)" as Story }.reduce("", +)
        return isWeekly
            ? "A streak of \(length): practised every week since \(date(first))\(exceptions)."
            : "A streak of \(length): practised every day since \(date(first))\(exceptions)."
    }

    private var noStreak: Story {
        guard let end = explanation.lastBreak, let lost = end.lost else {
            return isWeekly
                ? "No streak: no week with practice counts yet." : "No streak: no day with practice counts yet."
        }
        return "No streak: the last one, of \(length(lost)), ended with \(date(end)), which was missed."
    }

    /// The days of the current streak; nil if the listed days do not have all of them.
    private var run: ArraySlice<StreakExplanation.Day>? {
        guard explanation.days.last?.day == explanation.day,
            let first = explanation.days.lastIndex(where: { $0.currentStreak == 1 && $0.outcome.extendsStreak })
        else { return nil }
        return explanation.days[first...]
    }

    /// The parts about the days of a streak that had no practice.
    private func exceptions(_ run: ArraySlice<StreakExplanation.Day>) -> [Story] {
        Array(run).grouped(by: \.outcome).compactMap { outcome, days in
            switch outcome {
            case .active: nil
            case .repaired: days.count == 1 ? "\(date(days[0])) was repaired" : "\(length(days.count)) were repaired"
            case .restDay: "\(days.count, "rest day") did not count"
            case .frozen: days.count == 1 ? "\(date(days[0])) was frozen" : "\(length(days.count)) were frozen"
            case .freezeSpent:
                days.count == 1 ? "one freeze saved \(date(days[0]))" : "freezes saved \(length(days.count))"
            case .missed: nil
            case .open: isWeekly ? "this week is still open" : "this day is still open"
            }
        }
    }

    // MARK: Days

    /// A day's effect on the streak, in a sentence.
    package func sentence(_ day: StreakExplanation.Day) -> Story {
        let streak = length(day.currentStreak)
        return switch day.outcome {
        case .active where day.earnsFreeze: "practised: the streak grew to \(streak), and a freeze was earned"
        case .active: "practised: the streak grew to \(streak)"
        case .repaired: "repaired: the streak grew to \(streak)"
        case .restDay: "a rest day: the streak stayed at \(streak)"
        case .frozen: "frozen: the streak stayed at \(streak)"
        case .freezeSpent: "missed: a freeze saved the streak of \(streak)"
        case .missed:
            day.lost.map { "missed: the streak of \(length($0)) ended" } ?? "missed: there was no streak"
        case .open: "no practice yet: \(isOpen)"
        }
    }

    var isOpen: Story { isWeekly ? "the week is not over" : "the day is not over" }

    /// A day; for a weekly streak, the week that begins on it.
    package func date(_ day: StreakExplanation.Day) -> Story { date(day.day) }

    private func date(_ day: LocalDay) -> Story {
        isWeekly ? "the week of \(.day(day))" : "\(.day(day))"
    }
}

extension StreakExplanation.Outcome {
    fileprivate var extendsStreak: Bool { self == .active || self == .repaired }
}
