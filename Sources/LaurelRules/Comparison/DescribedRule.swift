// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A rule as a list of its keys and their values.
struct DescribedRule {
    let part: RulesComparison.Change.Part
    /// The id; nil for sections that have no id.
    let id: String?
    let facets: [RuleFacet]
    /// A summary of the rule, for a sentence about a new rule; nil if none is needed.
    let summary: String?

    private init(_ part: RulesComparison.Change.Part, id: String? = nil, summary: String? = nil, _ facets: [RuleFacet])
    {
        self.part = part
        self.id = id
        self.facets = facets
        self.summary = summary
    }
}

extension RuleSet {
    /// All rules, described in the order of the file's sections. The fold's results depend only on facets with the
    /// reach `numbers`.
    var described: [DescribedRule] { described(with: tests) }

    private func described(with tests: [RuleTest]) -> [DescribedRule] {
        var rules: [DescribedRule] = [.name(self), .calendar(calendar)]
        rules += declaredTypes.sorted { $0.key < $1.key }.map { type, fields in
            DescribedRule.eventType(type, fields, type == AdministeredEvents.profileType ? administered : [])
        }
        if !administered.isEmpty, declaredTypes[AdministeredEvents.profileType] == nil {
            rules.append(.eventType(AdministeredEvents.profileType, [:], administered))
        }
        rules += experiments.map(DescribedRule.experiment)
        rules += seasons.map(DescribedRule.season)
        rules += metrics.map(DescribedRule.metric)
        if let streak { rules.append(.streak(streak)) }
        rules += xpRules.map { .xp($0, id: comparedID(of: $0)) }
        rules += currencies.map(DescribedRule.currency)
        rules += items.map { .item($0, among: currencies) }
        rules += [.levels(levels), .mastery(mastery)]
        if let cefr { rules.append(.cefr(cefr)) }
        rules += achievements.map { .achievement($0, among: self) }
        rules += goals.map { .goal($0, of: self) }
        rules += plausible.sorted { $0.type < $1.type }.map(DescribedRule.limit)
        rules += groups.map(DescribedRule.group) + leagues.map(DescribedRule.league)
        return rules + [.tests(tests)]
    }
}

extension DescribedRule {
    fileprivate static func name(_ rules: RuleSet) -> DescribedRule {
        DescribedRule(.rules, [.text("name", rules.name, reach: .nothing)])
    }

    fileprivate static func calendar(_ calendar: RulesCalendar) -> DescribedRule {
        let minutes = calendar.dayStartsAtMinutes
        let clock = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
        return DescribedRule(
            .calendar,
            [
                .words("default_timezone", [calendar.defaultTimezone]), .words("day_starts_at", [clock]),
                .words("week_starts_on", [Weekday.names[calendar.weekStartsOn - 1]]),
            ]
        )
    }

    fileprivate static func eventType(
        _ name: String,
        _ fields: [String: FieldType],
        _ administered: [String]
    ) -> DescribedRule {
        let fields = fields.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let limits = administered.isEmpty ? [] : [RuleFacet.words("administered", administered)]
        return DescribedRule(.eventType, id: name, [.words("fields", fields)] + limits)
    }

    fileprivate static func experiment(_ experiment: Experiment) -> DescribedRule {
        let variants = experiment.variants.map { "\($0.name) \($0.weight.brief)" }
        return DescribedRule(
            .experiment,
            id: experiment.name,
            summary: variants.joined(separator: ", "),
            [.words("variants", variants), .text("seed", experiment.seed)] + period(experiment.period)
        )
    }

    fileprivate static func limit(_ limit: PlausibleLimit) -> DescribedRule {
        DescribedRule(
            .plausible,
            id: limit.type,
            summary: "at most \(limit.atMost) per \(limit.span.rawValue)",
            [.number("at_most", Double(limit.atMost)), .words("per", [limit.span.rawValue])]
        )
    }

    fileprivate static func season(_ season: Season) -> DescribedRule {
        let period = Period(from: season.days.lowerBound, through: season.days.upperBound)
        return DescribedRule(
            .season,
            id: season.name,
            summary: "\(season.days.lowerBound) to \(season.days.upperBound)",
            self.period(period)
        )
    }

