// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

/// The possible values of an expression. The flag is true if a problem in the expression was reported.
struct ExaminedExpression {
    var range: ValueRange
    var isReported: Bool
}

/// Warnings about valid rules that can never have an effect. A warning is given only if it is correct for all possible
/// events.
extension RulesLoader {
    mutating func warn(about parts: RuleSet) {
        var names = NameRanges(events: self.names.events)
        names.hasStreak = parts.streak != nil
        names.lastLevel = parts.levels.lastLevel
        names.texts[FrameLayout.TextName.seasonName.name] = parts.seasons.map(\.name)
        for league in parts.leagues { names.texts["league.\(league.name).tier"] = league.tiers }
        for experiment in parts.experiments {
            names.texts["experiment.\(experiment.name)"] = experiment.variants.map(\.name)
        }
        warnAboutMetrics(parts, &names)
        if let section = checked.streak { warnAboutStreak(section, parts, names) }
        warnAboutPrices(parts, awarded: warnAboutXPRules(parts, names))
        if let section = checked.cefr { warnAboutCEFR(section, parts, names) }
        warnAboutAchievements(parts, names)
        warnAboutGoals(parts, names)
        warnAboutEvents(parts)
        warnAboutExperiments(parts)
        warnAboutTests(parts)
    }

    private func range(of part: RulePart.Kind, _ parts: RuleSet) -> Range<Int> {
        parts.parts.first { $0.kind == part }?.range ?? 0..<0
    }

    /// Reports the problems of each expression in a section. Returns the possible values of each expression, by its
    /// key.
    mutating func examine(
        _ section: Int,
        _ names: NameRanges,
        isFirstAward: Bool = false
    ) -> [String: ExaminedExpression] {
        let isExamined = !checked.examined.insert(section).inserted
        var results: [String: ExaminedExpression] = [:]
        for expression in checked.all(in: section) {
            let warnings = ExpressionWarnings(expression.program.syntax, isAward: expression.key == "award") { name in
                names.range(of: name, in: expression.scope, isFirstAward: isFirstAward)
            }
            let position = ScalarPosition(expression.scalar, in: source.bytes)
            // A YAML alias has the same section as its anchor, whose problems were already reported.
            for finding in warnings.findings where !isExamined {
                report(position.source(of: finding.range), finding.message, suggestion: finding.suggestion, .warning)
            }
            results[expression.key] = ExaminedExpression(
                range: warnings.result,
                isReported: warnings.isFullyReported || isExamined
            )
        }
        return results
    }

    /// Warns about a condition that is never true or always true, unless a problem in the condition was already
    /// reported.
    mutating func warnAboutCondition(
        _ key: String,
        _ section: Int,
        _ results: [String: ExaminedExpression],
        allowsTrue: Bool = false
    ) {
        guard let examined = results[key], !examined.isReported,
            let scalar = checked.all(in: section).first(where: { $0.key == key })?.scalar
        else { return }
        if !examined.range.canBeTrue {
            report(scalar.range, "`\(key)` is never true: this rule has no effect", .warning)
        } else if examined.range.isAlwaysTrue, !allowsTrue {
            report(scalar.range, "`\(key)` is always true: without it the rule says the same", .warning)
        }
    }

    private mutating func warnAboutMetrics(_ parts: RuleSet, _ names: inout NameRanges) {
        for (section, metric) in zip(checked.metrics, parts.metrics) {
            let results = examine(section, names)
            for key in ["where", "while"] { warnAboutCondition(key, section, results) }
            // If a metric always stays 0, its own condition gets a warning. The rules that read the metric do not.
            names.metrics[metric.name] = metric.aggregate.range(results[metric.aggregate.name]?.range)
        }
        warnAboutEqualMetrics(parts)
    }

    private mutating func warnAboutEqualMetrics(_ parts: RuleSet) {
        var first: [[String]: String] = [:]
        for (index, metric) in parts.metrics.enumerated() {
            let expressions = [metric.expression, metric.filter, metric.key].map { $0?.source ?? "" }
            let definition = [metric.aggregate.name] + metric.types.written.sorted() + expressions
            if let other = first[definition] {
                let range = range(of: .metric(index), parts)
                report(range, "the metric `\(metric.name)` is the same as `\(other)`", .warning)
            } else {
                first[definition] = metric.name
            }
        }
    }

    private mutating func warnAboutStreak(_ section: Int, _ parts: RuleSet, _ names: NameRanges) {
        let results = examine(section, names)
        // A condition that is true for every event is a valid choice for `when`, so it gets no warning.
        warnAboutCondition("when", section, results, allowsTrue: true)
        if parts.streak?.restDays == 0b1111_1110 {
            report(range(of: .restDays, parts), "every day is a rest day: the streak never breaks", .warning)
        }
    }

    /// - Returns: the currencies for which at least one award may give an amount above 0.
    private mutating func warnAboutXPRules(_ parts: RuleSet, _ names: NameRanges) -> Set<Int> {
        var given: Set<Int> = []
        var awarded: Set<String> = []
        var hasEvery = false
        for (section, rule) in zip(checked.xpRules, parts.xpRules) {
            let isFirst = !hasEvery && rule.types.names.map(awarded.isDisjoint) ?? awarded.isEmpty
            let results = examine(section, names, isFirstAward: isFirst)
            if rule.currency == nil {
                if let types = rule.types.names { awarded.formUnion(types) } else { hasEvery = true }
            }
            warnAboutCondition("when", section, results)
            guard let award = results["award"] else { continue }
            if let currency = rule.currency, award.range.numbers?.high ?? 0 >= 1, rule.dailyCap != 0,
                results["when"]?.range.canBeTrue ?? true
            {
                given.insert(currency)
            }
            if !award.isReported { warnAboutAward(award.range, section, mayTake: rule.currency != nil) }
        }
        return given
    }

