// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Step 2: updates the event's word in its vocabulary, and the word counts of the tracks.
extension FoldCore {
    mutating func applyWord(_ language: UInt32, _ track: UnsafeMutablePointer<TrackValues>?) {
        if case .reviewGraded = event.kind {
            event.grade = scratch.text(.grade, columns)?.first.flatMap(Grade.init(initial:))
            if event.grade != .again { counts.correctReviews &+= 1 }
        }
        guard let word = scratch.value(.word), case .text = word.kind else {
            if event.word.exists { forgetWord() }
            return
        }
        let words = (track ?? overall).pointee.vocabulary ?? vocabulary(of: track ?? overall)
        let (name, columns) = (UInt32(truncatingIfNeeded: word.payload), columns)
        let index = wordIndexes.index(ofText: name, tableStamp | UInt64(language)) {
            words.pointee.index(of: columns.bytes(name))
        }
        // The address stays valid, because no word is added until the end of this function.
        let state = words.pointee.states.withUnsafeMutableBufferPointer { $0.baseAddress! + index }
        let before = WordCategory(state.pointee, learnedAt: plan.learnedAt)
        let masteryBefore = before.isKnown ? state.pointee.mastery : 0
        if observer != nil { noteBefore(state.pointee) }
        change(&state.pointee, track)
        let after = WordCategory(state.pointee, learnedAt: plan.learnedAt)
        if before != after { recount(before, after, track) }
        if !plan.wordDetails.isEmpty { storeWordDetails(words, index, before, after) }
        if after.isKnown {
            event.word.exists = true
            event.word.isNew = !before.isKnown
            event.word.masteryBefore = masteryBefore
            event.word.learnedNow = after.isLearned && !before.isLearned
            if plan.readsWords { publishWord(state) }
        } else if event.word.exists {
            forgetWord()
        }
        if observer != nil { notifyDidChangeWord(state.pointee, track) }
    }

    /// Stores the word before its change, for the observer. A separate function, so that the word is copied only if
    /// there is an observer.
    @inline(never)
    private mutating func noteBefore(_ word: WordState) { event.word.before = word }

    @inline(never)
    private mutating func recount(
        _ before: WordCategory,
        _ after: WordCategory,
        _ track: UnsafeMutablePointer<TrackValues>?
    ) {
        if after.isKnown {
            if !before.isKnown { counts.newWords &+= 1 }
            if after.isLearned && !before.isLearned { counts.learnedWords &+= 1 }
        }
        overall.pointee.recount(before, after)
        track?.pointee.recount(before, after)
    }

    /// Reports a changed word to the observer. A separate function, so that the outcome is copied only if there is an
    /// observer.
    @inline(never)
    private mutating func notifyDidChangeWord(_ word: WordState, _ track: UnsafeMutablePointer<TrackValues>?) {
        event.word.state = word
        event.word.grade = event.kind == .reviewGraded ? event.grade : nil
        let scheduler = scheduler(of: track)
        event.word.daysSinceReview = scheduler.daysSinceReview(event.word.before, at: reviewTime)
        event.word.recall = scheduler.recall(event.word.before, at: reviewTime)
        observer?.didChangeWord(event.word)
    }

    /// Clears the word of the previous event, because the present event has no word.
    @inline(never)
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

    @inline(__always)
    private mutating func publishWord(_ word: UnsafePointer<WordState>) {
        let (slots, numbers) = (plan.slots, scratch.numbers)
        numbers[slots.wordIsNew] = event.word.isNew ? 1 : 0
        guard plan.readsMoreOfWords else { return }
        numbers[slots.wordMastery] = Double(word.pointee.mastery)
        numbers[slots.wordMasteryBefore] = Double(event.word.masteryBefore)
        numbers[slots.wordReviews] = Double(word.pointee.reviews)
        numbers[slots.wordIntervalDays] = Double(word.pointee.intervalDays)
        numbers[slots.wordLearnedNow] = event.word.learnedNow ? 1 : 0
    }

    /// Returns the vocabulary of a track's language, and creates it on first use. The words of events without a
    /// language belong to the overall track.
    @inline(never)
    private mutating func vocabulary(
        of track: UnsafeMutablePointer<TrackValues>
    ) -> UnsafeMutablePointer<VocabularyWords> {
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

    @inline(__always)
    private mutating func change(_ word: inout WordState, _ track: UnsafeMutablePointer<TrackValues>?) {
        guard case .reviewGraded = event.kind else { return changeOtherwise(&word, track) }
        if !word.isKnown { begin(&word) }
        guard let grade = event.grade else { return }
        if plan.isSM2 {
            word.review(grade, at: reviewTime) { SM2.review(&$0, grade: grade) }
        } else {
            reviewByScheduler(&word, grade, track)
        }
    }

    private var reviewTime: ReviewTime { ReviewTime(event.time, event.day) }

    /// A separate function, because each call copies the scheduler.
    @inline(never)
    private mutating func reviewByScheduler(
        _ word: inout WordState,
        _ grade: Grade,
        _ track: UnsafeMutablePointer<TrackValues>?
    ) {
        scheduler(of: track).review(&word, grade: grade, at: reviewTime)
    }

    @inline(never)
    private mutating func begin(_ word: inout WordState) { plan.scheduler.begin(&word, at: reviewTime) }

    @inline(never)
    private mutating func changeOtherwise(_ word: inout WordState, _ track: UnsafeMutablePointer<TrackValues>?) {
        switch event.kind {
        case .wordRemoved: word = WordState()
        case .wordUnlearned: word.isDeclaredLearned = false
        case .wordUpdated: break
        default: if !word.isKnown { begin(&word) }
        }
        switch event.kind {
        case .wordLearned: word.isDeclaredLearned = true
        case .wordImported:
            scheduler(of: track).take(importedSchedule(columns), into: &word, at: reviewTime)
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
        if let last = schedule.lastReviewedAt { schedule.lastReviewDay = days.day(of: last) }
        schedule.totalReviews = scratch.integer(.totalReviews, columns)
        schedule.correctReviews = scratch.integer(.correctReviews, columns)
        return schedule
    }

    private mutating func instant(_ role: FieldRole, _ columns: EventColumns) -> Int64? {
        scratch.text(role, columns).flatMap { try? Timestamp(parsing: $0) }?.milliseconds
    }
}

extension TrackValues {
    /// Moves a word from one count to another.
    mutating func recount(_ before: WordCategory, _ after: WordCategory) {
        counts.words.count(before, by: -1)
        counts.words.count(after, by: 1)
        numbers[layout.wordsKnown] = Double(counts.words.known)
        numbers[layout.wordsLearned] = Double(counts.words.learned)
        numbers[layout.wordsMastered] = Double(counts.words.mastered)
        changes.insert(.words)
    }
}
