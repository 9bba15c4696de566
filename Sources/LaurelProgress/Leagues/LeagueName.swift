// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// A name of a league that expressions read: `league.NAME.tier` or `league.NAME.rank`.
struct LeagueName {
    private let rule: LeagueRule
    private let slot: FrameLayout.FieldSlot
    private let tiers: TextConstants

    /// The names that a version's expressions read.
    static func read(by rules: RuleSet) -> [LeagueName] {
        rules.layout.leagueNames.compactMap { slot in
            rules.leagues.first { slot.name == "\($0.name).tier" || slot.name == "\($0.name).rank" }.map {
                LeagueName(rule: $0, slot: slot, tiers: TextConstants($0.tiers))
            }
        }
    }

    /// Writes the value to the name's slot.
    func publish(
        _ results: LeagueResults,
        _ numbers: UnsafeMutablePointer<Double>,
        _ texts: UnsafeMutablePointer<TextSlice>
    ) {
        if slot.type == .text {
            texts[slot.slot] = tiers.slices[rule.tier(results)]
        } else {
            numbers[slot.slot] = results.result(in: rule.name.utf8)?.rank.map(Double.init) ?? .nan
        }
    }
}