    /// - Parameter mayTake: true if a negative award has an effect, because it lowers a balance.
    private mutating func warnAboutAward(_ range: ValueRange, _ section: Int, mayTake: Bool) {
        guard let scalar = checked.all(in: section).first(where: { $0.key == "award" })?.scalar else { return }
        if let low = range.numbers?.low, low > 0x1p53 {
            report(scalar.range, "`award` is never less than \(low.brief), but no award is more than 2⁵³", .warning)
        }
        let high = range.numbers?.high
        if mayTake, let low = range.numbers?.low, low <= -1 { return }
        guard high ?? 0 < 1 else { return }
        let most = high.map { "never more than \($0.brief)" } ?? "always null"
        report(scalar.range, "`award` is \(most): rounded down, this rule awards nothing", .warning)
    }

    private mutating func warnAboutCEFR(_ section: Int, _ parts: RuleSet, _ names: NameRanges) {
        guard let cefr = parts.cefr, let score = examine(section, names)["score"], !score.isReported,
            let high = score.range.numbers?.high, let band = cefr.bands.firstIndex(where: { $0 > high }),
            let scalar = checked.all(in: section).first(where: { $0.key == "score" })?.scalar
        else { return }
        let start = "\(CEFRRule.levels[band]) starts at \(cefr.bands[band].brief)"
        report(scalar.range, "`score` is never more than \(high.brief), but \(start)", .warning)
    }
}

// MARK: - Achievements

extension RulesLoader {
    private mutating func warnAboutAchievements(_ parts: RuleSet, _ names: NameRanges) {
        var isReachable = Array(repeating: true, count: parts.achievements.count)
        for index in parts.achievements.indices {
            let section = checked.achievements[index]
            let results = examine(section, names)
            warnAboutCondition("when", section, results)
            if let when = results["when"], !when.range.canBeTrue { isReachable[index] = false }
            if let value = results["value"], !canReachAll(index, value, parts) { isReachable[index] = false }
        }
        warnAboutRequirements(parts, isReachable)
    }

    /// True if all thresholds of an achievement can be reached. Reports the first threshold that cannot.
    private mutating func canReachAll(_ index: Int, _ value: ExaminedExpression, _ parts: RuleSet) -> Bool {
        let high = value.range.numbers?.high
        let thresholds = parts.achievements[index].thresholds
        guard let tier = thresholds.firstIndex(where: { $0 > high ?? -.infinity }) else { return true }
        guard !value.isReported else { return false }
        let most = high.map { "never more than \($0.brief)" } ?? "always null"
        let place = range(of: .tier(tier, of: index), parts)
        report(place, "`value` is \(most): \(thresholds[tier].brief) is out of reach", .warning)
        return false
    }

    /// Warns about achievements that require an achievement which only an `achievement.granted` event can unlock.
    private mutating func warnAboutRequirements(_ parts: RuleSet, _ isReachable: [Bool]) {
        var isReachable = isReachable
        var requiredBy: [[Int]] = Array(repeating: [], count: isReachable.count)
        for (index, rule) in parts.achievements.enumerated() {
            for required in rule.requires { requiredBy[required].append(index) }
        }
        var open = isReachable.indices.filter { !isReachable[$0] }
        while let unmet = open.popLast() {
            for index in requiredBy[unmet] {
                let message = "requires `\(parts.achievements[unmet].id)`, which nothing but a grant unlocks"
                let place = range(of: .requirements(index), parts)
                report(place, "`\(parts.achievements[index].id)` \(message)", .warning)
                guard isReachable[index] else { continue }
                isReachable[index] = false
                open.append(index)
            }
        }
    }
}

// MARK: - Events and tests

extension RulesLoader {
    /// Warns about declared event types that no rule uses.
    private mutating func warnAboutEvents(_ parts: RuleSet) {
        let types = parts.metrics.map(\.types) + parts.xpRules.map(\.types)
        guard types.allSatisfy({ $0.names != nil }) else { return }
        let named = Set(types.flatMap(\.written)).union(checked.texts).union(parts.plausible.map(\.type))
        let read = checked.fieldsOfAnyType
        let learnerFields = parts.layout.learnerFields.map(\.name)
        for (type, offset) in declaredTypeOffsets where !named.contains(type) {
            guard let fields = parts.declaredTypes[type], read.isDisjoint(with: fields.keys),
                type != AdministeredEvents.profileType
                    || (parts.administered + learnerFields).allSatisfy({ fields[$0] == nil })
            else { continue }
            report(offset, "no rule uses `\(type)` events", .warning)
        }
    }

    private mutating func warnAboutTests(_ parts: RuleSet) {
        var names: Set<String> = []
        for test in parts.readTests ?? [] {
            if test.expectations.isEmpty {
                report(test.range, "the test “\(test.name)” expects nothing: it cannot fail", .warning)
            }
            if !names.insert(test.name).inserted {
                report(test.range, "another test has the name “\(test.name)”", .warning)
            }
        }
    }
}
