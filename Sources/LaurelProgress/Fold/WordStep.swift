import LaurelEvents
import LaurelRules

/// Step 2: the word of a word or review event, in its vocabulary and in the counts of every track it belongs to.
extension FoldCore {
    mutating func applyWord(
        _ columns: EventColumns,
        _ language: UInt32,
        _ track: UnsafeMutablePointer<TrackValues>?
    ) {
        if case .reviewGraded = event.kind {
            event.grade = scratch.text(.grade, columns)?.first.flatMap(Grade.init(initial:))
        }
        guard let word = scratch.value(.word), case .text = word.kind else { return }
        let words = vocabulary(of: track ?? overall)
        let name = UInt32(truncatingIfNeeded: word.payload)
        let index = wordPlaces.place(ofText: name, tableStamp | UInt64(language)) {
            words.pointee.index(of: columns.bytes(name))
        }
        let threshold = plan.learnedAt
        // It stays where it is: nothing below adds words.
        let state = words.pointee.states.withUnsafeMutableBufferPointer { $0.baseAddress! + index }
        let before = WordPlace(state.pointee, learnedAt: threshold)
        let masteryBefore = before.isKnown ? state.pointee.mastery : 0
        if observer != nil { noteBefore(state.pointee) }
        change(&state.pointee, columns)
        let after = WordPlace(state.pointee, learnedAt: threshold)
        if before != after {
            overall.pointee.recount(before, after)
            track?.pointee.recount(before, after)
        }
        if !plan.wordDetails.isEmpty { takeWordDetails(words, index, before, after, columns) }
        event.word.exists = after.isKnown
        if after.isKnown {
            event.word.isNew = !before.isKnown
            event.word.masteryBefore = masteryBefore
            event.word.learnedNow = after.isLearned && !before.isLearned
            if plan.readsWords { publishWord(state.pointee) }
        }
        if observer != nil { tellDidChangeWord(state.pointee) }
    }

    /// Apart, as below.
    @inline(never)
    private mutating func noteBefore(_ word: WordState) { event.word.before = word }

    /// Apart, so that the outcome is copied only for an observer.
    @inline(never)
    private mutating func tellDidChangeWord(_ word: WordState) {
        event.word.state = word
        observer?.didChangeWord(event.word)
    }

    /// After a word event: the next event has no word until it says so.
    mutating func forgetWord() {
        event.word.exists = false
        event.word.isNew = false
        event.word.learnedNow = false
        for detail in plan.wordDetails { scratch.texts[detail.slot] = TextSlice() }
        guard plan.readsWords else { return }
        let (slots, numbers) = (plan.slots, scratch.numbers)
        numbers[slots.wordIsNew] = .nan
        numbers[slots.wordMastery] = .nan
        numbers[slots.wordMasteryBefore] = .nan
        numbers[slots.wordReviews] = .nan
        numbers[slots.wordIntervalDays] = .nan
        numbers[slots.wordLearnedNow] = .nan
    }

    private mutating func publishWord(_ word: WordState) {
        let (slots, numbers) = (plan.slots, scratch.numbers)
        numbers[slots.wordIsNew] = event.word.isNew ? 1 : 0
        numbers[slots.wordMastery] = Double(word.mastery)
        numbers[slots.wordMasteryBefore] = Double(event.word.masteryBefore)
        numbers[slots.wordReviews] = Double(word.reviews)
        numbers[slots.wordIntervalDays] = Double(word.intervalDays)
        numbers[slots.wordLearnedNow] = event.word.learnedNow ? 1 : 0
    }

    /// The words of a track's language; those of events without a language go with the overall track.
    private mutating func vocabulary(
        of track: UnsafeMutablePointer<TrackValues>
    ) -> UnsafeMutablePointer<VocabularyWords> {
        if let known = track.pointee.vocabulary { return known }
        let language = track.pointee.language ?? []
        let vocabulary: Vocabulary
        if let known = learner.vocabulary(language: language) {
            vocabulary = known
        } else {
            vocabulary = learner.addVocabulary(language: language)
        }
        track.pointee.vocabulary = vocabulary.words
        return vocabulary.words
    }

    private mutating func change(_ word: inout WordState, _ columns: EventColumns) {
        let time = event.time
        if case .reviewGraded = event.kind {
            if !word.isKnown { plan.scheduler.begin(&word, at: time) }
            if let grade = event.grade { plan.scheduler.review(&word, grade: grade, at: time) }
            return
        }
        switch event.kind {
        case .wordRemoved: word = WordState()
        case .wordUnlearned: word.isDeclaredLearned = false
        case .wordUpdated: break
        default:
            if !word.isKnown { plan.scheduler.begin(&word, at: time) }
        }
        switch event.kind {
        case .wordLearned: word.isDeclaredLearned = true
        case .wordImported: plan.scheduler.take(importedSchedule(columns), into: &word, at: time)
        default: break
        }
    }

    private mutating func importedSchedule(_ columns: EventColumns) -> ImportedSchedule {
        var schedule = ImportedSchedule()
        schedule.masteryLevel = scratch.integer(.masteryLevel, columns).map { Int($0) }
        schedule.easeFactor = scratch.number(.easeFactor, columns)
        schedule.intervalDays = scratch.integer(.intervalDays, columns).map { Int($0) }
        schedule.stability = scratch.number(.stability, columns)
        schedule.difficulty = scratch.number(.difficulty, columns)
        schedule.nextReviewAt = instant(.nextReviewAt, columns)
        schedule.lastReviewedAt = instant(.lastReviewedAt, columns)
        schedule.totalReviews = scratch.integer(.totalReviews, columns)
        schedule.correctReviews = scratch.integer(.correctReviews, columns)
        return schedule
    }

    private mutating func instant(_ role: FieldRole, _ columns: EventColumns) -> Int64? {
        scratch.text(role, columns).flatMap { try? Timestamp(parsing: $0) }?.milliseconds
    }
}

extension TrackValues {
    /// Counts a word out where it was and in where it is.
    mutating func recount(_ before: WordPlace, _ after: WordPlace) {
        words.count(before, by: -1)
        words.count(after, by: 1)
        numbers[layout.wordsKnown] = Double(words.known)
        numbers[layout.wordsLearned] = Double(words.learned)
        numbers[layout.wordsMastered] = Double(words.mastered)
        changes.insert(.words)
    }
}
