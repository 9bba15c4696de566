// SPDX-License-Identifier: Apache-2.0

extension RulesChange {
    /// The change in one sentence that can be translated. In English, the sentence is the ``statement``.
    var sentence: Story {
        if part == .levels, let level = key?.split(separator: " ").last.flatMap({ Int($0) }) {
            return sentence(level: level)
        }
        let (old, new) = (before.map(Story.value), after.map(Story.value))
        let name = Story.code(key ?? "")
        return switch (kind, key, old, new) {
        case (.added, nil, _, let new?): "\(place) is new: \(new)"
        case (.added, nil, _, nil): "\(place) is new"
        case (.removed, nil, _, _): "\(place) is gone"
        case (.moved, _, _, _):
            part == .achievement ? "achievements in another order" : "\(placeOfAll) in another order"
        case (.reworded, _, _, _): "\(place): \(name) is written differently and means the same"
        case (.raised, _, _, _): "\(place): \(name) raised from \(old) to \(new)"
        case (.lowered, _, _, _): "\(place): \(name) lowered from \(old) to \(new)"
        case (_, _, nil, nil): part == .tests ? "the tests differ" : "\(place): \(name) differs"
        case (_, _, nil, let new?): "\(place): \(name) is now set, \(new)"
        case (_, _, let old?, nil): "\(place): \(name) is no longer set, was \(old)"
        case (_, _, let old?, let new?): "\(place): \(name) was \(old), is \(new)"
        }
    }

    /// The reason why the change has no effect, as a sentence that can be translated. A reason with names stays English.
    var reason: Story? {
        noEffect.map { Self.reasons.contains($0) ? Story(stringLiteral: $0) : "\(Story.Span.data($0))" }
    }

    private static let reasons: Set<String> = [
        "it awards nothing", "its `daily_cap` is 0", "its `when` never holds",
        "no learner's own numbers depend on groups", "nothing is computed from it", "nothing reads the metric",
        "only the XP's name in the breakdown differs", "only what is listed differs",
        "out of reach: its `when` never holds", "out of reach: its value never reaches it",
        "the first 10,000 levels start where they did",
    ]

    private func sentence(level number: Int) -> Story {
        let level = Story.number(number)
        return switch (before.map(Story.value), after.map(Story.value)) {
        case (let old?, let new?): "level \(level) starts at \(new) XP instead of \(old)"
        case (let old?, nil): "level \(level), from \(old) XP, and those after it are gone"
        case (nil, let new): "level \(level) is new, from \(new) XP"
        }
    }

    /// The part of the rules that differs. Without an id, it is all parts of the kind.
    private var place: Story {
        guard let id else { return placeOfAll }
        let name = Story.code(id)
        return switch part {
        case .eventType: "event type \(name)"
        case .experiment: "experiment \(name)"
        case .season: "season \(name)"
        case .metric: "metric \(name)"
        case .xp: "XP rule \(name)"
        case .currency: "currency \(name)"
        case .award: "award \(name)"
        case .item: "item \(name)"
        case .goal: "goal \(name)"
        case .group: "kind of groups \(name)"
        case .league: "league \(name)"
        case .achievement: "achievement \(name)"
        case .plausible: "limit of \(name)"
        case .rules, .calendar, .streak, .levels, .mastery, .cefr, .tests: placeOfAll
        }
    }

    private var placeOfAll: Story {
        switch part {
        case .rules: "the rules"
        case .calendar: "calendar"
        case .eventType: "event types"
        case .experiment: "experiments"
        case .season: "seasons"
        case .metric: "metrics"
        case .streak: "streak"
        case .xp: "XP rules"
        case .currency: "currencies"
        case .award: "awards"
        case .item: "items"
        case .goal: "goals"
        case .group: "kinds of groups"
        case .league: "leagues"
        case .levels: "levels"
        case .mastery: "mastery"
        case .cefr: "CEFR estimate"
        case .achievement: "achievements"
        case .plausible: "limits"
        case .tests: "tests"
        }
    }
}

extension Story {
    /// A name as the rules spell it.
    fileprivate static func code(_ text: String) -> Story { "\(Span.code(text))" }

    /// A value of a change. A value that is one expression stands between backticks.
    fileprivate static func value(_ text: String) -> Story {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        let isExpression = parts.count == 3 && parts[0].isEmpty && parts[2].isEmpty
        return isExpression ? code(String(parts[1])) : "\(Span.data(text))"
    }
}
