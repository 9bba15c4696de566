// SPDX-License-Identifier: Apache-2.0

/// Dialogs with the app alone, or with a friend. In a dialog with a friend, the two learners take turns line by line.
extension Learner {
    mutating func playDialog(_ scene: inout Scene, _ queue: inout ArrivalQueue) {
        openSession(&scene)
        let scenario = UInt8(random.below(Scenario.all.count))
        let start = scene.time
        note(
            .sessionStarted(
                mode: .solo,
                scenario: scenario,
                role: UInt8(random.below(2)),
                partner: Happening.noPartner
            ),
            scene,
            &queue
        )
        scene.wait(2000, 9000, &random)
        let planned = random.between(8, 20)
        let quits = random.happens(perMille: 45)
        var errors = 0
        for number in 1...(quits ? planned / 2 : planned) {
            let line = Happening.Line(scenario: scenario, number: UInt8(number))
            scene.wait(900, 4200, &random)
            errors += speak(line, duration: line.usualDuration(&random), &scene, &queue)
            if random.happens(perMille: 190) { meetWord(&scene, &queue) }
        }
        if !quits { note(.scenarioCompleted(scenario: scenario, errors: UInt8(min(errors, 255))), scene, &queue) }
        if !quits || random.happens(perMille: 600) {
            scene.wait(800, 4000, &random)
            let duration = reportedDuration(from: start, to: scene.time)
            note(
                .sessionEnded(mode: .solo, scenario: scenario, partner: Happening.noPartner, durationMs: duration),
                scene,
                &queue
            )
        }
        if random.happens(perMille: 4) {
            scene.wait(2000, 60_000, &random)
            note(.sessionDiscarded, scene, &queue)
        }
        scene.session = .none
    }

    /// Plays a game with a friend. Both phones show the same game, because lines, pauses and turns depend only on the
    /// meeting.
    mutating func play(_ meeting: Meeting, _ scene: inout Scene, _ queue: inout ArrivalQueue) {
        let isHost = number == meeting.host
        let mode: Happening.Mode = isHost ? .host : .client
        let partner = isHost ? meeting.guest : meeting.host
        var game = meeting.random
        var clock = meeting.start
        let scenario = UInt8(game.below(Scenario.all.count))
        scene.session = meeting.session
        if !isHost { scene.wait(400, 6000, &random) }
        let start = scene.time
        note(.sessionStarted(mode: mode, scenario: scenario, role: isHost ? 0 : 1, partner: partner), scene, &queue)
        clock += 8000
        var errors = 0
        for number in 1...game.between(14, 30) {
            let line = Happening.Line(scenario: scenario, number: UInt8(number))
            let duration = line.usualDuration(&game)
            clock += Int64(game.between(900, 3600))
            scene.time = clock
            let isOurs = (number % 2 == 1) == isHost
            if isOurs { errors += speak(line, duration: duration, &scene, &queue) }
            clock += Int64(duration) + 6000
            if game.happens(perMille: 80) {
                let helped = game.happens(perMille: 850)
                scene.time = clock
                let help: Happening = .helpGiven(to: partner, line: line)
                note(isOurs ? .repairMade(line: line, helped: helped, partner: partner) : help, scene, &queue)
                clock += 2500
            }
        }
        scene.time = clock
        scene.wait(300, 2000, &random)
        note(.scenarioCompleted(scenario: scenario, errors: UInt8(min(errors, 255))), scene, &queue)
        if game.happens(perMille: 600) { note(.teamWon(partner: partner), scene, &queue) }
        scene.wait(800, 4000, &random)
        let duration = reportedDuration(from: start, to: scene.time)
        note(.sessionEnded(mode: mode, scenario: scenario, partner: partner, durationMs: duration), scene, &queue)
        scene.session = .none
    }

    /// Starts a new session on the scene's device.
    mutating func openSession(_ scene: inout Scene) {
        let device = Int(scene.device.rawValue)
        counters[device].sessions += 1
        scene.session = SessionReference(
            owner: number,
            origin: scene.device == .tablet ? .tablet : .phone,
            number: counters[device].sessions
        )
    }

    /// Speaks or skips a line. Takes at most six seconds longer than `duration`. Returns the number of errors.
    private mutating func speak(
        _ line: Happening.Line,
        duration: Int,
        _ scene: inout Scene,
        _ queue: inout ArrivalQueue
    ) -> Int {
        scene.time += Int64(duration)
        if random.happens(perMille: 55) { note(.hintUsed(level: UInt8(random.below(3))), scene, &queue) }
        if random.happens(perMille: 30) {
            note(.lineSkipped(line: line), scene, &queue)
            return 0
        }
        let words = line.words
        let accuracy = min(100, max(8, random.around(74 + Int(25 * skill), spread: 20)))
        let errors = accuracy >= 97 ? 0 : min(words, (words * (100 - accuracy) + random.below(80)) / 100)
        let isPerfect = errors == 0 && random.happens(perMille: 700)
        note(
            .lineSpoken(
                line: line,
                accuracy: isPerfect ? 100 : UInt8(accuracy),
                errors: UInt8(errors),
                words: UInt8(words),
                durationMs: UInt32(duration)
            ),
            scene,
            &queue
        )
        skill += (0.97 - skill) * 0.0006
        if errors > 0, random.happens(perMille: 130) { reportError(in: line, &scene, &queue) }
        return errors
    }

    private mutating func reportError(
        in line: Happening.Line,
        _ scene: inout Scene,
        _ queue: inout ArrivalQueue
    ) {
        let kind = UInt8(random.below(Choices.errorKinds.count))
        scene.wait(80, 400, &random)
        note(.errorDetected(kind: kind, line: line), scene, &queue)
        guard random.happens(perMille: 600) else { return }
        scene.wait(1500, 5000, &random)
        note(.errorCorrected(kind: kind, line: line), scene, &queue)
    }

    /// The session's length in milliseconds, as an app reports it; 0 if the app omits it.
    private mutating func reportedDuration(from start: Int64, to end: Int64) -> UInt32 {
        random.happens(perMille: 40) ? 0 : UInt32((end - start + 5) / 10 * 10)
    }
}

extension Happening.Line {
    /// The number of words in the line. It is the same for all learners.
    var words: Int {
        3 + Int(scrambled(UInt64(scenario) << 8 | UInt64(number)) % 10)
    }

    /// The usual duration in milliseconds. It is a multiple of 10, because the app's clock has steps of ten
    /// milliseconds.
    func usualDuration(_ random: inout Random) -> Int {
        600 + words * 10 * random.between(24, 52) + 10 * random.below(60)
    }
}
