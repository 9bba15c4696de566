// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

extension StateWriter {
    /// Writes results in leagues as a section of a state, if there are any. Fingerprints contain only what the rules'
    /// own leagues read.
    mutating func write(_ leagues: LeagueResults, section: UInt64, _ plan: VersionPlan) {
        let isSnapshot = purpose == .snapshot
        let results = isSnapshot ? leagues.latest : plan.rules.leagues.compactMap { leagues.result(in: $0.name.utf8) }
        let isOut = leagues.isOut && (isSnapshot || !plan.rules.leagues.isEmpty)
        let adjustments = isSnapshot ? leagues.adjustments : []
        guard isOut || !results.isEmpty || !adjustments.isEmpty else { return }
        write(section)
        write(isOut)
        write(list: results) { writer, result in
            for text in [result.league, result.week, result.tier, result.next] { writer.write(text) }
            writer.write(result.outcome.rawValue)
            for number in [result.room, result.rank, result.of] { writer.write(optional: number) { $0.write($1) } }
            writer.write(result.xp)
        }
        guard isSnapshot else { return }
        write(list: adjustments) { writer, adjustment in
            writer.write(Int(adjustment.day.number))
            writer.write(adjustment.xp)
        }
    }
}

extension StateReader {
    mutating func leagues() throws(Malformed) -> LeagueResults {
        let isOut = try bool()
        let results = try list { reader throws(Malformed) in try reader.leagueResult() }
        let adjustments = try list { reader throws(Malformed) in
            LeagueResults.Adjustment(day: try reader.civilDay(), xp: try reader.double())
        }
        guard let leagues = LeagueResults(latest: results, adjustments: adjustments, isOut: isOut) else {
            throw Malformed()
        }
        return leagues
    }

    private mutating func leagueResult() throws(Malformed) -> LeagueResults.Result {
        let (league, week, tier, next) = (try data(), try data(), try data(), try data())
        guard let outcome = LeagueOutcome(rawValue: try int()) else { throw Malformed() }
        return LeagueResults.Result(
            league: league,
            week: week,
            tier: tier,
            next: next,
            outcome: outcome,
            room: try optional { reader throws(Malformed) in try reader.int() },
            rank: try optional { reader throws(Malformed) in try reader.int() },
            of: try optional { reader throws(Malformed) in try reader.int() },
            xp: try double()
        )
    }
}
