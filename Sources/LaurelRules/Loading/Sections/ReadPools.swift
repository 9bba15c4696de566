// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    mutating func readPools(_ node: YAMLNode?) -> [GoalPool] {
        (mapping(node, "`pools`") ?? []).enumerated().map { index, entry in
            checkName(entry, "a pool's name")
            let section = self.section(entry.value, .pool)
            let draw = section.flatMap { required($0, "draw") }.flatMap { integer($0, "`draw`", in: 1...10_000) }
            note(.pool(index), "the pool `\(entry.key)`", entry.keyOffset)
            return GoalPool(name: entry.key, draw: draw ?? 1)
        }
    }

    /// Reads the pool of a goal, as an index into `pools`; nil if the goal has none.
    mutating func pool(of section: Section, among pools: [GoalPool]) -> Int? {
        guard let node = section["pool"], let name = text(node, "`pool`") else { return nil }
        if let index = pools.firstIndex(where: { $0.name == name }) { return index }
        let nearest = isFull ? nil : nearestName(to: name, among: pools.map(\.name))
        let advice = nearest.map { didYouMean(code: $0) } ?? ": pools are declared under `pools:`"
        report(node.offset, "unknown pool `\(name)`\(advice)", suggestion: nearest)
        return nil
    }

    /// Reports a goal whose window differs from that of the first goal of its pool.
    mutating func checkWindow(of goal: GoalRule, _ section: Section, _ goals: [GoalRule], _ pools: [GoalPool]) {
        guard let pool = goal.pool, let first = goals.first(where: { $0.pool == pool }), first.every != goal.every,
            let node = section["every"]
        else { return }
        let message =
            "all goals of the pool `\(pools[pool].name)` have the same window: `\(first.id)` has \(first.every.name)"
        report(node.offset, message)
    }

    /// Warns about pools that make no choice.
    mutating func warnAboutPools(_ parts: RuleSet) {
        for (index, pool) in parts.pools.enumerated() {
            let count = parts.goals.count { $0.pool == index }
            guard count <= pool.draw, let part = parts.parts.first(where: { $0.kind == .pool(index) }) else { continue }
            let problem = count == 0 ? "has no goal" : "draws \(pool.draw) of \(count): all of its goals count"
            report(part.range, "the pool `\(pool.name)` \(problem)", .warning)
        }
    }
}
