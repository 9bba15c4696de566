// SPDX-License-Identifier: Apache-2.0

/// A day with practice: a dialog and a review of due words. Sometimes there is also a second visit or a rarer activity.
extension Learner {
    /// Creates the learner's profile on the first day. The hour is chosen so that the learner is awake, and so that the
    /// UTC date is also the first day.
    mutating func enrol(into queue: inout ArrivalQueue) {
        let offset = Zone.all[Int(home)].offset
        let minute = random.between(max(7 * 60, offset), min(21 * 60, 22 * 60 + offset))
        busyUntil = Int64(minute - offset) * Clock.minute
        var scene = Scene(time: moment(on: 0, minute: minute), device: .phone)
        note(.profileSet(goalMinutes: [5, 10, 15, 15, 15, 30][random.below(6)]), scene, &queue)
        for course in courses.indices where courses[course].language != Language.none {
            guard random.happens(perMille: 700) else { continue }
            scene.course = course
            scene.wait(4000, 20_000, &random)
            let shares = course == 0 ? [50, 30, 15, 5] : [80, 20]
            note(.levelDeclared(level: UInt8(random.choice(among: shares))), scene, &queue)
        }
        busyUntil = scene.time
    }

    mutating func live(on day: Int, weekday: Int, meeting: Meeting?, into queue: inout ArrivalQueue) {
        let lostRun = countDay(day)
        let late = weekday >= 5 && habit == .morning ? 130 : 0
        let usual = moment(on: day, minute: random.around(habit.usualMinute + late, spread: 70))
        var scene = Scene(time: usual, device: device(), course: course())
        if let meeting {
            scene = Scene(time: meeting.start, device: .phone, course: 0)
            play(meeting, &scene, &queue)
        } else {
            if lostRun >= 4, random.happens(perMille: 120) { repairStreak(on: day, scene, &queue) }
            if random.happens(perMille: 860) { playDialog(&scene, &queue) }
        }
        scene.wait(5000, 90_000, &random)
        reviewWords(on: day, &scene, &queue)
        if random.happens(perMille: 170) { doSomethingElse(on: day, &scene, &queue) }
        busyUntil = scene.time
        if random.happens(perMille: 190) { comeBack(on: day, after: scene, &queue) }
        if run > 5, random.happens(perMille: 12) { freezeStreak(after: day, &queue) }
    }

    /// A day of a learner with a fixed number of visits. The visits are spread over the waking hours.
    mutating func live(on day: Int, visits: Int, into queue: inout ArrivalQueue) {
        _ = countDay(day)
        for visit in 0..<visits {
            let minute = 7 * 60 + visit * 16 * 60 / visits + random.below(20)
            var scene = Scene(time: moment(on: day, minute: minute), device: device(), course: course())
            playDialog(&scene, &queue)
            scene.wait(5000, 90_000, &random)
            reviewWords(on: day, &scene, &queue)
            if random.happens(perMille: 170) { doSomethingElse(on: day, &scene, &queue) }
            busyUntil = scene.time
        }
    }

    /// Adds a second visit, some hours after the first, if enough of the day is left.
    private mutating func comeBack(on day: Int, after first: Scene, _ queue: inout ArrivalQueue) {
        let early = habit == .morning || habit == .lunch
        var scene = first
        scene.wait(early ? 14_000_000 : 1_200_000, early ? 30_000_000 : 3_000_000, &random)
        scene.device = device()
        if random.happens(perMille: 650) { playDialog(&scene, &queue) }
        scene.wait(3000, 60_000, &random)
        reviewWords(on: day, &scene, &queue)
        busyUntil = scene.time
    }

    private mutating func device() -> Device {
        hasTablet && random.happens(perMille: 280) ? .tablet : .phone
    }

    private mutating func course() -> Int {
        courses[1].language != Language.none && random.happens(perMille: 280) ? 1 : 0
    }

    /// A random moment within a given minute of the local day. If the learner is still busy at that time, the moment is
    /// shortly after the end of the current activity.
    private mutating func moment(on day: Int, minute: Int) -> Int64 {
        var own = random
        defer { random = own }
        return moment(on: day, minute: minute, &own)
    }

    /// The same with other random numbers than the learner's own.
    func moment(on day: Int, minute: Int, _ random: inout Random) -> Int64 {
        let local = Int64(day) * Clock.day + Int64(minute) * Clock.minute
        let chosen = local - Int64(Zone.all[Int(zone)].offset) * Clock.minute + Int64(random.below(60_000))
        return max(chosen, busyUntil + 30 * Clock.second + Int64(random.below(60_000)))
    }
}
