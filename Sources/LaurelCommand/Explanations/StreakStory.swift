import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules

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
            .text("day"), .text("what"), .number("streak"), .number("longest"), .number("freezes"), .prose("why"),
        ])
        for day in explanation.days {
            let numbers = [day.value.current, day.value.longest, day.value.freezes].map { Numbers.grouped($0) }
            table.add([ExplanationText.day(day.day), day.name] + numbers + [reason(day)])
        }
        try table.write(to: output, style: style)
    }

    private var terms: String {
        let rule = explanation.rule
        var parts = ["days with an event for which \(Visible.text(rule.when.source))"]
        if let every = rule.earnEvery {
            parts.append("a freeze for every \(Numbers.count(every, "day")), at most \(rule.hold) held")
        }
        let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        let rest = names.enumerated().filter { rule.isRestDay($0.offset + 1) }.map(\.element)
        if !rest.isEmpty { parts.append("rest on \(rest.joined(separator: ", "))") }
        return parts.joined(separator: "; ")
    }

    private var standing: String {
        let (value, day) = (explanation.value, ExplanationText.day(explanation.reference))
        let streak = style.paint(Numbers.count(value.current, "day"), .bold)
        return "\(streak) on \(day), the longest \(Numbers.grouped(value.longest)), "
            + "\(Numbers.count(value.freezes, "freeze")) held"
    }

    private func reason(_ day: StreakDay) -> String {
        let story = day.story
        var parts: [String] = []
        switch day.outcome {
        case .active(let earnsFreeze):
            parts.append(activity(story))
            if earnsFreeze { parts.append("earns a freeze") }
        case .restDay: parts = ["nothing is lost"]
        case .frozen:
            parts.append(story.frozenBy.map { "by \(ExplanationText.name($0)) of \($0.day)" } ?? "")
        case .freezeSpent: parts = ["a freeze that was held took it"] + inactivity(story)
        case .missed(let lost):
            parts = [lost > 0 ? "no freeze was held: a streak of \(Numbers.grouped(lost)) ends" : "nothing to lose"]
            parts += inactivity(story)
        case .open: parts = ["the day is not over"] + inactivity(story)
        }
        if story.voidEvents > 0 { parts.append(Numbers.count(story.voidEvents, "void event")) }
        return parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private func activity(_ story: StreakDayStory) -> String {
        guard story.activeEvents > 0, let event = story.event else {
            return story.repairedBy.map { "by \(ExplanationText.name($0)) of \($0.day)" } ?? ""
        }
        let zones = Visible.text(story.zones.joined(separator: ", "))
        let when = story.when.map { ": \(ExplanationText.condition($0))" } ?? ""
        let first = "\(ExplanationText.time(event)) \(ExplanationText.name(event))\(when)"
        return "\(Numbers.count(story.activeEvents, "event")) (\(zones)), the first \(first)"
    }

    private func inactivity(_ story: StreakDayStory) -> [String] {
        guard story.events > 0 else { return ["no events"] }
        let last = story.when.map { ", the last with \(ExplanationText.condition($0))" } ?? ""
        return ["\(Numbers.count(story.events, "event"))\(last)"]
    }
}

extension StreakDay {
    /// What the day was, in a word or two.
    fileprivate var name: String {
        switch outcome {
        case .active: story.activeEvents == 0 && story.repairedBy != nil ? "repaired" : "active"
        case .restDay: "rest day"
        case .frozen: "frozen"
        case .freezeSpent: "freeze spent"
        case .missed: "missed"
        case .open: "open"
        }
    }

    /// The name in JSON.
    fileprivate var code: String {
        switch outcome {
        case .restDay: "restDay"
        case .freezeSpent: "freezeSpent"
        default: name
        }
    }

    /// How long a streak the day ended.
    fileprivate var lost: Int? {
        if case .missed(let lost) = outcome, lost > 0 { lost } else { nil }
    }

    fileprivate var earnsFreeze: Bool {
        if case .active(let earnsFreeze) = outcome { earnsFreeze } else { false }
    }
}

// MARK: JSON

extension JSONText {
    mutating func members(of explanation: StreakExplanation) {
        member("when", explanation.rule.when.source)
        member("day", explanation.reference.description)
        member("currentStreak", explanation.value.current)
        member("longestStreak", explanation.value.longest)
        member("streakFreezes", explanation.value.freezes)
        if let day = explanation.lastBreak {
            object("lastBreak") { $0.members(of: day) }
        } else {
            member("lastBreak", String?.none)
        }
        list("days", explanation.days) { $0.members(of: $1) }
    }

    private mutating func members(of day: StreakDay) {
        member("day", day.day.description)
        member("outcome", day.code)
        member("currentStreak", day.value.current)
        member("longestStreak", day.value.longest)
        member("streakFreezes", day.value.freezes)
        member("lost", day.lost)
        member("earnsFreeze", day.earnsFreeze)
        member("events", day.story.events)
        member("activeEvents", day.story.activeEvents)
        member("voidEvents", day.story.voidEvents)
        strings("zones", day.story.zones)
        event("event", day.story.event)
        expression("when", day.story.when)
        event("repairedBy", day.story.repairedBy)
        event("frozenBy", day.story.frozenBy)
    }
}
