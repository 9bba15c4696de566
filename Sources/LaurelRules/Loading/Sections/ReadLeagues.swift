// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    /// The leagues' names and nodes. They are checked before any expression is read, because expressions contain the
    /// names of leagues.
    mutating func leagueEntries(_ node: YAMLNode?) -> [YAMLEntry] {
        let entries = mapping(node, "`leagues`") ?? []
        for entry in entries {
            if entry.key == "settle" {
                report(entry.keyOffset, "no league may be named `settle`: `laurel league settle` settles all leagues")
            } else {
                checkName(entry, "a league's name")
            }
        }
        return entries
    }

    mutating func readLeagues(_ entries: [YAMLEntry]) -> [LeagueRule] {
        entries.compactMap { entry in
            guard let section = requiredSection(entry.value, .league) else { return nil }
            let tiers = required(section, "tiers").map { readTiers($0) }
            let size = required(section, "size").flatMap { integer($0, "`size`", in: 1...Self.largestRoom) }
            let promote = required(section, "promote").flatMap { integer($0, "`promote`", in: 0...Self.largestRoom) }
            let demote = required(section, "demote").flatMap { integer($0, "`demote`", in: 0...Self.largestRoom) }
            let after = required(section, "settle_after").flatMap { period($0, "`settle_after`") }
            let late = section["late"].flatMap { choice($0, "`late`", of: LeagueRule.lateChoices) }
            if let size, let promote, let demote, promote + demote > size {
                let message = "a room has at most \(size) learners, so not all of the \(demote) last can be demoted"
                report(section.keyOffset("demote"), message, .warning)
            }
            guard let tiers, !tiers.isEmpty, let size, let promote, let demote, let after else { return nil }
            return LeagueRule(
                name: entry.key,
                tiers: tiers,
                size: size,
                promote: promote,
                demote: demote,
                settleAfter: after,
                promotesLate: late == 1
            )
        }
    }

    private static let largestRoom = 10_000

    private mutating func readTiers(_ node: YAMLNode) -> [String] {
        var names: Set<String> = []
        let items = list(node, "`tiers`")
        if items.isEmpty { report(node.offset, "`tiers` needs at least one tier, the lowest first") }
        return items.compactMap { item in
            guard let name = nonEmptyText(item, "a tier") else { return nil }
            if !names.insert(name).inserted { report(item.offset, "the tier `\(name)` is taken: a tier above has it") }
            return name
        }
    }
}
