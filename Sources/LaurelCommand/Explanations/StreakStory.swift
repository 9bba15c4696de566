// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A streak day by day, for people.
struct StreakStory {
    let explanation: StreakExplanation
    let style: Style

    func write(to output: OutputStream) throws(SystemError) {
        try output.writeLine(style.fact("Counts", terms))
        try output.writeLine(style.fact("Streak", standing))
        if let day = explanation.lastBreak {
            try output.writeLine(style.fact("Last break", "\(ExplanationText.day(day.day)): \(reason(day))"))
        }
        guard !explanation.days.isEmpty else { return }
        try output.writeLine()
        var table = Table([
            .text("day"), .text("what"), .number("streak"), .number("longest").spare, .number("freezes").spare,
            .prose("why"),
        ])
        for day in explanation.days {
            let numbers = [day.currentStreak, day.longestStreak, day.streakFreezes].map { Numbers.grouped($0) }
            table.add([ExplanationText.day(day.day), day.outcome.name] + numbers + [reason(day)])
        }
        try table.write(to: output, style: style)
    }

    private var terms: String {
        var parts = ["days with an event for which \(Visible.text(explanation.when))"]
        guard let terms = explanation.terms else { return parts[0] }
        if let every = terms.freezeEvery {
            parts.append("a freeze for every \(Numbers.count(every, "day")), at most \(terms.mostFreezes) held")
        }
        let rest = terms.restDayNames.joined(separator: ", ")
        if !rest.isEmpty { parts.append("rest on \(rest)") }
        return parts.joined(separator: "; ")
    }

    private var standing: String {
        let day = ExplanationText.day(explanation.day)
        let streak = style.paint(Numbers.count(explanation.currentStreak, "day"), .bold)
        return "\(streak) on \(day), the longest \(Numbers.grouped(explanation.longestStreak)), "
            + "\(Numbers.count(explanation.streakFreezes, "freeze")) held"
    }

    private func reason(_ day: StreakExplanation.Day) -> String {
        var parts: [String] = []
        switch day.outcome {
        case .active, .repaired:
            parts.append(activity(day))
            if day.earnsFreeze { parts.append("earns a freeze") }
        case .restDay: parts = ["nothing is lost"]
        case .frozen:
            parts.append(day.frozenBy.map { "by \(ExplanationText.name($0)) of \($0.day)" } ?? "")
        case .freezeSpent: parts = ["a freeze that was held took it"] + inactivity(day)
        case .missed:
            let end = day.lost.map { "no freeze was held: a streak of \(Numbers.grouped($0)) ends" }
            parts = [end ?? "nothing to lose"]
            parts += inactivity(day)
        case .open: parts = ["the day is not over"] + inactivity(day)
        }
        if day.voidEvents > 0 { parts.append(Numbers.count(day.voidEvents, "void event")) }
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private func activity(_ day: StreakExplanation.Day) -> String {
        guard day.activeEvents > 0, let event = day.event else {
            return day.repairedBy.map { "by \(ExplanationText.name($0)) of \($0.day)" } ?? ""
        }
        let zones = Visible.text(day.zones.joined(separator: ", "))
        let when = day.when.map { ": \(ExplanationText.condition($0))" } ?? ""
        let first = "\(ExplanationText.time(event)) \(ExplanationText.name(event))\(when)"
        return "\(Numbers.count(day.activeEvents, "event")) (\(zones)), the first \(first)"
    }

    private func inactivity(_ day: StreakExplanation.Day) -> [String] {
        guard day.events > 0 else { return ["no events"] }
        let last = day.when.map { ", the last with \(ExplanationText.condition($0))" } ?? ""
        return ["\(Numbers.count(day.events, "event"))\(last)"]
    }
}

extension StreakExplanation.Outcome {
    /// What the day was, in a word or two.
    fileprivate var name: String {
        switch self {
        case .restDay: "rest day"
        case .freezeSpent: "freeze spent"
        default: rawValue
        }
    }
}
