// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelYAML

/// The values that a test may expect, by their paths in the JSON of progress: `totalXP`, `total.lines`,
/// `xpBreakdown.line`, `achievements.talker.tier`. Names used in rules are also allowed.
struct ExpectedFields {
    /// The error for a path without a value.
    struct Missing: Error {
        let message: String
        /// The corrected path as a whole; nil if there is no similar path.
        var suggestion: String?
    }

    private let fields: [String: JSONValue]
    private let names: [String]
    private let plan: VersionPlan
    private let isOverall: Bool

    /// Names used in rules, each with the name that the number has in progress.
    private static let namesInRules = [
        "xp": "totalXP", "level": "currentLevel", "streak.current": "currentStreak", "streak.longest": "longestStreak",
        "words.known": "totalWordsKnown", "words.learned": "totalWordsLearned", "words.mastered": "vocabulary.mastered",
    ]
    /// Suggestions for common names that are not fields.
    private static let meanings = [
        "streak": "currentStreak", "streak.freezes": "streakFreezes", "words": "totalWordsLearned",
    ]

    init(progress: LearnerProgress, plan: VersionPlan) {
        let json = progress.json
        if case .object(let fields)? = JSONValue(validated: json),
            case .object(let members)? = JSONTree(validated: json)
        {
            (self.fields, names) = (fields, members.map { String(decoding: $0.key, as: UTF8.self) })
        } else {
            (fields, names) = ([:], [])
        }
        isOverall = progress.language == nil
        self.plan = plan
    }

    func value(at path: String) throws(Missing) -> JSONValue {
        if path.hasPrefix("balance.") { return try field(at: "balances" + path.dropFirst("balance".count)) }
        return try field(at: Self.namesInRules[path] ?? path)
    }

    private func field(at path: String) throws(Missing) -> JSONValue {
        let parts = path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let first = parts[0] == "total" ? "metrics" : parts[0]
        guard let field = fields[first] else {
            if let meant = Self.meanings[path] ?? Self.meanings[first] {
                let message = "`\(path)` is no field of the progress" + didYouMean(code: meant)
                throw Missing(message: message, suggestion: meant)
            }
            let isWindow = ["session", "day", "week"].contains(first)
            let reason = isWindow ? ": a test sees the totals of metrics, as `total.\(parts.last ?? "")`" : nil
            throw missing("`\(first)` is no field of the progress", parts[0], names + ["total"], parts, reason)
        }
        guard parts.count > 1 else {
            switch field {
            case .object, .array: throw Missing(message: "`\(path)` has several values: name one of them")
            default: return field
            }
        }
        switch first {
        case "metrics": return try member(parts, of: field, "metric", plan.rules.metrics.map(\.name))
        case "xpBreakdown": return try bucket(parts, of: field)
        case "achievements": return try achievement(path)
        case "goals": return try goal(path)
        case "balances": return try member(parts, of: field, "currency", plan.rules.currencies.map(\.name))
        case "items": return try member(parts, of: field, "item", plan.rules.items.map(\.name))
        case "nextRefillAt":
            let currencies = plan.rules.currencies.map(\.name)
            return try member(parts, of: field, "currency", currencies, absent: currencies.contains(parts[1]))
        case "day", "week", "season":
            return try member(parts, of: field, "metric", ["xp"] + plan.rules.metrics.map(\.name))
        case "experiments":
            let known = plan.rules.experiments.map(\.name)
            if known.contains(parts[1]), case .object(let members) = field { return members[parts[1]] ?? .null }
            return try member(parts, of: field, "experiment", known)
        case "vocabulary": return try member(parts, of: field, "bucket", ["new", "learning", "reviewing", "mastered"])
        default: throw Missing(message: "`\(first)` is one value: nothing can stand after it")
        }
    }

