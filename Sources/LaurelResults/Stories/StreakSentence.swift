// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// The sentences of a streak.
extension StreakStory {
    var unit: String { explanation.terms?.isWeekly == true ? "week" : "day" }

    package var title: String { unit == "week" ? "Week by week" : "Day by day" }

    /// The sentence that says how long the streak is, and why.
    package var answer: Story {
        guard explanation.currentStreak > 0 else { return noStreak }
        let length = Story.count(explanation.currentStreak, unit)
        guard let run, let first = run.first else {
            return "A streak of \(length), up to \(date(explanation.day))."
        }
        let since: Story = "A streak of \(length): practised every \(.text(unit)) since \(date(first))"
        return .joined([since] + exceptions(run), by: "; ") + "."
    }

    private var noStreak: Story {
        guard let end = explanation.lastBreak, let lost = end.lost else {
            return "No streak: no \(.text(unit)) with practice counts yet."
        }
        return "No streak: the last one, of \(Story.count(lost, unit)), ended with \(date(end)), which was missed."
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
            case .repaired: days.count == 1 ? "\(date(days[0])) was repaired" : "\(count(days)) were repaired"
            case .restDay: Story.count(days.count, "rest day") + " did not count"
            case .frozen: days.count == 1 ? "\(date(days[0])) was frozen" : "\(count(days)) were frozen"
            case .freezeSpent:
                days.count == 1 ? "one freeze saved \(date(days[0]))" : "freezes saved \(count(days))"
            case .missed: nil
            case .open: "this \(.text(unit)) is still open"
            }
        }
    }

    private func count(_ days: [StreakExplanation.Day]) -> Story { .count(days.count, unit) }

    // MARK: Days

    /// A day's effect on the streak, in a sentence.
    package func sentence(_ day: StreakExplanation.Day) -> Story {
        let streak = Story.count(day.currentStreak, unit)
        return switch day.outcome {
        case .active where day.earnsFreeze: "practised: the streak grew to \(streak), and a freeze was earned"
        case .active: "practised: the streak grew to \(streak)"
        case .repaired: "repaired: the streak grew to \(streak)"
        case .restDay: "a rest day: the streak stayed at \(streak)"
        case .frozen: "frozen: the streak stayed at \(streak)"
        case .freezeSpent: "missed: a freeze saved the streak of \(streak)"
        case .missed:
            day.lost.map { "missed: the streak of \(Story.count($0, unit)) ended" } ?? "missed: there was no streak"
        case .open: "no practice yet: the \(.text(unit)) is not over"
        }
    }

    /// A day; for a weekly streak, the week that begins on it.
    package func date(_ day: StreakExplanation.Day) -> Story { date(day.day) }

    private func date(_ day: LocalDay) -> Story {
        unit == "week" ? "the week of \(.day(day))" : "\(.day(day))"
    }
}

extension StreakExplanation.Outcome {
    fileprivate var extendsStreak: Bool { self == .active || self == .repaired }
}
