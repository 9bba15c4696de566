// SPDX-License-Identifier: Apache-2.0

/// All learners of a simulation, and who plays with whom.
struct Classroom {
    private var learners: ContiguousArray<Learner> = []
    /// The circles of four learners who play together, one circle after another. The elements are indexes into
    /// `learners`; -1 for an empty seat.
    private var circles: [Int32] = []
    /// For each learner, the index of the learner's seat in `circles`.
    private var seats: [Int32]
    private let seed: UInt64
    private let firstWeekday: Int
    private let visits: Int?
    private var together: Together?

    /// - Parameters:
    ///   - firstWeekday: the weekday of the first day; 0 is Monday.
    ///   - visits: the number of visits of each learner per day; nil for realistic habits.
    ///   - together: true with friends, teams, cheats and absences.
    init(count: Int, seed: UInt64, firstWeekday: Int, visits: Int?, together: Bool) {
        self.seed = seed
        self.firstWeekday = firstWeekday
        self.visits = visits
        seats = Array(repeating: -1, count: count)
        learners.reserveCapacity(count)
        var random = Random(seed: seed, stream: 0)
        // Multiples of the golden ratio have fractional parts that are spread evenly over 0 ..< 1. So every class has
        // the same mix of motivations.
        var rank = random.next()
        for number in 0..<count {
            rank &+= 0x9E37_79B9_7F4A_7C15
            learners.append(Learner(number: UInt32(number + 1), rank: Float(rank >> 40) * 0x1p-24, seed: seed))
        }
        seatPlayers()
        if together { self.together = Together(learners, seed: seed) }
    }

    /// The number of a learner's class. A class has 24 learners.
    static func cohort(of learner: UInt32) -> UInt32 { (learner - 1) / 24 }

    /// Seats learners with the same language and region in circles, in the order in which they enrolled.
    private mutating func seatPlayers() {
        var open = Array(repeating: -1, count: Language.tags.count * Zone.regionCount)
        for position in learners.indices {
            let region = Zone.all[Int(learners[position].home)].region
            let table = Int(learners[position].courses[0].language) * Zone.regionCount + region
            if open[table] < 0 {
                open[table] = circles.count
                circles.append(contentsOf: [-1, -1, -1, -1])
            }
            circles[open[table]] = Int32(position)
            seats[position] = Int32(open[table])
            open[table] += 1
            if open[table] % 4 == 0 { open[table] = -1 }
        }
    }

    /// Appends the events of all learners on `day` of their local calendars.
    mutating func live(through day: Int, into queue: inout ArrivalQueue) {
        let weekday = (firstWeekday + day) % 7
        together?.cheat(on: day, &learners, &queue)
        for position in learners.indices {
            if day == 0 { learners[position].enrol(into: &queue) }
            if let visits {
                learners[position].live(on: day, visits: visits, into: &queue)
            } else if let together {
                together.wake(position, on: day, weekday: weekday, &learners)
            } else {
                learners[position].wake(on: day, weekday: weekday)
            }
        }
        for position in learners.indices where learners[position].isActive {
            let meeting = day > 0 ? meeting(of: position, on: day) : nil
            learners[position].live(on: day, weekday: weekday, meeting: meeting, into: &queue)
        }
        together?.changeGroups(on: day, &learners, &queue)
    }

    /// The game that a learner plays with another on that day; nil if they do not play. Both get the same meeting.
    private func meeting(of position: Int, on day: Int) -> Meeting? {
        let seat = Int(seats[position])
        // One of the other three is the usual partner. Each of the other two is the partner on one fixed day.
        let partnerSeat = seat ^ [1, 1, 2, 1, 3, 1, 1][day % 7]
        guard circles[partnerSeat] >= 0 else { return nil }
        let partner = Int(circles[partnerSeat])
        guard learners[partner].isActive, learners[partner].awayUntil == 0, learners[position].awayUntil == 0 else {
            return nil
        }
        let (host, guest) = seat < partnerSeat ? (position, partner) : (partner, position)
        var random = Random(seed: scrambled(seed &+ UInt64(day)), stream: UInt64(host))
        guard random.happens(perMille: 700) else { return nil }
        let offset = Int64(Zone.all[Int(learners[host].home)].offset) * Clock.minute
        let start = Int64(day) * Clock.day - offset + 17 * Clock.hour + Int64(random.below(Int(90 * Clock.minute)))
        return Meeting(
            host: learners[host].number,
            guest: learners[guest].number,
            day: day,
            start: start,
            random: random
        )
    }
}

/// A game that two learners play together, each on a separate phone.
struct Meeting {
    let host: UInt32
    let guest: UInt32
    let day: Int
    let start: Int64
    /// The random numbers for all parts of the game that both learners see.
    let random: Random

    var session: SessionReference {
        SessionReference(owner: host, origin: .game, number: UInt32(day + 1))
    }
}