    /// The value of a bucket; 0 if the bucket has no XP so far.
    private func bucket(_ parts: [String], of field: JSONValue) throws(Missing) -> JSONValue {
        guard plan.buckets.contains(parts[1]) else {
            throw missing("no rule books XP under `\(parts[1])`", parts[1], plan.buckets, parts)
        }
        guard case .object(let members) = field else { return .integer(0) }
        return members[parts[1]] ?? .integer(0)
    }

    private func member(
        _ parts: [String],
        of field: JSONValue,
        _ kind: String,
        _ known: [String],
        absent mayBeAbsent: Bool = false
    ) throws(Missing) -> JSONValue {
        if case .object(let members) = field, let value = members[parts[1]] { return value }
        if mayBeAbsent { return .null }
        throw missing("there is no \(kind) `\(parts[1])`", parts[1], known, parts)
    }

    /// The value of an achievement's property. An id may contain dots, so the property follows the last dot.
    private func achievement(_ path: String) throws(Missing) -> JSONValue {
        let rest = path.dropFirst("achievements.".count)
        let dot = rest.lastIndex(of: ".") ?? rest.endIndex
        let id = String(rest[..<dot])
        guard let rule = plan.rules.achievements.first(where: { $0.id == id }) else {
            let known = plan.rules.achievements.map(\.id)
            throw missing("there is no achievement `\(id)`", id, known, ["achievements", id])
        }
        guard rule.isPerLanguage != isOverall else {
            let advice = isOverall ? "give the test a `language`" : "take `language` out of the test"
            throw Missing(message: "`\(id)` is unlocked \(isOverall ? "per language" : "overall"): \(advice)")
        }
        var members = Self.locked(rule)
        if case .array(let listed)? = fields["achievements"] {
            for case .object(let achievement) in listed where achievement["id"] == .string(id) { members = achievement }
        }
        let property = String(rest[dot...].dropFirst())
        if let value = members[property] { return value }
        let known = ["tier", "tiers", "unlockedAt", "progress"]
        guard !property.isEmpty else {
            throw Missing(message: "an achievement has \(known.joined(separator: ", ")): say which is expected")
        }
        throw missing("an achievement has no `\(property)`", property, known, ["achievements", id, property])
    }

    /// The value of a goal's property. `goals.ID` alone is the number of completions, as in rules.
    private func goal(_ path: String) throws(Missing) -> JSONValue {
        let parts = path.dropFirst("goals.".count).split(separator: ".", maxSplits: 1).map(String.init)
        let (id, property) = (parts.first ?? "", parts.count > 1 ? parts[1] : "times")
        let known = plan.rules.goals.map(\.id)
        guard known.contains(id) else { throw missing("there is no goal `\(id)`", id, known, ["goals", id]) }
        guard case .array(let listed)? = fields["goals"] else { return .null }
        for case .object(let goal) in listed where goal["id"] == .string(id) {
            if let value = goal[property] { return value }
            let properties = ["name", "every", "value", "target", "progress", "completedAt", "times"]
            throw missing("a goal has no `\(property)`", property, properties, ["goals", id, property])
        }
        throw Missing(message: "the goal `\(id)` is not listed on that day")
    }

    /// The fields of a locked achievement. They are needed because hidden achievements are not listed until unlocked.
    private static func locked(_ rule: AchievementRule) -> [String: JSONValue] {
        ["id": .string(rule.id), "tier": 0, "tiers": .integer(Int64(rule.thresholds.count)), "unlockedAt": nil]
    }

    private func missing(
        _ problem: String,
        _ name: String,
        _ known: [String],
        _ parts: [String],
        _ reason: String? = nil
    ) -> Missing {
        if let reason { return Missing(message: problem + reason) }
        guard let nearest = nearestName(to: name, among: known) else {
            return Missing(
                message: known.isEmpty ? problem : "\(problem); it is one of \(known.joined(separator: ", "))"
            )
        }
        let suggestion = parts.map { $0 == name ? nearest : $0 }.joined(separator: ".")
        return Missing(message: problem + didYouMean(code: nearest), suggestion: suggestion)
    }
}
