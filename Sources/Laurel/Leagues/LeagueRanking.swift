// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import LaurelRules

/// The rooms of a week with their learners, the first rank first, and the learners who do not compete.
struct LeagueRanking {
    struct Room {
        let number: Int
        var members: [LeagueEntrant]
    }

    let week: LeagueWeek
    /// The rooms of each tier, the lowest tier first.
    private(set) var tiers: [[Room]]
    /// The learners of tiers above the lowest who did not compete, each with the tier.
    private(set) var absent: [(entrant: LeagueEntrant, tier: Int)] = []

    /// Ranks the competitors of a week.
    /// - Parameter isSettled: true if the week was settled before. Then rooms and their members stay, and competitors who
    ///   are in no room each join the smallest room of their tier.
    init(_ week: LeagueWeek, _ entrants: [LeagueEntrant], isSettled: Bool, _ reader: LeagueReader) throws {
        self.week = week
        tiers = Array(repeating: [], count: week.rule.tiers.count)
        var newcomers = tiers.map { _ in [LeagueEntrant]() }
        for entrant in entrants {
            let tier = week.tier(of: entrant)
            if isSettled, let room = entrant.earlier.latest?.room {
                add(entrant, to: room, of: tier)
            } else if entrant.competes {
                newcomers[tier].append(entrant)
            } else if tier > 0 {
                absent.append((entrant, tier))
            }
        }
        for (tier, learners) in newcomers.enumerated() {
            if isSettled { join(learners, tier) } else { makeRooms(learners, of: tier) }
        }
        try rank(reader)
    }

    private mutating func makeRooms(_ learners: [LeagueEntrant], of tier: Int) {
        let rooms = week.rule.rooms(of: learners.map(\.id), in: week.rule.tiers[tier], week: week.name)
        tiers[tier] = rooms.enumerated().map { Room(number: $0.offset + 1, members: $0.element.map { learners[$0] }) }
    }

    private mutating func join(_ learners: [LeagueEntrant], _ tier: Int) {
        tiers[tier].sort { $0.number < $1.number }
        for index in week.rule.inOrder(learners.map(\.id), in: week.rule.tiers[tier], week: week.name) {
            let smallest = tiers[tier].min { ($0.members.count, $0.number) < ($1.members.count, $1.number) }
            add(learners[index], to: smallest?.number ?? 1, of: tier)
        }
    }

    private mutating func add(_ entrant: LeagueEntrant, to number: Int, of tier: Int) {
        if let index = tiers[tier].firstIndex(where: { $0.number == number }) {
            tiers[tier][index].members.append(entrant)
        } else {
            tiers[tier].append(Room(number: number, members: [entrant]))
        }
    }

    /// Sorts the learners of each room by rank.
    private mutating func rank(_ reader: LeagueReader) throws {
        var tied: [Int64] = []
        for room in tiers.joined() {
            let equals = Dictionary(grouping: room.members, by: \.xp).values.filter { $0.count > 1 }
            tied += equals.joined().map(\.learner)
        }
        let times = tied.isEmpty ? [:] : try reader.reachTimes(of: tied, in: week)
        for tier in tiers.indices {
            for room in tiers[tier].indices {
                for index in tiers[tier][room].members.indices {
                    let learner = tiers[tier][room].members[index].learner
                    tiers[tier][room].members[index].reachedAt = times[learner] ?? 0
                }
                tiers[tier][room].members.sort(by: LeagueEntrant.precedes)
            }
        }
    }
}

extension LeagueWeek {
    /// The tier in which a learner competes: that of the week's own result if there is one.
    fileprivate func tier(of entrant: LeagueEntrant) -> Int {
        let name = entrant.earlier.latest?.tier ?? entrant.latest?.next
        return name.flatMap { rule.tier(named: $0) } ?? 0
    }
}

extension LeagueEntrant {
    /// True if the first of two learners in a room has the better rank.
    fileprivate static func precedes(_ one: LeagueEntrant, _ other: LeagueEntrant) -> Bool {
        if one.xp != other.xp { return one.xp > other.xp }
        if one.reachedAt != other.reachedAt { return one.reachedAt < other.reachedAt }
        return one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }
}

extension LeagueRanking {
    /// A learner's tier, room and rank; nil if the learner is in no room.
    func place(of id: String) -> (tier: Int, room: Room, rank: Int)? {
        for (tier, rooms) in tiers.enumerated() {
            for room in rooms {
                let index = room.members.firstIndex { $0.id.utf8.elementsEqual(id.utf8) }
                if let index { return (tier, room, index + 1) }
            }
        }
        return nil
    }

    struct Place {
        let room: Int
        let rank: Int
        let of: Int
    }

    /// A learner's result.
    struct Outcome {
        let entrant: LeagueEntrant
        let tier: Int
        let outcome: LeagueOutcome
        let place: Place?
    }

    /// The results of all competitors, and of learners of tiers above the lowest who did not compete.
    var outcomes: [Outcome] {
        let placed = tiers.enumerated().flatMap { tier, rooms in
            rooms.flatMap { room in
                room.members.enumerated().map { index, entrant in
                    let place = Place(room: room.number, rank: index + 1, of: room.members.count)
                    let outcome = week.rule.outcome(ofRank: place.rank, of: place.of, in: tier)
                    return Outcome(entrant: entrant, tier: tier, outcome: outcome, place: place)
                }
            }
        }
        return placed
            + absent.map {
                Outcome(entrant: $0.entrant, tier: $0.tier, outcome: $0.entrant.isOut ? .stayed : .demoted, place: nil)
            }
    }
}
