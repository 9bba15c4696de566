// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelStore

/// The tables that have rows for each learner.
extension ReportTable {
    private static let learnersKey: [ReportColumn<LearnerFacts>] = [ReportColumn("learner", \.learner)]

    private static let learnersColumns: [ReportColumn<LearnerFacts>] = [
        ReportColumn("events", \.storedEvents),
        ReportColumn("display_name", \.displayName),
        ReportColumn("cohort", \.cohort),
        ReportColumn("native_language", \.nativeLanguage),
        ReportColumn("daily_goal_minutes", \.dailyGoalMinutes),
        ReportColumn("leaderboard", \.isOnLeaderboards),
        ReportColumn("daily_goal_set", needs: .goal, \.hasSetGoal),
        ReportColumn("today", \.today),
        ReportColumn("as_of") { "\($0.asOf)" },
    ]

    static let learners = ReportTable(
        "learners",
        key: learnersKey,
        learnersColumns
    ) { facts, _ in [facts] }

    private static let wordsKey: [ReportColumn<WordRow>] = [
        ReportColumn("learner", \.learner),
        ReportColumn("language") { $0.word.language ?? "" },
        ReportColumn("word", \.word.id),
    ]

    private static let wordsColumns: [ReportColumn<WordRow>] = [
        ReportColumn("name") { WordName.of($0.word.id, text: $0.word.text, language: $0.word.language) },
        ReportColumn("text", \.word.text),
        ReportColumn("translation", \.word.translation),
        ReportColumn("part_of_speech", \.word.partOfSpeech),
        ReportColumn("category", \.word.category),
        ReportColumn("mastery", \.word.mastery),
        ReportColumn("bucket", \.word.bucket.rawValue),
        ReportColumn("reviews", \.word.reviews),
        ReportColumn("correct", \.word.correctReviews),
        ReportColumn("interval_days", \.word.intervalDays),
        ReportColumn("ease_factor", \.word.easeFactor),
        ReportColumn("stability", \.word.stability),
        ReportColumn("difficulty", \.word.difficulty),
        ReportColumn("next_review_at", \.word.nextReviewAt),
        ReportColumn("next_review_day", \.day),
        ReportColumn("first_seen_at", \.word.firstSeenAt),
        ReportColumn("last_reviewed_at", \.word.lastReviewedAt),
        ReportColumn("learned_at", \.word.learnedAt),
        ReportColumn("encounters", \.word.encounters),
        ReportColumn("learned", \.word.isLearned),
        ReportColumn("due", \.word.isDue),
        ReportColumn("lapses", needs: .lapses, \.lapses),
    ]

    static let words = ReportTable(
        "words",
        .words,
        isForOneLearner: true,
        key: wordsKey,
        wordsColumns
    ) { facts, source in
        facts.words.map { word in
            let day = facts.day(of: word.nextReviewAt.milliseconds, dayStart: source.plan.clock.dayStart)
            let lapses = facts.lapses.isEmpty ? 0 : facts.lapses[WordKey(word), default: 0]
            return WordRow(learner: facts.learner, word: word, day: day, lapses: lapses)
        }
    }

    private static let sessionsKey: [ReportColumn<LearnerRow<SessionReport>>] = [
        ReportColumn("learner", \.learner),
        ReportColumn("started_ms", \.item.startedAt.milliseconds),
        ReportColumn("session", \.item.id),
    ]

    private static let sessionsColumns: [ReportColumn<LearnerRow<SessionReport>>] = [
        ReportColumn("language", \.item.language),
        ReportColumn("started_at", \.item.startedAt),
        ReportColumn("ended_at", \.item.endedAt),
        ReportColumn("mode", \.item.mode),
        ReportColumn("scenario", \.item.scenario),
        ReportColumn("partner", \.item.partner),
        ReportColumn("duration_ms", \.item.durationMs),
        ReportColumn("lines", \.item.linesSpoken),
        ReportColumn("words", \.item.wordsEncountered),
        ReportColumn("new_words", \.item.newVocabulary),
        ReportColumn("errors", \.item.errorsDetected),
        ReportColumn("errors_corrected", \.item.errorsCorrected),
        ReportColumn("xp") { Double($0.item.xpEarned) },
    ]

    static let sessions = ReportTable(
        "sessions",
        .sessions,
        isForOneLearner: true,
        key: sessionsKey,
        sessionsColumns
    ) { facts, _ in facts.sessions.map { LearnerRow(learner: facts.learner, item: $0) } }

    private static let forgottenWordsKey: [ReportColumn<LearnerRow<ForgottenWord>>] = [
        ReportColumn("learner", \.learner),
        ReportColumn("language") { $0.item.language ?? "" },
        ReportColumn("word", \.item.id),
    ]

    private static let forgottenWordsColumns: [ReportColumn<LearnerRow<ForgottenWord>>] = [
        ReportColumn("name") { WordName.of($0.item.id, text: $0.item.text, language: $0.item.language) },
        ReportColumn("translation", \.item.translation),
        ReportColumn("reviews", \.item.reviews),
        ReportColumn("forgotten", \.item.forgotten),
        ReportColumn("recalled", \.item.isRecalled),
    ]

    static let forgottenWords = ReportTable(
        "forgotten_words",
        .forgottenWords,
        key: forgottenWordsKey,
        forgottenWordsColumns
    ) { facts, _ in facts.forgottenWords.map { LearnerRow(learner: facts.learner, item: $0) } }
}

/// An item that belongs to a learner.
struct LearnerRow<Item> {
    let learner: String
    let item: Item
}

/// A known word of a learner.
private struct WordRow {
    let learner: String
    let word: Word
    /// The local day of the next review.
    let day: LocalDay
    let lapses: Int
}

/// The name of a word for people. The name is the word's text. If no event gave a text, the name is the word's id
/// without the language at its beginning.
enum WordName {
    static func of(_ id: String, text: String?, language: String?) -> String {
        if let text, !text.isEmpty { return text }
        guard let language, !language.isEmpty, id.utf8.starts(with: language.utf8) else { return id }
        let rest = id.utf8.dropFirst(language.utf8.count)
        guard let separator = rest.first, "-_:./".utf8.contains(separator), rest.count > 1 else { return id }
        return String(rest.dropFirst()) ?? id
    }
}
