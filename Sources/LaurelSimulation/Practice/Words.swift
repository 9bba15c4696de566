// SPDX-License-Identifier: Apache-2.0

/// Meeting new words, and reviewing known words.
extension Learner {
    /// Adds a new word, meets a new word in a dialog, or meets a known word again.
    mutating func meetWord(_ scene: inout Scene, _ queue: inout ArrivalQueue) {
        guard let course = scene.course else { return }
        let known = courses[course].words.count
        let cohort = Classroom.cohort(of: number)
        scene.wait(500, 3000, &random)
        guard known < 12 || random.happens(perMille: 600), known < Vocabulary.wordLimit else {
            let word = Course.word(at: random.below(known), cohort: cohort)
            return note(
                .wordEncountered(word: word, count: random.oneIn(5) ? UInt8(random.between(2, 3)) : 1),
                scene,
                &queue
            )
        }
        courses[course].words.append(WordMemory(metOn: lastActive))
        let word = Course.word(at: known, cohort: cohort)
        if random.happens(perMille: 750) {
            note(.wordAdded(word: word), scene, &queue)
        } else {
            note(.wordEncountered(word: word, count: 1), scene, &queue)
        }
    }

    /// Reviews at most 25 due words. Forgotten words are reviewed once more at the end.
    mutating func reviewWords(on day: Int, _ scene: inout Scene, _ queue: inout ArrivalQueue) {
        guard let course = scene.course, random.happens(perMille: 900) else { return }
        var deck = dueWords(of: course, on: day)
        guard deck.count >= 4 else { return }
        if random.happens(perMille: 400) { openSession(&scene) }
        let count = deck.count
        var position = 0
        while position < deck.count {
            let index = deck[position]
            let grade = grade(courses[course].words[index], on: day, again: position >= count)
            review(index, grade, on: day, &scene, &queue)
            if grade == .again, position < count { deck.append(index) }
            position += 1
        }
        if random.happens(perMille: 6) { retractLast(&scene, &queue) }
        scene.session = .none
    }

    /// The words that are due. The search starts at a random position, so that every word is reviewed sooner or later,
    /// even if too many words are due.
    private mutating func dueWords(of course: Int, on day: Int) -> [Int] {
        let words = courses[course].words
        guard !words.isEmpty else { return [] }
        let most = random.between(10, 25)
        let start = random.below(words.count)
        var deck: [Int] = []
        for step in words.indices {
            let index = start + step < words.count ? start + step : start + step - words.count
            guard Int(words[index].due) <= day else { continue }
            deck.append(index)
            if deck.count == most { break }
        }
        return deck
    }

    private mutating func grade(_ word: WordMemory, on day: Int, again: Bool) -> Happening.Grade {
        let recall = again ? 0.93 : word.recall(on: day) * (0.92 + 0.08 * skill)
        guard random.unit() < recall else { return .again }
        return switch random.below(100) {
        case 0..<14: .hard
        case 14..<80: .good
        default: .easy
        }
    }

    private mutating func review(
        _ index: Int,
        _ grade: Happening.Grade,
        on day: Int,
        _ scene: inout Scene,
        _ queue: inout ArrivalQueue
    ) {
        guard let course = scene.course else { return }
        let slowness = grade == .again ? 260 : grade == .hard ? 180 : 100
        let duration = 10 * (random.around(240, spread: 140) * slowness / 100)
        let word = Course.word(at: index, cohort: Classroom.cohort(of: number))
        scene.wait(300, 1500, &random)
        scene.time += Int64(duration)
        note(.reviewGraded(word: word, grade: grade, durationMs: UInt32(duration)), scene, &queue)
        let before = courses[course].words[index].stability
        courses[course].words[index].review(grade, on: day)
        if before < 45, courses[course].words[index].stability >= 45, random.happens(perMille: 150) {
            scene.wait(400, 1500, &random)
            note(.wordLearned(word: word), scene, &queue)
        }
    }

    /// Retracts the device's last event, as a user does after a mistaken tap.
    private mutating func retractLast(_ scene: inout Scene, _ queue: inout ArrivalQueue) {
        scene.wait(1000, 5000, &random)
        let last = counters[Int(scene.device.rawValue)].events
        note(.eventRetracted(number: last, device: scene.device), scene, &queue)
    }
}
