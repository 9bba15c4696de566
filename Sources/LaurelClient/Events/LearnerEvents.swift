// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Events that a learner's device may send. Clients/generate makes them, except the comments.
extension LearningEvent {
    /// `learner.updated`: the learner's profile. The latest value of each property is used.
    /// - Parameters:
    ///   - displayName: the name that others see.
    ///   - nativeLanguage: a language tag, such as `de`.
    ///   - dailyGoalMinutes: the practice goal in minutes a day, 1 to 1440.
    ///   - cohort: the learner's group, such as a class, which can have its own leaderboards and reports. Only
    ///     administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a key
    ///     whose types include `learner.updated`.
    ///   - leaderboard: false to hide the learner on leaderboards.
    ///   - leagues: false if the learner does not compete in leagues.
    public static func learnerUpdated(
        displayName: String? = nil,
        nativeLanguage: String? = nil,
        dailyGoalMinutes: Int? = nil,
        cohort: String? = nil,
        leaderboard: Bool? = nil,
        leagues: Bool? = nil
    ) -> LearningEvent {
        LearningEvent(
            "learner.updated",
            [
                "displayName": displayName, "nativeLanguage": nativeLanguage, "dailyGoalMinutes": dailyGoalMinutes,
                "cohort": cohort, "leaderboard": leaderboard, "leagues": leagues,
            ]
        )
    }

    /// `session.started`: a practice session begins.
    public static func sessionStarted(
        mode: SessionMode? = nil,
        scenario: String? = nil,
        role: String? = nil,
        partner: String? = nil,
        kind: String? = nil
    ) -> LearningEvent {
        LearningEvent(
            "session.started",
            ["mode": mode, "scenario": scenario, "role": role, "partner": partner, "kind": kind]
        )
    }

    /// `session.ended`: a practice session ends. Absent fields are copied from its `session.started`.
    /// - Parameters:
    ///   - durationMs: the duration in milliseconds, 0 or more; if absent, the time since the start.
    ///   - mode: practice alone or with other learners.
    ///   - scenario: the scenario's id, as your app gives it.
    ///   - partner: the practice partner.
    public static func sessionEnded(
        durationMs: Int? = nil,
        mode: SessionMode? = nil,
        scenario: String? = nil,
        partner: String? = nil
    ) -> LearningEvent {
        LearningEvent(
            "session.ended",
            ["durationMs": durationMs, "mode": mode, "scenario": scenario, "partner": partner]
        )
    }

    /// `session.discarded`: voids every event of its session, including itself. The event must have a session.
    public static func sessionDiscarded() -> LearningEvent {
        LearningEvent("session.discarded")
    }

    /// `line.spoken`: a line of a dialog was spoken.
    /// - Parameters:
    ///   - line: the line's id.
    ///   - text: the spoken text.
    ///   - translation: the translation of the text.
    ///   - role: the role that the learner played.
    ///   - accuracy: the accuracy, 0 to 1.
    ///   - errors: the number of mistakes; 0 or more.
    ///   - words: the number of words in the line; 0 or more.
    ///   - durationMs: the duration in milliseconds; 0 or more.
    public static func lineSpoken(
        line: String? = nil,
        text: String? = nil,
        translation: String? = nil,
        role: String? = nil,
        accuracy: Double? = nil,
        errors: Int? = nil,
        words: Int? = nil,
        durationMs: Int? = nil
    ) -> LearningEvent {
        LearningEvent(
            "line.spoken",
            [
                "line": line, "text": text, "translation": translation, "role": role, "accuracy": accuracy,
                "errors": errors, "words": words, "durationMs": durationMs,
            ]
        )
    }

    /// `line.skipped`: a line of a dialog was skipped.
    public static func lineSkipped(line: String? = nil) -> LearningEvent {
        LearningEvent("line.skipped", ["line": line])
    }

    /// `word.added`: a word was added to the vocabulary.
    public static func wordAdded(word: String, _ details: WordDetails = WordDetails()) -> LearningEvent {
        LearningEvent("word.added", ["word": word]).with(details)
    }

    /// `word.updated`: a word's details changed. Absent details are unchanged.
    public static func wordUpdated(word: String, _ details: WordDetails = WordDetails()) -> LearningEvent {
        LearningEvent("word.updated", ["word": word]).with(details)
    }

    /// `word.removed`: a word was removed. If it is added again, its schedule starts from the beginning.
    public static func wordRemoved(word: String) -> LearningEvent {
        LearningEvent("word.removed", ["word": word])
    }

    /// `word.encountered`: a word was met.
    /// - Parameters:
    ///   - word: the word's id, as your app gives it.
    ///   - count: the number of times, 0 or more; 1 if absent.
    ///   - category: the category in which your app groups the word.
    public static func wordEncountered(word: String, count: Int? = nil, category: String? = nil) -> LearningEvent {
        LearningEvent("word.encountered", ["word": word, "count": count, "category": category])
    }

    /// `word.learned`: the learner declares the word learned.
    public static func wordLearned(word: String) -> LearningEvent {
        LearningEvent("word.learned", ["word": word])
    }

    /// `word.unlearned`: the learner withdraws `word.learned`.
    public static func wordUnlearned(word: String) -> LearningEvent {
        LearningEvent("word.unlearned", ["word": word])
    }

