// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    /// An achievement as read, before the ids in its `requires` are resolved to indexes.
    private struct Draft {
        let rule: AchievementRule
        let offset: Int
        let requires: [(id: String, offset: Int)]
    }

    mutating func readAchievements(_ node: YAMLNode?, _ currencies: [CurrencyRule]) -> [AchievementRule] {
        var drafts: [Draft] = []
        var ids: Set<String> = []
        for item in list(node, "`achievements`") {
            guard let section = requiredSection(item, .achievement) else { continue }
            drafts.append(readAchievement(section, drafts.count, &ids, currencies))
            checked.achievements.append(section.offset)
        }
        let indexes = Dictionary(
            zip(drafts.map(\.rule.id), drafts.indices),
            uniquingKeysWith: { first, _ in first }
        )
        let rules = drafts.map { draft in
            var rule = draft.rule
            rule.requires = draft.requires.compactMap { resolve($0, for: rule, drafts, indexes) }
            return rule
        }
        reportCycle(rules, drafts)
        return rules
    }

    private mutating func readAchievement(
        _ section: Section,
        _ index: Int,
        _ ids: inout Set<String>,
        _ currencies: [CurrencyRule]
    ) -> Draft {
        let id = readID(section, &ids) ?? ""
        noteParts(section, index, id)
        let scope = NameScope(.achievement)
        let value = requiredExpression(section, "value", expecting: .number, in: scope)
        let thresholds = readThresholds(section)
        let tiers = max(1, thresholds.count)
        let xp = section["xp"].flatMap {
            tierAmounts($0, "`xp`", least: 0, most: Self.largestBalance, tiers: tiers)
        }
        var rule = AchievementRule(
            id: id,
            names: section["name"].flatMap { readLocalized($0, "`name`", isName: true) } ?? LocalizedText(id),
            descriptions: section["description"].flatMap { readLocalized($0, "`description`") } ?? LocalizedText(""),
            category: section["category"].flatMap { nonEmptyText($0, "`category`") },
            value: value ?? .null,
            thresholds: thresholds,
            when: expression(section, "when", expecting: .boolean, in: scope),
            requires: [],
            isPerLanguage: section["scope"].flatMap { choice($0, "`scope`", of: ["overall", "language"]) } == 1,
            isHidden: section["hidden"].flatMap { boolean($0, "`hidden`") } ?? false,
            xp: xp ?? TierAmounts([0])
        )
        rule.gift = readGift(section["gives"], currencies, tiers: tiers)
        rule.period = readPeriod(section)
        var requires: [(id: String, offset: Int)] = []
        if let node = section["requires"], !node.isNull {
            let items = if case .sequence(let items) = node.content { items } else { oneOrMore(node, "`requires`") }
            for item in items {
                guard let other = text(item, "`requires`") else { continue }
                if requires.contains(where: { $0.id == other }) {
                    report(item.offset, "`\(other)` is listed twice", .warning)
                }
                requires.append((other, item.offset))
            }
        }
        return Draft(rule: rule, offset: section.offset, requires: requires)
    }

    /// Reads a text, or a mapping from languages to texts.
    mutating func readLocalized(_ node: YAMLNode, _ what: String, isName: Bool = false) -> LocalizedText? {
        guard case .mapping(let entries) = node.content else {
            return (isName ? nonEmptyText(node, what) : text(node, what)).map { LocalizedText($0) }
        }
        var translations: [String: String] = [:]
        for entry in entries {
            if !entry.key.isLanguageTag {
                report(entry.keyOffset, "`\(entry.key)` is no language's tag, such as `de` or `pt-BR`")
            }
            let value = isName ? nonEmptyText(entry.value, what) : text(entry.value, what)
            translations[entry.key] = value
        }
        guard let first = entries.first else {
            report(node.offset, "\(what) must not be empty")
            return nil
        }
        return (translations["en"] ?? translations[first.key]).map { LocalizedText($0, translations: translations) }
    }

    private mutating func noteParts(_ section: Section, _ index: Int, _ id: String) {
        if let node = section["at_least"] {
            let items = if case .sequence(let items) = node.content { items } else { [node] }
            for (tier, item) in items.enumerated() {
                let threshold = "`at_least: \(item.scalar?.text ?? "")`"
                note(.tier(tier, of: index), "\(threshold) of the achievement `\(id)`", item.offset)
            }
        }
        let rest: [(String, RulePart.Kind)] = [
            ("when", .condition(index)), ("requires", .requirements(index)), ("xp", .reward(index)),
            ("gives", .gift(index)),
            ("from", .from(index)), ("through", .through(index)),
        ]
        for (key, part) in rest where section.has(key) {
            note(part, "`\(key)` of the achievement `\(id)`", section.keyOffset(key))
        }
    }

    private mutating func readThresholds(_ section: Section) -> [Double] {
        guard let node = required(section, "at_least"), let numbers = ascendingNumbers(node, "`at_least`") else {
            return []
        }
        if numbers[0] <= 0 { report(node.offset, "`at_least` must be more than 0, not \(numbers[0].brief)") }
        return numbers
    }

    private mutating func resolve(
        _ required: (id: String, offset: Int),
        for rule: AchievementRule,
        _ drafts: [Draft],
        _ indexes: [String: Int]
    ) -> Int? {
        guard let index = indexes[required.id] else {
            let others = drafts.map(\.rule.id).filter { $0 != rule.id }
            let nearest = isFull ? nil : nearestName(to: required.id, among: others)
            report(
                required.offset,
                "unknown achievement `\(required.id)`\(didYouMean(code: nearest))",
                suggestion: nearest
            )
            return nil
        }
        if drafts[index].rule.isPerLanguage, !rule.isPerLanguage {
            let message = "an overall achievement cannot require `\(required.id)`, which is unlocked per language"
            report(required.offset, message)
        }
        return index
    }

    /// Reports the first cycle in `requires`, if there is one.
    private mutating func reportCycle(_ rules: [AchievementRule], _ drafts: [Draft]) {
        guard let cycle = RequirementCycle.find(in: rules.map(\.requires)), let first = cycle.first else { return }
        let path = (cycle + [first]).map { "`\(rules[$0].id)`" }.joined(separator: " → ")
        let offset = drafts[first].requires.first { $0.id == rules[cycle.count > 1 ? cycle[1] : first].id }?.offset
        report(offset ?? drafts[first].offset, "`requires` goes in a circle: \(path)")
    }
}

extension String {
    /// True if the text consists of letters and digits separated by dashes, as in BCP 47.
    fileprivate var isLanguageTag: Bool {
        let parts = split(separator: "-", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            (1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { ($0 >= 48 && $0 <= 57) || ($0 | 0x20 >= 97 && $0 | 0x20 <= 122) }
        }
        return isPlain && (2...8).contains(parts[0].utf8.count)
    }
}

extension Program {
    /// A placeholder for an expression whose mistakes were reported.
    fileprivate static var null: Program {
        var code = PostfixCode()
        code.add(.number(.nan))
        return Program(syntax: Syntax(source: "null"), type: .number, names: [], code: code)
    }
}
