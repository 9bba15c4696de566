// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelSimulation
import Testing

@Suite struct GroupTests {
    /// A joining or leaving.
    private struct Change {
        let joins: Bool
        let learner: String
        let group: String
        let kind: String?
        let time: Date
    }

    private static func changes(_ lines: [Substring]) throws -> [Change] {
        try lines.filter { $0.contains(#""type":"group."#) }.map { line in
            let event = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let data = try #require(event["data"] as? [String: String])
            let joins = event["type"] as? String == "group.joined"
            #expect(joins == (data["kind"] != nil), "\(line)")
            return Change(
                joins: joins,
                learner: try #require(event["subject"] as? String),
                group: try #require(data["group"]),
                kind: data["kind"],
                time: try instant(event)
            )
        }
    }

    /// The members who ever joined, by group.
    private static func members(_ changes: [Change], kind: String) -> [String: Set<String>] {
        changes.reduce(into: [:]) { members, change in
            if change.kind == kind { members[change.group, default: []].insert(change.learner) }
        }
    }

    @Test func friendsAreFewAndTeamsAreLarge() throws {
        let seed = UInt64.random(in: 0 ... .max)
        let changes = try Self.changes(lines(.init(learners: 400, days: 70, seed: seed, together: true)))
        let friends = Self.members(changes, kind: "friends")
        #expect(friends.values.allSatisfy { $0.count <= 5 }, "seed \(seed)")
        #expect(Set(friends.values.map(\.count)).isSuperset(of: [2, 3]), "seed \(seed)")
        #expect(friends.count > 40, "seed \(seed): \(friends.count)")
        #expect(friends.values.joined().count > 160, "seed \(seed)")
        let teams = Self.members(changes, kind: "team")
        #expect(teams.values.allSatisfy { (8...30).contains($0.count) }, "seed \(seed)")
        #expect(teams.count > 8 && teams.values.joined().count > 120, "seed \(seed)")
        for groups in [friends, teams] {
            let all = Array(groups.values.joined())
            #expect(Set(all).count == all.count, "seed \(seed): nobody is in two groups of a kind")
        }
        #expect(changes.allSatisfy { $0.kind.map($0.group.hasPrefix) ?? true }, "seed \(seed)")
    }

    @Test func someMembersLeaveAgain() throws {
        let seed = UInt64.random(in: 0 ... .max)
        let changes = try Self.changes(lines(.init(learners: 300, days: 200, seed: seed, together: true)))
        var present: [String: Date] = [:]
        var left = 0
        for change in changes {
            let membership = "\(change.learner) \(change.group)"
            if change.joins {
                #expect(present.updateValue(change.time, forKey: membership) == nil, "seed \(seed): \(membership)")
            } else {
                left += 1
                let joined = try #require(present[membership], "seed \(seed): \(membership)")
                #expect(change.time > joined, "seed \(seed)")
            }
        }
        #expect(left > 3 && left < present.count / 4, "seed \(seed): \(left) of \(present.count)")
    }

    /// By day 48, most friends are members. From then on, both of two friends practise on more days than they would by
    /// chance, if they practised as often.
    @Test func friendsPractiseOnTheSameDays() throws {
        func days(_ lines: [Substring]) throws -> [Substring: Set<Substring>] {
            try lines.reduce(into: [:]) { days, line in
                let head = try Head(line)
                guard !head.type.hasPrefix("group."), head.time >= "2026-02-22" else { return }
                days[head.learner, default: []].insert(head.time.prefix(10))
            }
        }
        let events = lines(.init(learners: 200, days: 120, seed: 2, together: true))
        let groups = Self.members(try Self.changes(events), kind: "friends").values
        func common(_ days: [Substring: Set<Substring>]) -> Double {
            var (both, byChance) = (0.0, 0.0)
            for group in groups {
                for one in group {
                    for other in group where one < other {
                        let (first, second) = (days[one[...]] ?? [], days[other[...]] ?? [])
                        both += Double(first.intersection(second).count)
                        byChance += Double(first.count * second.count) / 72
                    }
                }
            }
            return both / byChance
        }
        let together = common(try days(events))
        let apart = common(try days(lines(.init(learners: 200, days: 120, seed: 2))))
        #expect(together > 1.1 && together > apart + 0.1, "\(together) against \(apart)")
    }
}

/// The rare people of `Simulation.Options.together`.
@Suite struct RarePeopleTests {
    /// The learners who speak or review 60 times or more within a minute.
    private static func hasty(_ options: Simulation.Options) throws -> Set<Substring> {
        var counts: [String: Int] = [:]
        var hasty: Set<Substring> = []
        for line in lines(options) {
            let head = try Head(line)
            guard head.type == "line.spoken" || head.type == "review.graded" else { continue }
            let minute = "\(head.learner) \(head.time.prefix(16))"
            counts[minute, default: 0] += 1
            if counts[minute] == 60 { hasty.insert(head.learner) }
        }
        return hasty
    }

    @Test(arguments: [(20, 1), (400, 2)]) func oneIn200Cheats(learners: Int, cheats: Int) throws {
        let seed = UInt64.random(in: 0 ... .max)
        let options = Simulation.Options(learners: learners, days: 18, seed: seed, together: true)
        #expect(try Self.hasty(options).count == cheats, "seed \(seed)")
        #expect(try Self.hasty(.init(learners: learners, days: 18, seed: seed)).isEmpty, "seed \(seed)")
    }

    /// The gaps of the learners who practise often, but once not for more than four months.
    private static func returners(_ options: Simulation.Options) throws -> [Int] {
        var days: [Substring: [Int]] = [:]
        for line in lines(options) {
            let head = try Head(line)
            guard !head.type.hasPrefix("group.") else { continue }
            let day = try #require(CalendarDay(String(head.time.prefix(10)))).daysSince1970
            if days[head.learner]?.last != day { days[head.learner, default: []].append(day) }
        }
        return days.values.compactMap { days in
            let gap = zip(days, days.dropFirst()).map { $1 - $0 }.max() ?? 0
            return gap > 130 && days.count * 4 > options.days - gap ? gap : nil
        }
    }

    @Test func someComeBackAfterMonths() throws {
        let gaps = try Self.returners(.init(learners: 200, days: 400, seed: 1, together: true))
        #expect((2...6).contains(gaps.count) && gaps.allSatisfy { $0 < 250 }, "\(gaps)")
        #expect(try Self.returners(.init(learners: 200, days: 400, seed: 1)) == [])
    }
}