    /// `word.imported`: a word was imported with its schedule from another program.
    /// - Parameters:
    ///   - word: the word's id, as your app gives it.
    ///   - masteryLevel: the mastery, 0 to 5.
    ///   - easeFactor: SM-2's ease factor, 1.3 or more.
    ///   - intervalDays: the interval between reviews in days, 1 to 36 500.
    ///   - stability: FSRS's stability in days, more than 0.
    ///   - difficulty: FSRS's difficulty, 1 to 10.
    ///   - nextReviewAt: the time when the next review is due; nil if `intervalDays` gives it.
    ///   - lastReviewedAt: the time of the last review; nil if unknown.
    ///   - totalReviews: the number of reviews, 0 or more.
    ///   - correctReviews: the number of these reviews with a grade other than `again`, 0 or more.
    ///   - details: the texts of the word.
    public static func wordImported(
        word: String,
        masteryLevel: Int? = nil,
        easeFactor: Double? = nil,
        intervalDays: Int? = nil,
        stability: Double? = nil,
        difficulty: Double? = nil,
        nextReviewAt: Date? = nil,
        lastReviewedAt: Date? = nil,
        totalReviews: Int? = nil,
        correctReviews: Int? = nil,
        _ details: WordDetails = WordDetails()
    ) -> LearningEvent {
        LearningEvent(
            "word.imported",
            [
                "word": word, "masteryLevel": masteryLevel, "easeFactor": easeFactor, "intervalDays": intervalDays,
                "stability": stability, "difficulty": difficulty, "nextReviewAt": nextReviewAt,
                "lastReviewedAt": lastReviewedAt, "totalReviews": totalReviews, "correctReviews": correctReviews,
            ]
        ).with(details)
    }

    /// `review.graded`: a review of a word was graded.
    /// - Parameters:
    ///   - word: the word's id, as your app gives it.
    ///   - grade: the ease of remembering the word.
    ///   - durationMs: the duration in milliseconds; 0 or more.
    ///   - mode: your app's name for the kind of exercise.
    public static func reviewGraded(
        word: String,
        grade: ReviewGrade,
        durationMs: Int? = nil,
        mode: String? = nil
    ) -> LearningEvent {
        LearningEvent("review.graded", ["word": word, "grade": grade, "durationMs": durationMs, "mode": mode])
    }

    /// `error.detected`: an error was detected.
    public static func errorDetected(
        kind: String? = nil,
        original: String? = nil,
        corrected: String? = nil,
        line: String? = nil
    ) -> LearningEvent {
        LearningEvent("error.detected", ["kind": kind, "original": original, "corrected": corrected, "line": line])
    }

    /// `error.corrected`: an error was corrected.
    public static func errorCorrected(kind: String? = nil, line: String? = nil) -> LearningEvent {
        LearningEvent("error.corrected", ["kind": kind, "line": line])
    }

    /// `repair.made`: a misunderstanding was cleared up.
    /// - Parameters:
    ///   - helped: false if the repair did not help; true if absent.
    ///   - line: the line's id, as your app gives it.
    ///   - partner: the practice partner.
    public static func repairMade(helped: Bool? = nil, line: String? = nil, partner: String? = nil) -> LearningEvent {
        LearningEvent("repair.made", ["helped": helped, "line": line, "partner": partner])
    }

    /// `help.given`: another learner was helped.
    public static func helpGiven(to: String? = nil, line: String? = nil) -> LearningEvent {
        LearningEvent("help.given", ["to": to, "line": line])
    }

    /// `hint.used`: a hint was used.
    public static func hintUsed(level: String? = nil) -> LearningEvent {
        LearningEvent("hint.used", ["level": level])
    }

    /// `scenario.completed`: a scenario was completed.
    /// - Parameters:
    ///   - scenario: the scenario's id, as your app gives it.
    ///   - errors: the number of mistakes; 0 or more.
    public static func scenarioCompleted(scenario: String, errors: Int? = nil) -> LearningEvent {
        LearningEvent("scenario.completed", ["scenario": scenario, "errors": errors])
    }

    /// `team.won`: a team won together.
    public static func teamWon(partner: String? = nil) -> LearningEvent {
        LearningEvent("team.won", ["partner": partner])
    }

    /// `object.scanned`: an object in the room was recognised.
    /// - Parameters:
    ///   - label: the recognised object.
    ///   - confidence: the confidence of the recognition, 0 to 1.
    public static func objectScanned(label: String, confidence: Double? = nil) -> LearningEvent {
        LearningEvent("object.scanned", ["label": label, "confidence": confidence])
    }

    /// `conversation.ended`: a conversation with a character ended. All counts and durations must be 0 or more.
    public static func conversationEnded(
        character: String? = nil,
        messages: Int? = nil,
        durationMs: Int? = nil,
        wordsUsed: Int? = nil,
        grammarErrors: Int? = nil,
        averageResponseMs: Int? = nil
    ) -> LearningEvent {
        LearningEvent(
            "conversation.ended",
            [
                "character": character, "messages": messages, "durationMs": durationMs, "wordsUsed": wordsUsed,
                "grammarErrors": grammarErrors, "averageResponseMs": averageResponseMs,
            ]
        )
    }

    /// `event.retracted`: voids one event of the same learner.
    ///
    /// A learner's device may retract an event that is stored, or that has the same source as the retraction. It cannot
    /// retract an administrator's event.
    public static func eventRetracted(source: String, id: String) -> LearningEvent {
        LearningEvent("event.retracted", ["source": source, "id": id])
    }
}
