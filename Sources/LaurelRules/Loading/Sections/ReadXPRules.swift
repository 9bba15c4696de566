// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    mutating func readXPRules(_ node: YAMLNode?) -> [XPRule] {
        var rules: [XPRule] = []
        readAwards(node, "`xp`", .xp, of: nil, into: &rules)
        return rules
    }

    /// Reads rules that award XP or a currency, and appends them.
    /// - Parameter currency: the currency and its index; nil for XP.
    mutating func readAwards(
        _ node: YAMLNode?,
        _ what: String,
        _ keys: RulesKeys,
        of currency: (name: String, index: Int)?,
        into rules: inout [XPRule]
    ) {
        var ids: Set<String> = []
        for item in list(node, what) {
            guard let section = requiredSection(item, keys) else { continue }
            let id = readID(section, &ids)
            let bucket = keys == .xp ? section["bucket"].flatMap { nonEmptyText($0, "`bucket`") } : nil
            let cap = section["daily_cap"].flatMap { integer($0, "`daily_cap`", in: 0...1 << 53) }
            let types = eventTypes(section, "on")
            // If `on` is wrong, the types are unknown. The expressions are then checked as if for all types.
            let scope = NameScope(.xp, eventTypes: types?.names)
            let when = expression(section, "when", expecting: .boolean, in: scope)
            let award = requiredExpression(section, "award", expecting: .number, in: scope)
            let period = readPeriod(section)
            guard let id, let types, let award else { continue }
            if cap == 0, let node = section["daily_cap"] {
                report(node.offset, "with `daily_cap: 0` this rule awards nothing", .warning)
            }
            let phrase = currency.map { "the award `\(id)` of `\($0.name)`" } ?? "the XP rule `\(id)`"
            noteParts(section, rules.count, phrase)
            checked.xpRules.append(section.offset)
            var rule = XPRule(
                id: id,
                currency: currency?.index,
                bucket: bucket ?? id,
                types: types,
                when: when,
                award: award,
                dailyCap: cap.map(Double.init)
            )
            rule.period = period
            rules.append(rule)
        }
    }

    private mutating func noteParts(_ section: Section, _ index: Int, _ phrase: String) {
        note(.xpRule(index), phrase, section["id"]?.offset ?? section.offset)
        let rest: [(String, RulePart.Kind)] = [
            ("when", .xpCondition(index)), ("daily_cap", .dailyCap(index)), ("from", .xpFrom(index)),
            ("through", .xpThrough(index)),
        ]
        for (key, part) in rest where section.has(key) {
            note(part, "`\(key)` of \(phrase)", section.keyOffset(key))
        }
    }

    /// Reads an item of a list. The item must be a mapping.
    mutating func requiredSection(_ node: YAMLNode, _ keys: RulesKeys) -> Section? {
        guard !node.isNull else {
            report(node.offset, "\(keys.phrase) must be a mapping (`key: value`), not nothing")
            return nil
        }
        return section(node, keys)
    }

    /// Reads the `id`. Reports an id that is already in `ids`.
    mutating func readID(_ section: Section, _ ids: inout Set<String>) -> String? {
        guard let node = required(section, "id"), let id = nonEmptyText(node, "`id`") else { return nil }
        if !ids.insert(id).inserted {
            report(node.offset, "the id `\(id)` is taken: \(section.keys.phrase) above has it")
        }
        return id
    }
}
