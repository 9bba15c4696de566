// SPDX-License-Identifier: Apache-2.0

/// All groups of one kind. A learner is in at most one of them.
struct Groups {
    private let kind: Happening.GroupKind
    private let seed: UInt64
    /// The memberships, in the order of the learners.
    private var memberships: ContiguousArray<Membership>
    /// The members of all groups, one group after another. The elements are indexes of learners.
    private var members: ContiguousArray<Int32> = []
    /// For each group, the end of its part of `members`.
    private var ends: ContiguousArray<Int> = []

    /// Founds groups of 2 to 5 friends. Friends live in the same region, and most friends study the same language. A
    /// quarter of the learners are in no such group.
    init(friendsAmong learners: ContiguousArray<Learner>, seed: UInt64) {
        self.init(.friends, count: learners.count, seed: seed)
        let regions = learners.map { Zone.all[Int($0.home)].region }
        let order = learners.indices.sorted {
            (regions[$0], learners[$0].courses[0].language, $0) < (regions[$1], learners[$1].courses[0].language, $1)
        }
        var random = Random(seed: seed, for: .friends)
        var start = 0
        while start < order.count {
            let region = regions[order[start]]
            let size = 1 + random.choice(among: [60, 20, 18, 10, 7])
            let friends = order[start...].prefix(size).prefix { regions[$0] == region }
            if friends.count > 1 { found(friends, before: 60, leaving: 120, &random) }
            start += friends.count
        }
    }

    /// Founds teams of 8 to 30 learners who enrolled one after another. Between two teams, some learners may be in none.
    init(teamsAmong learners: ContiguousArray<Learner>, seed: UInt64) {
        self.init(.team, count: learners.count, seed: seed)
        var random = Random(seed: seed, for: .teams)
        var start = 0
        while learners.count - start >= 8 {
            let team = start..<min(start + random.between(8, 30), learners.count)
            found(team, before: 10, leaving: 60, &random)
            start = team.upperBound + (random.happens(perMille: 250) ? random.between(1, 30) : 0)
        }
    }

    private init(_ kind: Happening.GroupKind, count: Int, seed: UInt64) {
        self.kind = kind
        self.seed = seed
        memberships = ContiguousArray(repeating: Membership(), count: count)
    }

    /// Founds a group on a random day before `end`. Within ten days, its members become ready to join.
    ///
    /// - Parameter leaving: the probability that a member leaves the group again, in thousandths.
    private mutating func found(
        _ people: some Collection<Int>,
        before end: Int,
        leaving: Int,
        _ random: inout Random
    ) {
        let first = random.below(end)
        for person in people {
            let joins = first + random.between(0, 10)
            let leaves = random.happens(perMille: leaving) ? joins + random.between(30, 300) : nil
            memberships[person] = Membership(group: ends.count + 1, joins: joins, leaves: leaves)
            members.append(Int32(person))
        }
        ends.append(members.count)
    }

    /// The joining or leaving of a learner on a day; nil on most days. Friends join on a day on which they practise.
    mutating func change(of position: Int, on day: Int, practises: Bool) -> Happening? {
        let membership = memberships[position]
        guard membership.group > 0 else { return nil }
        switch membership.stage {
        case .before where day >= membership.leaves:
            memberships[position].stage = .after
        case .before where day >= membership.joins && (practises || kind == .team):
            memberships[position].stage = .member
            return .groupJoined(kind: kind, number: membership.group)
        case .member where day >= membership.leaves:
            memberships[position].stage = .after
            return .groupLeft(kind: kind, number: membership.group)
        default: break
        }
        return nil
    }

    /// The part of a learner's reluctance to practise on a day that the group takes away, in thousandths. Nobody likes
    /// to break a common streak. On some days, the group has agreed to practise. On other days, friends who practised
    /// yesterday are an example.
    func encouragement(of position: Int, on day: Int, among learners: ContiguousArray<Learner>) -> Int {
        let membership = memberships[position]
        guard membership.stage == .member else { return 0 }
        var count = 0
        var practised = 0
        for other in others(than: position, in: Int(membership.group)) {
            count += 1
            if learners[other].lastActive == day - 1 { practised += 1 }
        }
        guard count > 0 else { return 0 }
        if practised == count, learners[position].lastActive == day - 1 { return 800 }
        let agreed = scrambled(seed ^ scrambled(UInt64(membership.group) << 20 | UInt64(day))) % 4 == 0
        return agreed ? 250 : 100 * practised / count
    }

    /// The other present members of a learner's group.
    private func others(than position: Int, in group: Int) -> some Sequence<Int> {
        let start = group == 1 ? 0 : ends[group - 2]
        return members[start..<ends[group - 1]].lazy.map { Int($0) }
            .filter { $0 != position && memberships[$0].stage == .member }
    }
}

/// A learner's place in a group.
private struct Membership {
    enum Stage: UInt8 { case before, member, after }

    /// The group's number, counted from 1; 0 for a learner without a group.
    let group: UInt32
    /// The day from which the learner is ready to join.
    let joins: UInt16
    /// The day on which the learner leaves. If the learner stays, the day is after every simulation.
    let leaves: UInt16
    var stage = Stage.before

    /// The place of a learner without a group.
    init() {
        group = 0
        joins = 0
        leaves = 0
    }

    init(group: Int, joins: Int, leaves: Int?) {
        self.group = UInt32(group)
        self.joins = UInt16(joins)
        self.leaves = leaves.map { UInt16($0) } ?? .max
    }
}
