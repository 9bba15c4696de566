// SPDX-License-Identifier: Apache-2.0

/// Rare activities.
extension Learner {
    mutating func doSomethingElse(on day: Int, _ scene: inout Scene, _ queue: inout ArrivalQueue) {
        scene.wait(20_000, 300_000, &random)
        switch random.below(100) {
        case 0..<40: talk(&scene, &queue)
        case 40..<75: scanRoom(&scene, &queue)
        case 75..<92:
            let solo = random.happens(perMille: 700)
            note(
                .questFinished(kind: UInt8(random.below(3)), difficulty: UInt8(random.between(1, 5)), solo: solo),
                scene,
                &queue
            )
        case 92..<96:
            scene.course = nil
            note(.goalChanged(goalMinutes: [5, 10, 15, 20, 30, 45][random.below(6)]), scene, &queue)
        default: adjustExperience(scene, &queue)
        }
    }

    /// Holds a free conversation with a character of the app.
    private mutating func talk(_ scene: inout Scene, _ queue: inout ArrivalQueue) {
        let messages = random.between(4, 24)
        let duration = messages * 10 * random.between(600, 1900)
        scene.time += Int64(duration)
        note(
            .conversationEnded(
                character: UInt8(random.below(Choices.characters.count)),
                messages: UInt8(messages),
                words: UInt16(messages * random.between(4, 11)),
                errors: UInt8(random.below(messages)),
                durationMs: UInt32(duration)
            ),
            scene,
            &queue
        )
    }

    private mutating func scanRoom(_ scene: inout Scene, _ queue: inout ArrivalQueue) {
        for _ in 0..<random.between(1, 5) {
            scene.wait(1500, 9000, &random)
            note(
                .objectScanned(
                    concept: UInt8(random.below(90)),
                    confidence: UInt8(random.between(55, 99))
                ),
                scene,
                &queue
            )
        }
    }

    private mutating func adjustExperience(_ scene: Scene, _ queue: inout ArrivalQueue) {
        let amount = 5 * random.between(2, 20)
        let scene = Scene(time: scene.time, device: scene.device)
        note(
            .experienceAdjusted(
                amount: Int16(random.oneIn(6) ? -amount : amount),
                reason: UInt8(random.below(Choices.adjustmentReasons.count))
            ),
            scene,
            &queue
        )
    }

    mutating func repairStreak(on day: Int, _ scene: Scene, _ queue: inout ArrivalQueue) {
        note(.streakRepaired(day: Int32(day - 1)), Scene(time: scene.time, device: scene.device), &queue)
    }

    /// Plans a day off, and uses a streak freeze for that day.
    mutating func freezeStreak(after day: Int, _ queue: inout ArrivalQueue) {
        busyUntil += 20 * Clock.second
        note(.streakFrozen(day: Int32(day + 1)), Scene(time: busyUntil, device: .phone), &queue)
        pausedUntil = day + 2
    }
}
