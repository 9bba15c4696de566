import LaurelEvents
import LaurelRules

/// What an event did to its word, as expressions see it.
package struct WordOutcome: Sendable {
    /// Whether the word exists after the event; the rest means nothing where it does not.
    package var exists = false
    package var isNew = false
    package var masteryBefore = 0
    package var learnedNow = false
    package var state = WordState()
}

/// Step 2: the word of a word or review event, in its vocabulary and in the counts of every track it belongs to.
extension Fold {
    func applyWord(_ table: EventTable, _ columns: EventColumns, _ track: TrackState?) {
        guard event.kind.concernsWord, let value = scratch.value(.word), value.kind == .text else {
            if plan.readsWords { publishOutcome() }
            return
        }
        let vocabulary = vocabulary(of: track ?? state.tracks[0])
        let index = vocabulary.index(of: columns.text(UInt32(value.payload)))
        let before = vocabulary[index]
        var word = before
        change(&word, table, columns)
        vocabulary[index] = word

        recount(state.tracks[0], before, word)
        if let track { recount(track, before, word) }
        if word.isKnown {
            let threshold = plan.rules.mastery.learnedAt
            event.word = WordOutcome(
                exists: true, isNew: !before.isKnown, masteryBefore: before.isKnown ? before.mastery : 0,
                learnedNow: word.isLearned(at: threshold) && !before.isLearned(at: threshold), state: word)
        }
        if let observer { observer.didChangeWord(event.word) }
        publishOutcome()
    }

    private func recount(_ track: TrackState, _ before: WordState, _ after: WordState) {
        let threshold = plan.rules.mastery.learnedAt
        track.words.count(before, learnedAt: threshold, by: -1)
        track.words.count(after, learnedAt: threshold, by: 1)
    }

    /// The words of a track's language; those of events without a language go with the overall track.
    private func vocabulary(of track: TrackState) -> Vocabulary {
        if let known = track.vocabulary { return known }
        let language = track.language ?? []
        let vocabulary: Vocabulary
        if let known = state.vocabularies.first(where: { $0.language == language }) {
            vocabulary = known
        } else {
            vocabulary = Vocabulary(language: language)
            state.vocabularies.append(vocabulary)
        }
        track.vocabulary = vocabulary
        return vocabulary
    }

    private func change(_ word: inout WordState, _ table: EventTable, _ columns: EventColumns) {
        let time = event.time
        switch event.kind {
        case .wordRemoved: word = WordState()
        case .wordUnlearned: word.isDeclaredLearned = false
        case .wordUpdated: break
        default:
            if !word.isKnown { plan.scheduler.begin(&word, at: time) }
        }
        switch event.kind {
        case .wordLearned: word.isDeclaredLearned = true
        case .wordImported: plan.scheduler.take(importedSchedule(table), into: &word, at: time)
        case .reviewGraded:
            if let grade = scratch.initial(.grade, columns).flatMap(Grade.init(initial:)) {
                plan.scheduler.review(&word, grade: grade, at: time)
            }
        default: break
        }
    }

    private func importedSchedule(_ table: EventTable) -> ImportedSchedule {
        var schedule = ImportedSchedule()
        schedule.masteryLevel = scratch.integer(.masteryLevel, table).map { Int($0) }
        schedule.easeFactor = scratch.number(.easeFactor, table)
        schedule.intervalDays = scratch.integer(.intervalDays, table).map { Int($0) }
        schedule.stability = scratch.number(.stability, table)
        schedule.difficulty = scratch.number(.difficulty, table)
        schedule.nextReviewAt = instant(.nextReviewAt, table)
        schedule.lastReviewedAt = instant(.lastReviewedAt, table)
        schedule.totalReviews = scratch.integer(.totalReviews, table)
        schedule.correctReviews = scratch.integer(.correctReviews, table)
        return schedule
    }

    private func instant(_ role: FieldRole, _ table: EventTable) -> Int64? {
        scratch.bytes(role, table).flatMap { bytes in
            bytes.withUnsafeBufferPointer { try? Timestamp(parsing: $0) }?.milliseconds
        }
    }

    private func publishOutcome() {
        let word = event.word
        func publish(_ name: FrameLayout.EventName, _ value: Double) {
            scratch.numbers[name.rawValue] = word.exists ? value : .nan
        }
        publish(.wordIsNew, word.isNew ? 1 : 0)
        publish(.wordMastery, Double(word.state.mastery))
        publish(.wordMasteryBefore, Double(word.masteryBefore))
        publish(.wordReviews, Double(word.state.reviews))
        publish(.wordIntervalDays, Double(word.state.intervalDays))
        publish(.wordLearnedNow, word.learnedNow ? 1 : 0)
    }

    func publishWords(_ track: TrackState) {
        track.numbers[track.layout.wordsKnown] = Double(track.words.known)
        track.numbers[track.layout.wordsLearned] = Double(track.words.learned)
        track.numbers[track.layout.wordsMastered] = Double(track.words.mastered)
    }
}
