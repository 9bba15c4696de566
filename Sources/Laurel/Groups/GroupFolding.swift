// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore
package import LaurelWire

extension ProgressEngine {
    /// A group as of an instant; nil if nobody ever joined it.
    func group(_ id: String, at instant: Timestamp) throws -> LearnerGroup? {
        try groupReading(of: id, at: instant).map { LearnerGroup(id: id, $0) }
    }

    /// The streak and the goals of a group as of an instant; nil if nobody ever joined it.
    /// - Parameter visit: called for each learner who ever joined the group.
    func groupReading(
        of id: String,
        at instant: Timestamp,
        _ visit: (GroupMember, LearnerState, ProgressReader) -> Void = { _, _, _ in }
    ) throws -> GroupReading? {
        let learners = try store.read { reader in
            try reader.learners(.ids(reader.learners(where: .mayBeIn(group: id)))).compactMap(\.self)
        }
        var (members, plan) = ([GroupMember](), plan)
        for learner in learners {
            let member = try withNamedState(of: learner.name, at: instant) { name, state, statePlan in
                plan = statePlan
                let reader = ProgressReader(plan: statePlan)
                let member = reader.member(state, id: name, of: Array(id.utf8), at: instant)
                if let member { visit(member, state, reader) }
                return member
            }
            if let member = member.flatMap(\.self) { members.append(member) }
        }
        return members.isEmpty ? nil : ProgressReader(plan: plan).reading(of: members, at: instant)
    }

    /// Groups that have members, in byte order.
    func groups(after id: String?, limit: Int, at instant: Timestamp) throws -> [LearnerGroup] {
        var (found, last) = ([LearnerGroup](), id ?? "")
        while found.count < limit {
            let names = try store.read { try $0.groupNames(after: last, limit: min(limit, Self.groupsAtOnce)) }
            guard let end = names.last else { break }
            last = end
            for name in names where found.count < limit {
                if let group = try group(name, at: instant), !group.members.isEmpty { found.append(group) }
            }
        }
        return found
    }

    /// The number of names of groups that are read at once.
    private static var groupsAtOnce: Int { 256 }

    /// The groups of which a learner is a member at an instant, in byte order.
    func groups(of learner: String, at instant: Timestamp) throws -> [LearnerGroup] {
        try groupIDs(of: learner, at: instant).compactMap { try group($0, at: instant) }
    }

    /// The names of all groups that learners ever joined, in byte order.
    package func groupNames() throws(EngineError) -> [String] {
        try EngineError.translating { try store.read { try $0.groupNames(after: "", limit: .max) } }
    }

    /// The names of the groups that any of some learners ever joined, in byte order.
    package func groupNames(of learners: [String]) throws(EngineError) -> [String] {
        try EngineError.translating {
            try store.read { reader in
                let found = try reader.learners(.subjects(learners.map { Array($0.utf8) })).compactMap(\.self)
                return try reader.groupNames(of: found.map(\.id))
            }
        }
    }

    /// The ids of the groups of which a learner is a member at an instant, in byte order.
    package func groupIDs(of learner: String, at instant: Timestamp) throws(EngineError) -> [String] {
        try EngineError.translating {
            try withState(of: learner, at: instant) { state, _ in
                state.memberships.all.filter(\.isOpen).map { String(decoding: $0.group, as: UTF8.self) }
            } ?? []
        }
    }
}

extension LearnerRecord {
    fileprivate var name: String { String(decoding: subject, as: UTF8.self) }
}

extension LearnerGroup {
    fileprivate init(id: String, _ reading: GroupReading) {
        self.init(
            id: id,
            kind: reading.kind,
            day: reading.day,
            members: reading.members.indices.map { Member(reading, $0) },
            streak: reading.streak.map(Streak.init),
            goals: reading.goals.map(Goal.init)
        )
    }
}

extension LearnerGroup.Member {
    fileprivate init(_ reading: GroupReading, _ index: Int) {
        let member = reading.members[index]
        self.init(
            learner: member.id,
            displayName: member.displayName,
            since: member.membership.spans.last?.first,
            practisedToday: member.active.contains(reading.day),
            shares: NumbersByName(reading.goals.map { .init(name: $0.rule.id, value: $0.shares[index]) })
        )
    }
}

extension LearnerGroup.Streak {
    fileprivate init(_ streak: GroupReading.Streak) {
        self.init(
            current: streak.current,
            longest: streak.longest,
            need: streak.need.text,
            needed: streak.need.count(of: streak.members),
            practised: streak.active,
            isReached: streak.isReached
        )
    }
}

extension LearnerGroup.Goal {
    fileprivate init(_ goal: GroupReading.Goal) {
        self.init(
            id: goal.rule.id,
            every: goal.rule.isWeekly ? "week" : "day",
            window: goal.window,
            sum: goal.rule.sum.rawValue,
            value: goal.value,
            target: goal.rule.target
        )
    }
}