    fileprivate static func metric(_ metric: Metric) -> DescribedRule {
        let name = metric.aggregate.name
        let facets: [RuleFacet] = [
            .words("aggregate", [name]), .words("on", metric.types.written),
            .expression(metric.aggregate.operand?.key ?? name, metric.expression), .expression("where", metric.filter),
            .expression("by", metric.key),
        ]
        let types = metric.types.written.joined(separator: ", ")
        let what = metric.expression.map { " of `\($0.source)`" } ?? ""
        return DescribedRule(
            .metric,
            id: metric.name,
            summary: "\(name)\(what) on \(types)",
            facets
        )
    }

    fileprivate static func streak(_ streak: StreakRule) -> DescribedRule {
        let restDays = (1...7).filter(streak.isRestDay).map { Weekday.names[$0 - 1] }
        // Facets that are rarely set are left out, so that rules without them keep the same folded content.
        let start: [RuleFacet] = streak.freezesAtStart > 0 ? [.number("start", Double(streak.freezesAtStart))] : []
        let every: [RuleFacet] = streak.isWeekly ? [.words("every", ["week"])] : []
        return DescribedRule(
            .streak,
            summary: "`\(streak.when.source)`",
            [
                .expression("when", streak.when), .number("earn_every", streak.earnEvery.map(Double.init)),
                .number("hold", Double(streak.hold)), .words("rest_days", restDays),
            ] + start + every
        )
    }

    fileprivate static func xp(_ rule: XPRule, id: String) -> DescribedRule {
        DescribedRule(
            rule.currency == nil ? .xp : .award,
            id: id,
            summary: "`\(rule.award.source)` on \(rule.types.written.joined(separator: ", "))",
            (rule.currency == nil ? [.words("bucket", [rule.bucket])] : []) + [
                .words("on", rule.types.written), .expression("when", rule.when),
                .expression("award", rule.award), .number("daily_cap", rule.dailyCap),
            ] + period(rule.period)
        )
    }

    fileprivate static func currency(_ currency: CurrencyRule) -> DescribedRule {
        let refill = currency.refill
        return DescribedRule(
            .currency,
            id: currency.name,
            [
                .number("start", currency.start), .number("hold", currency.hold),
                .words("every", refill.map { ["\($0.every / 1000)s"] } ?? []), .number("by", refill?.amount),
            ]
        )
    }

    fileprivate static func item(_ item: ItemRule, among currencies: [CurrencyRule]) -> DescribedRule {
        DescribedRule(
            .item,
            id: item.name,
            [.words("price", amounts(item.price, currencies))] + gift(item.gift, currencies)
                + [.number("limit", item.limit.map(Double.init))]
        )
    }

    fileprivate static func goal(_ goal: GoalRule, of rules: RuleSet) -> DescribedRule {
        let pool = goal.pool.map { rules.pools[$0] }
        return DescribedRule(
            .goal,
            id: goal.id,
            summary: "`\(goal.value.source)` at least `\(goal.target.source)` every \(goal.every.name)",
            [
                .text("name", goal.names?.text, reach: .nothing), .words("every", [goal.every.name]),
                .expression("value", goal.value), .expression("target", goal.target), .expression("when", goal.when),
                .number("xp", goal.xp),
                .words("pool", pool.map { [$0.name] } ?? []), .number("draw", pool.map { Double($0.draw) }),
            ] + gift(goal.gift, rules.currencies) + period(goal.period)
        )
    }

    fileprivate static func group(_ group: GroupRule) -> DescribedRule {
        let goals = group.goals.map { goal in
            let window = goal.isWeekly ? "week" : "day"
            return "\(goal.id): \(goal.target.brief) \(goal.sum.rawValue) every \(window)"
        }
        return DescribedRule(
            .group,
            id: group.kind,
            [
                .words("streak", group.need.map { ["need \($0.text)"] } ?? [], reach: .groups),
                .words("goals", goals, reach: .groups),
            ]
        )
    }

    fileprivate static func league(_ league: LeagueRule) -> DescribedRule {
        DescribedRule(
            .league,
            id: league.name,
            summary: league.tiers.joined(separator: ", "),
            [
                .words("tiers", league.tiers), .number("size", Double(league.size), reach: .leagues),
                .number("promote", Double(league.promote), reach: .leagues),
                .number("demote", Double(league.demote), reach: .leagues),
                .words("settle_after", ["\(league.settleAfter / 1000)s"], reach: .leagues),
                .words("late", [league.late], reach: .leagues),
            ]
        )
    }

