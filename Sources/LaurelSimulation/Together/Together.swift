// SPDX-License-Identifier: Apache-2.0

/// The friends, teams, cheats and absences that ``Simulation/Options/together`` adds to a class. Each of the four has
/// its own random numbers.
struct Together {
    private var friends: Groups
    private var teams: Groups
    private var cheats: [Cheat]
    private let absences: [Int: Absence]
    private let seed: UInt64

    init(_ learners: ContiguousArray<Learner>, seed: UInt64) {
        self.seed = seed
        friends = Groups(friendsAmong: learners, seed: seed)
        teams = Groups(teamsAmong: learners, seed: seed)
        cheats = Cheat.cheats(among: learners.indices, seed: seed)
        absences = Absence.absences(among: learners, seed: seed)
    }

    /// Wakes a learner, encouraged by friends. In an absence, the learner's habits do not matter.
    func wake(_ position: Int, on day: Int, weekday: Int, _ learners: inout ContiguousArray<Learner>) {
        let encouragement = friends.encouragement(of: position, on: day, among: learners)
        learners[position].wake(on: day, weekday: weekday, encouragement: encouragement)
        guard let attendance = absences[position]?.attendance(on: day) else { return }
        learners[position].isActive = attendance
        // A break that began during the absence is over.
        if attendance { learners[position].pausedUntil = day }
    }

    /// Runs the scripts of that night. A learner who is away does not cheat.
    mutating func cheat(on day: Int, _ learners: inout ContiguousArray<Learner>, _ queue: inout ArrivalQueue) {
        for index in cheats.indices where cheats[index].day == day {
            let position = cheats[index].position
            if absences[position]?.attendance(on: day) != false {
                learners[position].cheat(on: day, &cheats[index].random, &queue)
            }
            cheats[index].planNextBurst()
        }
    }

    /// Lets learners join and leave groups, after their practice on that day.
    mutating func changeGroups(
        on day: Int,
        _ learners: inout ContiguousArray<Learner>,
        _ queue: inout ArrivalQueue
    ) {
        for position in learners.indices {
            let practises = learners[position].lastActive == day
            if let change = friends.change(of: position, on: day, practises: practises) {
                learners[position].tell(change, on: day, seed: seed, &queue)
            }
            if let change = teams.change(of: position, on: day, practises: practises) {
                learners[position].tell(change, on: day, seed: seed, &queue)
            }
        }
    }
}

extension Learner {
    /// Lets the app's server send an event in the afternoon, or after the learner's practice.
    fileprivate mutating func tell(_ happening: Happening, on day: Int, seed: UInt64, _ queue: inout ArrivalQueue) {
        var random = Random(seed: scrambled(seed &+ UInt64(day)), stream: UInt64(number))
        busyUntil = moment(on: day, minute: random.between(14 * 60, 18 * 60), &random)
        note(happening, Scene(time: busyUntil, device: .server), &queue)
    }
}

extension Range<Int> {
    /// Equal parts of the range with at least `size` elements each. A shorter range is one part.
    func parts(ofAtLeast size: Int) -> [Range<Int>] {
        let parts = isEmpty ? 0 : Swift.max(1, count / size)
        return (0..<parts).map { lowerBound + count * $0 / parts..<lowerBound + count * ($0 + 1) / parts }
    }
}
