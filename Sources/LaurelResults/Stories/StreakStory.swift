// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// A streak in words: the answer, then each day. For a weekly streak, each day stands for the week that it begins.
package struct StreakStory {
    let explanation: StreakExplanation

    package init(_ explanation: StreakExplanation) { self.explanation = explanation }

    package static let nothing: Story = "no streak data around that date"

    package var facts: [StoryFact] {
        var facts = [StoryFact("Counts", terms), StoryFact("Streak", standing)]
        if let day = explanation.lastBreak {
            facts.append(StoryFact("Last break", "\(.day(day.day)): \(reason(day))"))
        }
        return facts
    }

    private var terms: Story {
        let when = Story.Span.code(explanation.when)
        var parts: [Story] = [
            isWeekly ? "weeks with an event for which \(when)" : "days with an event for which \(when)"
        ]
        guard let terms = explanation.terms else { return parts[0] }
        if let every = terms.freezeEvery {
            parts.append(
                "a freeze for every \(length(every)), at most \(Story.number(terms.mostFreezes)) held"
            )
        }
        let rest = Story.joined(terms.restDays.map { "\(.weekday($0))" }, by: ", ")
        if !rest.isEmpty { parts.append("rest on \(rest)") }
        return .joined(parts, by: "; ")
    }

    private var standing: Story {
        let streak = Story.Span.toned(.strong, length(explanation.currentStreak))
        let (longest, freezes) = (Story.number(explanation.longestStreak), explanation.streakFreezes)
        return "\(streak) on \(.day(explanation.day)), the longest \(longest), \(freezes, "freeze") held"
    }

    package func table(_ days: [StreakExplanation.Day]) -> StoryTable {
        StoryTable(
            columns: [
                .init("day"), .init("status"), .init("streak", .number), .init("longest", .number, isSpare: true),
                .init("freezes", .number, isSpare: true), .init("why", .prose),
            ],
            rows: days.map { day in
                let numbers = [day.currentStreak, day.longestStreak, day.streakFreezes].map { Story.number($0) }
                return ["\(.day(day.day))", day.outcome.status] + numbers + [reason(day)]
            }
        )
    }

    /// The conditions and events behind a day's outcome.
    package func reason(_ day: StreakExplanation.Day) -> Story {
        var parts: [Story] = []
        switch day.outcome {
        case .active, .repaired:
            parts.append(activity(day))
            if day.earnsFreeze { parts.append("earns a freeze") }
        case .restDay: parts = ["nothing is lost"]
        case .frozen: parts = [cause(day.frozenBy)]
        case .freezeSpent: parts = ["a freeze that was held took it"] + inactivity(day)
        case .missed:
            let end: Story? = day.lost.map { "no freeze was held: a streak of \(Story.number($0)) ends" }
            parts = [end ?? "nothing to lose"] + inactivity(day)
        case .open: parts = [isOpen] + inactivity(day)
        }
        if day.voidEvents > 0 { parts.append("\(day.voidEvents, "void event")") }
        return .joined(parts, by: "; ")
    }

    private func cause(_ event: EventReference?) -> Story {
        event.map { "by \(.event($0)) of \(.date($0.day))" } ?? ""
    }

    private func activity(_ day: StreakExplanation.Day) -> Story {
        guard day.activeEvents > 0, let event = day.event else { return cause(day.repairedBy) }
        let zones = day.zones.joined(separator: ", ")
        let when: Story? = day.when.map { ": \(Story.condition($0))" }
        return "\(day.activeEvents, "event") (\(.data(zones))), the first \(.time(event)) \(.event(event))\(when)"
    }

    private func inactivity(_ day: StreakExplanation.Day) -> [Story] {
        guard day.events > 0 else { return ["no events"] }
        let last: Story? = day.when.map { ", the last with \(Story.condition($0))" }
        return ["\(day.events, "event")\(last)"]
    }
}

extension StreakExplanation.Outcome {
    fileprivate var status: Story {
        switch self {
        case .active: "\(.toned(.good, "active"))"
        case .repaired: "\(.toned(.good, "repaired"))"
        case .restDay: "rest day"
        case .frozen: "frozen"
        case .freezeSpent: "freeze spent"
        case .missed: "\(.toned(.bad, "missed"))"
        case .open: "open"
        }
    }
}
