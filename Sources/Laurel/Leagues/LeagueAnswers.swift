// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore
import LaurelWire

extension ProgressEngine {
    func leagueTable(_ league: String, day: LocalDay?, at instant: Timestamp) throws -> LeagueTable? {
        try readLeagues(until: instant.milliseconds) { reader in
            let day = day ?? localDay(of: instant)
            guard let week = reader.scan.plan.leagueWeek(league, containing: day) else { return nil }
            let entrants = try reader.entrants(of: week)
            guard entrants.allSatisfy(\.earlier.isEmpty) else { return LeagueTable(week, entrants) }
            return LeagueTable(try LeagueRanking(week, entrants, isSettled: false, reader))
        }
    }

    func leagueStanding(of learner: String, _ name: String?, at instant: Timestamp) throws -> LeagueStanding? {
        guard let league = name ?? plan.version(at: instant).rules.leagues.first?.name else { return nil }
        let own = try withNamedState(of: learner, at: instant) { id, state, plan in
            let reader = ProgressReader(plan: plan)
            let today = reader.localDay(of: instant, state, language: nil) ?? localDay(of: instant)
            let week = plan.leagueWeek(league, containing: today)
            return week.map { OwnLeague(id: id, week: $0, state, endsAt: reader.end(of: $0, state, at: instant)) }
        }
        guard let own = own.flatMap(\.self) else { return nil }
        func compute() throws -> LeagueRanking {
            try readLeagues(until: instant.milliseconds) { reader in
                try LeagueRanking(own.week, try reader.entrants(of: own.week), isSettled: false, reader)
            }
        }
        // Only a question about the present may get a ranking that is a little old.
        let isPresent = abs(instant.milliseconds - Date().milliseconds) < 60_000
        let ranking = try isPresent ? leagueRankings.ranking(of: own.week, compute) : compute()
        return LeagueStanding(own, in: ranking, at: instant)
    }
}

/// A learner's own part of a league, read from the learner's state.
struct OwnLeague {
    let id: String
    let week: LeagueWeek
    let tier: Int
    let isOut: Bool
    let xp: Double
    let latest: LeagueResults.Result?
    /// The end of the week on the learner's clock, in milliseconds since 1970.
    let endsAt: Int64

    init(id: String, week: LeagueWeek, _ state: LearnerState, endsAt: Int64) {
        (self.id, self.week, self.endsAt) = (id, week, endsAt)
        tier = week.rule.tier(state.leagues)
        isOut = state.leagues.isOut
        xp = state.leagueXP(on: week.days)
        latest = state.leagues.result(in: week.rule.name.utf8)
    }
}

extension LeagueTable {
    private init(_ week: LeagueWeek, isSettled: Bool, _ tiers: [Tier]) {
        self.init(
            league: week.rule.name,
            week: week.name,
            firstDay: week.days.lowerBound,
            lastDay: week.days.upperBound,
            settlesAt: Date(milliseconds: week.settlesAt),
            isSettled: isSettled,
            tiers: tiers
        )
    }

    /// The rooms as a settlement would rank them.
    init(_ ranking: LeagueRanking) {
        let rule = ranking.week.rule
        let tiers = ranking.tiers.indices.map { tier in
            Tier(tier: rule.tiers[tier], rooms: ranking.tiers[tier].map { LeagueRoom($0, in: tier, of: rule) })
        }
        self.init(ranking.week, isSettled: false, tiers)
    }

    /// The rooms of a settled week, by the results that are in force.
    init(_ week: LeagueWeek, _ entrants: [LeagueEntrant]) {
        var rooms = week.rule.tiers.map { _ in [Int: [LeagueMember]]() }
        for entrant in entrants {
            guard let result = entrant.earlier.inForce, let room = result.room, let rank = result.rank,
                let tier = week.rule.tier(named: result.tier)
            else { continue }
            let member = LeagueMember(
                rank: rank,
                learner: entrant.id,
                displayName: entrant.displayName,
                xp: Int(whole: result.xp),
                outcome: result.outcome.name
            )
            rooms[tier][room, default: []].append(member)
        }
        let tiers = rooms.enumerated().map { tier, rooms in
            let sorted = rooms.sorted { $0.key < $1.key }.map { room, members in
                LeagueRoom(room: room, members: members.sorted(by: LeagueMember.precedes))
            }
            return Tier(tier: week.rule.tiers[tier], rooms: sorted)
        }
        self.init(week, isSettled: true, tiers)
    }
}

extension LeagueMember {
    /// After an improvement, two learners of a room may have the same rank.
    fileprivate static func precedes(_ one: LeagueMember, _ other: LeagueMember) -> Bool {
        if one.rank != other.rank { return one.rank < other.rank }
        return (one.learner ?? "").utf8.lexicographicallyPrecedes((other.learner ?? "").utf8)
    }
}

extension LeagueRoom {
    init(_ room: LeagueRanking.Room, in tier: Int, of rule: LeagueRule) {
        self.init(
            room: room.number,
            members: room.members.enumerated().map { index, entrant in
                LeagueMember(
                    rank: index + 1,
                    learner: entrant.id,
                    displayName: entrant.displayName,
                    xp: Int(whole: entrant.xp),
                    outcome: rule.outcome(ofRank: index + 1, of: room.members.count, in: tier).name
                )
            }
        )
    }
}

extension LeagueStanding {
    init(_ own: OwnLeague, in ranking: LeagueRanking, at instant: Timestamp) {
        let rule = own.week.rule
        // A ranking that is kept may be from before the learner opted out.
        let place = own.isOut ? nil : ranking.place(of: own.id)
        let tier = place?.tier ?? own.tier
        let count = place?.room.members.count ?? 0
        let firstDemoted = max(rule.promote, count - rule.demote) + 1
        self.init(
            league: rule.name,
            week: own.week.name,
            tier: rule.tiers[tier],
            tiers: rule.tiers,
            competes: !own.isOut,
            xp: Int(whole: own.xp),
            room: place.map { LeagueRoom($0.room, in: tier, of: rule) },
            rank: place?.rank,
            promotedThrough: tier < rule.tiers.count - 1 && rule.promote > 0 ? rule.promote : nil,
            demotedFrom: tier > 0 && firstDemoted <= count ? firstDemoted : nil,
            endsAt: Date(milliseconds: own.endsAt),
            secondsLeft: Int(max(0, own.endsAt - instant.milliseconds) / 1000),
            latest: own.latest.map(LeagueResult.init)
        )
    }
}

extension LeagueResult {
    init(_ result: LeagueResults.Result) {
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        self.init(
            week: text(result.week),
            tier: text(result.tier),
            next: text(result.next),
            outcome: result.outcome.name,
            room: result.room,
            rank: result.rank,
            of: result.of,
            xp: Int(whole: result.xp)
        )
    }
}