    /// The facets of `gives`. The list is empty if the rule gives nothing, so that such a rule keeps the same folded
    /// content.
    private static func gift(_ gift: Gift, _ currencies: [CurrencyRule]) -> [RuleFacet] {
        guard !gift.isEmpty else { return [] }
        let freezes = gift.freezes.isZero ? [] : ["freezes \(gift.freezes.phrase)"]
        return [.words("gives", amounts(gift.currencies, currencies) + freezes)]
    }

    private static func amounts(_ parts: [Gift.Part], _ currencies: [CurrencyRule]) -> [String] {
        parts.map { "\(currencies[$0.currency].name) \($0.amount.phrase)" }
    }

    private static func period(_ period: Period) -> [RuleFacet] {
        [.date("from", period.from), .date("through", period.through)]
    }

    fileprivate static func levels(_ levels: LevelCurve) -> DescribedRule {
        let table: RuleFacet = levels.formula == nil ? .numbers("table", levels.starts) : .words("table", [])
        return DescribedRule(.levels, [.expression("xp_for", levels.formula), table])
    }

    fileprivate static func mastery(_ mastery: MasteryRule) -> DescribedRule {
        var facets: [RuleFacet] = [.number("learned_at", Double(mastery.learnedAt))]
        switch mastery.scheduler {
        case .sm2: facets.append(.words("scheduler", ["sm2"]))
        case .fsrs(let weights, let retention):
            facets += [
                .words("scheduler", ["fsrs"]), .number("desired_retention", retention),
                .numbers("parameters", weights), .numbers("mastery_days", mastery.masteryDays),
                .words("days", mastery.countsCalendarDays ? ["calendar"] : []),
            ]
        }
        return DescribedRule(.mastery, facets)
    }

    fileprivate static func cefr(_ cefr: CEFRRule) -> DescribedRule {
        let bands = zip(CEFRRule.levels, cefr.bands).map { RuleFacet.number($0, $1) }
        return DescribedRule(.cefr, summary: "`\(cefr.score.source)`", [.expression("score", cefr.score)] + bands)
    }

    fileprivate static func achievement(_ rule: AchievementRule, among rules: RuleSet) -> DescribedRule {
        let tiers = rule.thresholds.map(\.brief).joined(separator: ", ")
        return DescribedRule(
            .achievement,
            id: rule.id,
            summary: "`\(rule.value.source)` at least \(tiers)",
            [
                .text("name", rule.name, reach: .nothing), .text("description", rule.description, reach: .nothing),
                .text("category", rule.category, reach: .nothing), .flag("hidden", rule.isHidden, reach: .listing),
                .expression("value", rule.value), .numbers(RuleSet.thresholdKey, rule.thresholds),
                .expression("when", rule.when), .words("requires", rule.requires.map { rules.achievements[$0].id }),
                .words("scope", [rule.isPerLanguage ? "language" : "overall"]), .numbers("xp", rule.xp.amounts),
            ] + period(rule.period) + gift(rule.gift, rules.currencies)
        )
    }

    fileprivate static func tests(_ tests: [RuleTest]) -> DescribedRule {
        let content = tests.flatMap { test -> [String] in
            let expected = test.expectations.map { "\($0.path)=\($0.value)" }
            return [test.name, test.at ?? "-", test.language ?? "-", test.learner] + test.events.map(\.description)
                + expected
        }
        return DescribedRule(
            .tests,
            [.document("tests", content.map(\.lengthPrefixed).joined(), reach: .nothing)]
        )
    }
}

extension RuleSet {
    static let thresholdKey = "at_least"

    /// The id of an XP rule or award in comparisons. Awards of different currencies may have equal ids.
    func comparedID(of rule: XPRule) -> String {
        rule.currency.map { "\(currencies[$0].name).\(rule.id)" } ?? rule.id
    }

    /// The content of the rules that learners' states depend on. Tests and `hidden` are not included. Two rule sets
    /// with equal folded content give every learner the same state, byte for byte.
    package var foldedContent: [UInt8] { foldedContent(withoutThresholdsOf: []) }

    func foldedContent(withoutThresholdsOf achievements: Set<String>) -> [UInt8] {
        var text = ""
        // Tests and groups affect no learner's number, so they are left out.
        for rule in described(with: []) where rule.part != .group {
            text += "\(rule.part.rawValue) \((rule.id ?? "").lengthPrefixed)"
            for facet in rule.facets where facet.reach == .numbers {
                if facet.key == RuleSet.thresholdKey, let id = rule.id, achievements.contains(id) { continue }
                text += " \(facet.key)=\(facet.meaning.lengthPrefixed)"
            }
            text += "\n"
        }
        return Array(text.utf8)
    }
}
