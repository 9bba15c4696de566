// SPDX-License-Identifier: Apache-2.0

extension RulesComparison {
    /// One difference between two rule sets.
    package struct Change: Sendable, Equatable {
        /// The part of the rules that differs, in the order of a rules file.
        package enum Part: String, Sendable, CaseIterable {
            case rules, calendar, eventType, experiment, season, metric, streak, xp, currency, award, item, goal, group
            case league
            case levels, mastery, cefr, achievement, plausible, tests
        }

        package enum Kind: String, Sendable, CaseIterable {
            case added, removed
            case raised, lowered
            /// The part was changed in another way than the other cases describe.
            case changed
            /// The part is written differently, but has the same meaning.
            case reworded
            /// The part contains the same rules in another order.
            case moved
        }

        package let part: Part
        /// The id of the metric, XP rule, achievement or event type; nil for other parts.
        package let id: String?
        /// The key in the file, if the change concerns one key; else nil.
        package let key: String?
        package let kind: Kind
        /// The old and the new value as written; nil if the key is not set.
        package let before: String?
        package let after: String?
        /// The reason why the change affects no learner's XP, level, streak, words, CEFR level or achievements; nil if
        /// the change may affect them.
        package internal(set) var noEffect: String?
    }
}

extension RulesComparison.Change: CustomStringConvertible {
    /// The change in one sentence, with the reason if it has no effect. The sentence has no full stop.
    package var description: String { noEffect.map { "\(statement): no effect, \($0)" } ?? statement }

    /// The change in words, without its effect.
    package var statement: String {
        if part == .levels, kind != .reworded, let key, key.hasPrefix("level ") { return curve(key) }
        return switch (kind, key) {
        case (.added, nil): after.map { "\(place) is new: \($0)" } ?? "\(place) is new"
        case (.removed, nil): "\(place) is gone"
        case (.moved, _): "\(place) in another order"
        case (.reworded, let key): "\(place): \(code(key)) is written differently and means the same"
        case (.raised, let key): "\(place): \(code(key)) raised from \(before ?? "") to \(after ?? "")"
        case (.lowered, let key): "\(place): \(code(key)) lowered from \(before ?? "") to \(after ?? "")"
        case (_, let key): difference(key)
        }
    }

    private func difference(_ key: String?) -> String {
        switch (before, after) {
        case (nil, nil): part == .tests ? "the tests differ" : "\(place): \(code(key)) differs"
        case (nil, let after?): "\(place): \(code(key)) is now set, \(after)"
        case (let before?, nil): "\(place): \(code(key)) is no longer set, was \(before)"
        case (let before?, let after?): "\(place): \(code(key)) was \(before), is \(after)"
        }
    }

    private func curve(_ level: String) -> String {
        switch (before, after) {
        case (let before?, let after?): "\(level) starts at \(after) XP instead of \(before)"
        case (let before?, nil): "\(level), from \(before) XP, and those after it are gone"
        case (nil, let after): "\(level) is new, from \(after ?? "") XP"
        }
    }

    private func code(_ key: String?) -> String { "`\(key ?? "")`" }

    private var place: String {
        let name = id.map { " `\($0)`" } ?? "s"
        return switch part {
        case .rules: "the rules"
        case .calendar: "calendar"
        case .eventType: "event type\(name)"
        case .experiment: "experiment\(name)"
        case .season: "season\(name)"
        case .metric: "metric\(name)"
        case .streak: "streak"
        case .xp: "XP rule\(name)"
        case .currency: "currency\(name)"
        case .award: "award\(name)"
        case .item: "item\(name)"
        case .goal: "goal\(name)"
        case .group: "kind of groups\(name)"
        case .league: "league\(name)"
        case .levels: "levels"
        case .mastery: "mastery"
        case .cefr: "CEFR estimate"
        case .achievement: "achievement\(name)"
        case .plausible: "limit\(id.map { " of `\($0)`" } ?? "s")"
        case .tests: "tests"
        }
    }
}
