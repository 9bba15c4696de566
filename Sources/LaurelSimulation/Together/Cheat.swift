// SPDX-License-Identifier: Apache-2.0

/// A learner with a script that practises faster than a person can.
struct Cheat {
    /// The learner's index.
    let position: Int
    /// The day of the next burst of events.
    private(set) var day: Int
    var random: Random

    /// One learner in 200, but at least one.
    static func cheats(among learners: Range<Int>, seed: UInt64) -> [Cheat] {
        var random = Random(seed: seed, for: .cheats)
        return learners.parts(ofAtLeast: 200).map { part in
            let position = part.lowerBound + random.below(part.count)
            var own = Random(seed: random.next(), stream: 0)
            let day = own.between(3, 14)
            return Cheat(position: position, day: day, random: own)
        }
    }

    private init(position: Int, day: Int, random: Random) {
        self.position = position
        self.day = day
        self.random = random
    }

    mutating func planNextBurst() {
        day += random.between(4, 21)
    }
}

extension Learner {
    /// Sends a burst of spoken lines or reviews at night. Less than half a second lies between two events.
    mutating func cheat(on day: Int, _ random: inout Random, _ queue: inout ArrivalQueue) {
        let time = moment(on: day, minute: random.between(60, 270), &random)
        var scene = Scene(time: time, device: .phone, course: 0)
        openSession(&scene)
        let count = random.between(120, 400)
        let knowsWords = courses[0].words.count >= 5
        if random.happens(perMille: 500), knowsWords {
            reviewByScript(count, &scene, &random, &queue)
        } else {
            speakByScript(count, &scene, &random, &queue)
        }
        busyUntil = scene.time
    }

    /// Speaks the lines of a dialog again and again, without an error.
    private mutating func speakByScript(
        _ count: Int,
        _ scene: inout Scene,
        _ random: inout Random,
        _ queue: inout ArrivalQueue
    ) {
        let scenario = UInt8(random.below(Scenario.all.count))
        let start = scene.time
        note(
            .sessionStarted(mode: .solo, scenario: scenario, role: 0, partner: Happening.noPartner),
            scene,
            &queue
        )
        for number in 0..<count {
            let line = Happening.Line(scenario: scenario, number: UInt8(number % 20 + 1))
            scene.wait(150, 450, &random)
            note(
                .lineSpoken(
                    line: line,
                    accuracy: 100,
                    errors: 0,
                    words: UInt8(line.words),
                    durationMs: UInt32(10 * random.between(4, 14))
                ),
                scene,
                &queue
            )
        }
        scene.wait(150, 450, &random)
        let duration = UInt32(scene.time - start)
        note(
            .sessionEnded(mode: .solo, scenario: scenario, partner: Happening.noPartner, durationMs: duration),
            scene,
            &queue
        )
    }

    /// Grades the first words again and again. The app's plan of reviews stays as it is.
    private mutating func reviewByScript(
        _ count: Int,
        _ scene: inout Scene,
        _ random: inout Random,
        _ queue: inout ArrivalQueue
    ) {
        let known = min(courses[0].words.count, 30)
        for number in 0..<count {
            scene.wait(150, 450, &random)
            let word = Course.word(at: number % known, cohort: Classroom.cohort(of: self.number))
            let duration = UInt32(10 * random.between(4, 14))
            note(.reviewGraded(word: word, grade: .easy, durationMs: duration), scene, &queue)
        }
    }
}
