// SPDX-License-Identifier: Apache-2.0

/// The time of day at which a learner usually practises.
enum Habit: UInt8 {
    case morning, lunch, afternoon, evening

    static let shares = [22, 13, 15, 50]

    /// The usual time, in minutes after local midnight.
    var usualMinute: Int {
        switch self {
        case .morning: 7 * 60 + 10
        case .lunch: 12 * 60 + 25
        case .afternoon: 16 * 60
        case .evening: 19 * 60 + 40
        }
    }
}

/// The weekly rhythm of practice. For each weekday from Monday on, it is the probability of practice, in percent of an
/// ordinary day.
enum Rhythm {
    case even, school, weekend

    static let all: [Rhythm] = [.even, .school, .weekend]

    func percent(weekday: Int) -> Int {
        switch self {
        case .even: 100
        case .school: weekday == 5 ? 45 : weekday == 6 ? 80 : weekday == 4 ? 90 : 120
        case .weekend: weekday >= 5 ? 170 : weekday == 0 ? 60 : 75
        }
    }
}

extension Learner {
    /// Decides if the learner practises on `day`, counted from 0. Updates travels and breaks.
    ///
    /// - Parameter encouragement: the part of the learner's reluctance that others take away, in thousandths.
    mutating func wake(on day: Int, weekday: Int, encouragement: Int = 0) {
        isActive = false
        if travels(on: day) || day < pausedUntil || takesBreak(on: day) { return }
        let practisedYesterday = lastActive == day - 1
        var chance = motivation * rhythm.percent(weekday: weekday) / 100
        chance = chance * (practisedYesterday ? 130 : 90) / 100
        chance += chance * max(0, 21 - day) / 60
        if awayUntil > 0 { chance = chance * 2 / 3 }
        chance += max(0, 10_000 - chance) * encouragement / 1000
        guard random.below(10_000) < min(chance, 9850) else { return }
        isActive = true
    }

    /// Records that the learner practised on `day`. If exactly one day was missed before, returns the number of
    /// consecutive days with practice before the missed day; otherwise 0.
    mutating func countDay(_ day: Int) -> Int {
        let lostRun = lastActive == day - 2 ? run : 0
        run = lastActive == day - 1 ? run + 1 : 1
        lastActive = day
        return lostRun
    }

    /// Moves the learner between home and abroad. Returns true on the day of a flight, on which the learner does not
    /// practise.
    private mutating func travels(on day: Int) -> Bool {
        if awayUntil == 0 {
            guard day > 2, random.oneIn(140) else { return false }
            let choices = traits.contains(.writesOffset) ? Zone.fixedCount : Zone.all.count
            zone = UInt8((Int(home) + random.between(1, choices - 1)) % choices)
            awayUntil = day + random.between(8, 15)
            return true
        }
        guard day == awayUntil else { return false }
        zone = home
        awayUntil = 0
        return true
    }

    /// Returns true if `day` is in a break, which lasts days to months. Motivated learners take fewer and shorter
    /// breaks.
    private mutating func takesBreak(on day: Int) -> Bool {
        guard day > 0, random.below(1000) < 6 + (9100 - motivation) / 700 else { return false }
        let keen = motivation > 4000
        let days =
            switch random.below(10) {
            case 0..<6: random.between(3, 10)
            case 6..<9: random.between(10, keen ? 25 : 45)
            default: random.between(30, keen ? 50 : 120)
            }
        pausedUntil = day + days
        return true
    }
}
