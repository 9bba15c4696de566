// SPDX-License-Identifier: Apache-2.0

/// A simulated person: properties that never change, and the present state of learning.
struct Learner {
    /// The learner's number, counted from 1.
    let number: UInt32
    let traits: EventRecord.Traits
    let home: UInt8
    let hasTablet: Bool
    /// The probability of practice on an ordinary day, in units of 1/10,000.
    let motivation: Int
    let rhythm: Rhythm
    let habit: Habit

    var random: Random
    var zone: UInt8
    var isActive = false
    /// The first day after a break on which the learner may practise again.
    var pausedUntil = 0
    /// The day of the flight home; 0 if the learner is at home.
    var awayUntil = 0
    /// The last day of practice. While the learner practises, it is the current day.
    var lastActive = -10
    /// The number of consecutive days with practice.
    var run = 0
    /// The share of utterances that are correct, 0 … 1.
    var skill: Float
    /// The event and session counters of the devices, indexed by `Device`.
    var counters: InlineArray<3, DeviceCounters> = .init(repeating: DeviceCounters())
    /// The courses. A learner has one or two.
    var courses: InlineArray<2, Course>
    /// The time until which the learner is busy, in milliseconds since the simulation began. No activity starts before
    /// this time.
    var busyUntil: Int64 = 0

    /// The numbers of a device's latest event and latest session.
    struct DeviceCounters {
        var events: UInt32 = 0
        var sessions: UInt32 = 0
    }

    /// - Parameter rank: the position of the learner's motivation among all learners, 0 ..< 1.
    init(number: UInt32, rank: Float, seed: UInt64) {
        self.number = number
        var random = Random(seed: seed, stream: UInt64(number))
        home = UInt8(random.below(Zone.all.count))
        zone = home
        var traits: EventRecord.Traits = random.happens(perMille: 450) ? .android : []
        if Zone.all[Int(home)].isFixed, random.happens(perMille: 600) { traits.insert(.writesOffset) }
        self.traits = traits
        hasTablet = random.happens(perMille: 300)
        motivation = 400 + Int(7330 * rank * rank * rank)
        rhythm = Rhythm.all[random.below(Rhythm.all.count)]
        habit = Habit(rawValue: UInt8(random.choice(among: Habit.shares))) ?? .evening
        skill = 0.15 + 0.4 * random.unit()
        let primary = Self.language(except: Zone.all[Int(home)].nativeLanguage, random: &random)
        courses = [Course(language: primary), Course(language: Language.none)]
        if random.happens(perMille: 150) {
            let secondary = UInt8((Int(primary) + random.between(1, 5)) % Language.tags.count)
            courses[1] = Course(language: secondary)
        }
        self.random = random
    }

    private static func language(except native: String, random: inout Random) -> UInt8 {
        let choice = random.choice(among: Language.shares)
        return UInt8(Language.tags[choice] == native ? (choice + 1) % Language.tags.count : choice)
    }

    /// Appends an event at the present time of `scene`. The event gets the next number of the device.
    mutating func note(_ happening: Happening, _ scene: Scene, _ queue: inout ArrivalQueue) {
        let device = Int(scene.device.rawValue)
        counters[device].events += 1
        queue.append(
            EventRecord(
                happening: happening,
                traits: traits.union(scene.device.traits),
                zone: zone,
                language: scene.course.map { courses[$0].language } ?? Language.none,
                time: scene.time,
                learner: number,
                number: counters[device].events,
                session: scene.session
            )
        )
    }
}

/// The circumstances of an activity.
struct Scene {
    var time: Int64
    var device: Device
    /// The index in `Learner.courses`; nil for activities without a language.
    var course: Int?
    var session = SessionReference.none

    /// Advances the time by a random number of milliseconds from `low` to `high`.
    mutating func wait(_ low: Int, _ high: Int, _ random: inout Random) {
        time += Int64(random.between(low, high))
    }
}
