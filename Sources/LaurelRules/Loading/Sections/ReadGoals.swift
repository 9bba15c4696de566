// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    /// The goals' ids, without checks. The ids are needed before any expression is read, because expressions contain
    /// them.
    func goalIDs(_ node: YAMLNode?) -> [String] {
        guard case .sequence(let items)? = node?.content else { return [] }
        return items.compactMap { item in
            guard case .mapping(let entries) = item.content else { return nil }
            return entries.first { $0.key == "id" }?.value.scalar?.text
        }
    }

    mutating func readGoals(_ node: YAMLNode?, _ parts: RuleSet) -> [GoalRule] {
        let windows: [FrameLayout.Window] = [.day, .week] + (parts.seasons.isEmpty ? [] : [.season])
        var goals: [GoalRule] = []
        var ids: Set<String> = []
        for item in list(node, "`goals`") {
            guard let section = requiredSection(item, .goal) else { continue }
            let id = readID(section, &ids)
            if let id, !isFieldName(id), let node = section["id"] {
                report(node.offset, "`\(id)` cannot be a goal's id: use letters, digits and _, no digit first")
            }
            let every = required(section, "every").flatMap { choice($0, "`every`", of: windows.map(\.name)) }
            let value = requiredExpression(section, "value", expecting: .number, in: NameScope(.goal))
            let target = requiredExpression(section, "target", expecting: .number, in: NameScope(.goal))
            let when = expression(section, "when", expecting: .boolean, in: NameScope(.achievement))
            let names = section["name"].flatMap { readLocalized($0, "`name`", isName: true) }
            let xp = section["xp"].flatMap { integer($0, "`xp`", in: 0...Self.largestBalance) } ?? 0
            let gift = readGift(section["gives"], parts.currencies)
            let pool = pool(of: section, among: parts.pools)
            let period = readPeriod(section)
            guard let id, let every, let value, let target else { continue }
            noteParts(section, goals.count, id)
            checked.goals.append(section.offset)
            let goal = GoalRule(
                id: id,
                names: names,
                every: windows[every],
                pool: pool,
                value: value,
                target: target,
                when: when,
                xp: Double(xp),
                gift: gift,
                period: period
            )
            checkWindow(of: goal, section, goals, parts.pools)
            goals.append(goal)
        }
        return goals
    }

    private mutating func noteParts(_ section: Section, _ index: Int, _ id: String) {
        note(.goal(index), "the goal `\(id)`", section["id"]?.offset ?? section.offset)
        let rest: [(String, RulePart.Kind)] = [
            ("when", .goalCondition(index)), ("xp", .goalReward(index)), ("gives", .goalGift(index)),
            ("from", .goalFrom(index)), ("through", .goalThrough(index)),
        ]
        for (key, part) in rest where section.has(key) {
            note(part, "`\(key)` of the goal `\(id)`", section.keyOffset(key))
        }
    }
}
