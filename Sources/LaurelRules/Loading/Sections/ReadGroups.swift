// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    mutating func readGroups(_ node: YAMLNode?) -> [GroupRule] {
        (mapping(node, "`groups`") ?? []).map { entry in
            if entry.value.isNull || !entry.value.hasEntries {
                report(entry.keyOffset, "the kind `\(entry.key)` needs `streak`, `goals` or both")
            }
            let section = self.section(entry.value, .group)
            return GroupRule(
                kind: entry.key,
                need: section.flatMap { readNeed($0["streak"]) },
                goals: readGroupGoals(section?["goals"])
            )
        }
    }

    private mutating func readNeed(_ node: YAMLNode?) -> GroupNeed? {
        guard let section = section(node, .groupStreak), let node = required(section, "need") else { return nil }
        let text = node.scalar?.text
        switch text {
        case "all": return .all
        case "any": return .any
        default: break
        }
        if let count = text.flatMap(Int.init), (1...Self.mostMembers).contains(count) { return .members(count) }
        let nearest = text.flatMap { nearestName(to: $0, among: ["all", "any"]) }
        let advice = nearest.map { didYouMean(code: $0) } ?? ""
        let found = text.map { "`\($0)`" } ?? node.kindName
        let message = "`need` must be `all`, `any` or a number of members from 1 to 10000, not \(found)"
        report(node.offset, message + advice, suggestion: nearest)
        return nil
    }

    private static let mostMembers = 10_000

    private mutating func readGroupGoals(_ node: YAMLNode?) -> [GroupGoal] {
        var ids: Set<String> = []
        return list(node, "`goals`").compactMap { item in
            guard let section = requiredSection(item, .groupGoal) else { return nil }
            let id = readID(section, &ids)
            let every = required(section, "every").flatMap { choice($0, "`every`", of: ["day", "week"]) }
            let sums = GroupSum.allCases
            let sum = required(section, "sum").flatMap { choice($0, "`sum`", of: sums.map(\.rawValue)) }
            let target = required(section, "target").flatMap { node in
                let target = number(node, "`target`")
                if let target, target <= 0 { report(node.offset, "`target` must be above 0, not `\(target.brief)`") }
                return target
            }
            guard let id, let every, let sum, let target else { return nil }
            return GroupGoal(id: id, isWeekly: every == 1, sum: sums[sum], target: target)
        }
    }
}

extension YAMLNode {
    fileprivate var hasEntries: Bool {
        if case .mapping(let entries) = content { !entries.isEmpty } else { true }
    }
}
