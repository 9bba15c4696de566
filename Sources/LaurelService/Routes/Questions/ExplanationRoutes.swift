// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// The routes that explain numbers.
extension Route {
    private static let day = Parameter("day", .day, "Only XP of this local day.")
    private static let around = Parameter(
        "day",
        .day,
        "The days around this day; the last month by default."
    )
    private static let session = Parameter("session", .text, "Only XP of this session.")
    private static let flagged = Parameter("flagged", .flag, "True for only events that exceed a limit of the rules.")

    static let explanationRoutes = [
        aboutLearner(
            "explain/xp",
            "Each award, with the values that went in.",
            [day, session, flagged, .language, .limit],
            explainXP
        ),
        aboutLearner("explain/streak", "The streak, day by day.", [around, .language], explainStreak),
        listAboutLearner(
            "explain/achievements/{achievement}",
            "An achievement's history, or what is still missing, in the overall track or in each language.",
            [.language],
            explainAchievement
        ),
        listAboutLearner(
            "explain/words/{word}",
            "What became of a word, in each language that has it.",
            [.language],
            explainWord
        ),
    ]

    private static func explainXP(_ question: LearnerQuestion) throws -> XPExplanation {
        try question.existingProgress()
        let found = try question.learner.explainXP(
            language: question.language,
            day: question.query.day(day),
            session: question.query.text(session),
            flagged: question.query.flag(flagged),
            limit: question.query.number(.limit),
            at: question.date
        )
        guard let found else { throw Problem.notFound("there is no such learner") }
        return found
    }

    private static func explainStreak(_ question: LearnerQuestion) throws -> StreakExplanation {
        try question.existingProgress()
        let found = try question.learner.explainStreak(
            language: question.language,
            around: question.query.day(around),
            at: question.date
        )
        guard let found else { throw Problem.notFound("the rules have no streak") }
        return found
    }

    private static func explainAchievement(_ question: LearnerQuestion) throws -> [AchievementExplanation] {
        try question.existingProgress()
        let id = question.request.path("achievement")
        guard question.engine.rules(at: question.date).achievement(id) != nil else {
            throw Problem.notFound("the rules have no such achievement")
        }
        return try question.learner.explainAchievement(id, language: question.language, at: question.date)
    }

    private static func explainWord(_ question: LearnerQuestion) throws -> [WordExplanation] {
        try question.existingProgress()
        let id = question.request.path("word")
        let found = try question.learner.explainWord(id, language: question.language, at: question.date)
        guard !found.isEmpty else { throw Problem.notFound("no event of the learner is about the word") }
        return found
    }
}
