// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

/// The list of all keys that a rules file may contain, by section. The loader, its suggestions and the test of
/// `Rules/schema.json` use this list.
enum RulesKeys: String, CaseIterable, SectionKeys {
    case rules, calendar, experiment, season, metric, streak, freezes, xp, currency, refill, award, item, goal, pool
    case group, groupStreak, groupGoal, league
    case levels, mastery, cefr, bands, achievement, limit, test, event

    var names: [String] {
        switch self {
        case .rules:
            [
                "version", "name", "calendar", "events", "administered", "experiments", "seasons", "metrics", "streak",
                "xp", "currencies", "items", "goals", "pools", "groups", "leagues", "levels", "mastery", "cefr",
                "achievements",
                "plausible", "tests",
            ]
        case .calendar: ["default_timezone", "day_starts_at", "week_starts_on"]
        case .experiment: ["variants", "from", "through", "seed"]
        case .season: ["name", "from", "through"]
        case .metric: Aggregate.all.map(\.name) + ["on", "while", "where", "by"]
        case .streak: ["when", "every", "freezes", "rest_days"]
        case .freezes: ["earn_every", "hold", "start"]
        case .xp: ["id", "bucket", "on", "when", "award", "daily_cap", "from", "through"]
        case .currency: ["start", "hold", "refill", "awards"]
        case .refill: ["every", "by"]
        case .award: RulesKeys.xp.names.filter { $0 != "bucket" }
        case .item: ["price", "gives", "limit"]
        case .goal: ["id", "name", "every", "pool", "value", "target", "when", "xp", "gives", "from", "through"]
        case .pool: ["draw"]
        case .group: ["streak", "goals"]
        case .groupStreak: ["need"]
        case .groupGoal: ["id", "every", "sum", "target"]
        case .league: ["tiers", "size", "promote", "demote", "settle_after", "late"]
        case .levels: ["xp_for", "table"]
        case .mastery: ["scheduler", "learned_at", "parameters", "desired_retention", "mastery_days", "days"]
        case .cefr: ["score", "bands"]
        case .bands: CEFRRule.levels
        case .achievement:
            [
                "id", "name", "description", "category", "value", "at_least", "when", "requires", "scope", "hidden",
                "xp", "gives", "from", "through",
            ]
        case .limit: ["at_most", "per"]
        case .test: ["name", "events", "expect", "at", "language", "variant"]
        case .event:
            [
                "id", "source", "specversion", "type", "subject", "time", "language", "session", "timezone", "data",
                "times", "every",
            ]
        }
    }

    /// The section's name in messages.
    var phrase: String {
        switch self {
        case .rules: "a rules file"
        case .calendar, .streak, .freezes, .refill, .levels, .mastery, .cefr, .bands: "`\(rawValue)`"
        case .experiment: "an experiment"
        case .season: "a season"
        case .metric: "a metric"
        case .xp: "an XP rule"
        case .currency: "a currency"
        case .award: "an award"
        case .item: "an item"
        case .goal: "a goal"
        case .pool: "a pool"
        case .group: "a kind of groups"
        case .groupStreak: "a group's streak"
        case .groupGoal: "a group's goal"
        case .league: "a league"
        case .achievement: "an achievement"
        case .limit: "a limit"
        case .test: "a test"
        case .event: "an event"
        }
    }
}
