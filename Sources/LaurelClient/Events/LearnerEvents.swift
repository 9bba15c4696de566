// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Events that a learner's device may send. Made by Clients/generate, but for the comments.
extension LearningEvent {
    /// `learner.updated`: the learner's profile; of each property the latest wins.
    /// - Parameters:
    ///   - displayName: as others see it.
    ///   - nativeLanguage: a tag, such as `de`.
    ///   - dailyGoalMinutes: 1 to 1440.
    ///   - cohort: such as a class; leaderboards and reports can be about one. Only administrators may send it: a service refuses
    ///     the event unless it comes with a key of scope `decree` or `admin`, or one whose types name `learner.updated`.
    ///   - leaderboard: whether leaderboards show the learner; they do unless it is false.
    ///   - leagues: whether the learner competes in leagues; they do unless it is false.
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

    /// `session.ended`: a practice session ends; what is absent is taken from its `session.started`.
    /// - Parameters:
    ///   - durationMs: 0 or more; where absent, the time since the start.
    ///   - mode: alone, or with others.
    ///   - scenario: your id of it.
    ///   - partner: who took part, too.
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

    /// `session.discarded`: voids every event of its session, itself included. Needs a session.
    public static func sessionDiscarded() -> LearningEvent {
        LearningEvent("session.discarded")
    }

    /// `line.spoken`: a line of a dialog was spoken.
    /// - Parameters:
    ///   - line: The line's id.
    ///   - text: what was said.
    ///   - translation: of the text.
    ///   - role: whom the learner played.
    ///   - accuracy: 0 to 1.
    ///   - errors: 0 or more.
    ///   - words: How many words it has; 0 or more.
    ///   - durationMs: 0 or more.
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

    /// `word.updated`: a word's details changed; those that are absent stay.
    public static func wordUpdated(word: String, _ details: WordDetails = WordDetails()) -> LearningEvent {
        LearningEvent("word.updated", ["word": word]).with(details)
    }

    /// `word.removed`: a word was removed; after that it starts afresh.
    public static func wordRemoved(word: String) -> LearningEvent {
        LearningEvent("word.removed", ["word": word])
    }

    /// `word.encountered`: a word was met.
    /// - Parameters:
    ///   - word: your id of the entry.
    ///   - count: How often, 0 or more; once where absent.
    ///   - category: by which you group words.
    public static func wordEncountered(word: String, count: Int? = nil, category: String? = nil) -> LearningEvent {
        LearningEvent("word.encountered", ["word": word, "count": count, "category": category])
    }

    /// `word.learned`: the learner says the word is learned.
    public static func wordLearned(word: String) -> LearningEvent {
        LearningEvent("word.learned", ["word": word])
    }

    /// `word.unlearned`: the learner takes `word.learned` back.
    public static func wordUnlearned(word: String) -> LearningEvent {
        LearningEvent("word.unlearned", ["word": word])
    }

    /// `word.imported`: a word with its schedule from elsewhere.
    /// - Parameters:
    ///   - word: your id of the entry.
    ///   - masteryLevel: 0 to 5.
    ///   - easeFactor: 1.3 or more.
    ///   - intervalDays: 1 to 36 500.
    ///   - stability: In days, more than 0.
    ///   - difficulty: 1 to 10.
    ///   - nextReviewAt: when it is due; nil where `intervalDays` says it.
    ///   - lastReviewedAt: nil where it is not known.
    ///   - totalReviews: 0 or more, as is `correctReviews`.
    ///   - correctReviews: those not graded again, of `totalReviews`.
    ///   - details: what people see of it.
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
    ///   - word: your id of the entry.
    ///   - grade: how well it was remembered.
    ///   - durationMs: 0 or more.
    ///   - mode: Your app's name for the kind of exercise.
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

    /// `repair.made`: a misunderstanding was repaired.
    /// - Parameters:
    ///   - helped: Whether it did; yes where absent.
    ///   - line: your id of the line.
    ///   - partner: who took part, too.
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
    ///   - scenario: your id of it.
    ///   - errors: 0 or more.
    public static func scenarioCompleted(scenario: String, errors: Int? = nil) -> LearningEvent {
        LearningEvent("scenario.completed", ["scenario": scenario, "errors": errors])
    }

    /// `team.won`: a team won together.
    public static func teamWon(partner: String? = nil) -> LearningEvent {
        LearningEvent("team.won", ["partner": partner])
    }

    /// `object.scanned`: an object in the room was recognised.
    /// - Parameters:
    ///   - label: what was recognised.
    ///   - confidence: 0 to 1.
    public static func objectScanned(label: String, confidence: Double? = nil) -> LearningEvent {
        LearningEvent("object.scanned", ["label": label, "confidence": confidence])
    }

    /// `conversation.ended`: a conversation with a character ended. Counts and durations are 0 or more.
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
    /// From a learner's device the event must be stored, or of the same source as the retraction; an administrator's event cannot be
    /// retracted from there.
    public static func eventRetracted(source: String, id: String) -> LearningEvent {
        LearningEvent("event.retracted", ["source": source, "id": id])
    }
}
