// SPDX-License-Identifier: Apache-2.0

/// One simulated person: who they are (fixed at the start) and how their learning stands.
struct Learner {
    /// Counts from 1.
    let number: UInt32
    let traits: EventRecord.Traits
    let home: UInt8
    let hasTablet: Bool
    /// Chance of practising on an ordinary day, in 1/10 000.
    let motivation: Int
    let rhythm: Rhythm
    let habit: Habit

    var random: Random
    var zone: UInt8
    var isActive = false
    /// First day on which the learner may practise again after a break.
    var pausedUntil = 0
    /// Day of the flight home; 0 at home.
    var awayUntil = 0
    /// The last day of practice, today's once it has begun.
    var lastActive = -10
    /// Days practised in a row.
    var run = 0
    /// Share of what is said that comes out right, 0…1.
    var skill: Float
    /// By `Device`.
    var counters: InlineArray<2, DeviceCounters> = .init(repeating: DeviceCounters())
    /// One or two.
    var courses: InlineArray<2, Course>
    /// Nothing new is begun before.
    var busyUntil: Int64 = 0

    /// The last numbers given to an event and a session.
    struct DeviceCounters {
        var events: UInt32 = 0
        var sessions: UInt32 = 0
    }

    /// - Parameter rank: 0 ..< 1, how keen the learner is among all.
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

    /// Appends an event that happens now in `scene`, with the next number of its device.
    mutating func note(_ happening: Happening, _ scene: Scene, _ queue: inout ArrivalQueue) {
        let device = Int(scene.device.rawValue)
        counters[device].events += 1
        queue.append(
            EventRecord(
                happening: happening,
                traits: scene.device == .tablet ? traits.union(.tablet) : traits,
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

/// Where, when and in what a learner is at work.
struct Scene {
    var time: Int64
    var device: Device
    /// Place in `Learner.courses`; nil where no language is concerned.
    var course: Int?
    var session = SessionReference.none

    /// Lets between `low` and `high` milliseconds pass.
    mutating func wait(_ low: Int, _ high: Int, _ random: inout Random) {
        time += Int64(random.between(low, high))
    }
}
