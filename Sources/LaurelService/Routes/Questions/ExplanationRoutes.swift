// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// Why the numbers are what they are.
extension Route {
    private static let xp = Parameter("xp", .flag, "Each award with the values that went in.")
    private static let streak = Parameter("streak", .flag, "The last month day by day.")
    private static let achievement = Parameter(
        "achievement",
        .text,
        "An achievement's history, or what it still takes."
    )
    private static let word = Parameter("word", .text, "Each review of a word.")
    private static let day = Parameter("day", .day, "XP: of this local day; streak: the days around it.")
    private static let session = Parameter("session", .text, "XP of this session only.")

    static let explanationRoutes = [
        aboutLearner(
            "explain",
            "Why: one of xp, streak, achievement and word.",
            [xp, streak, achievement, word, day, session, .language, .limit],
            .json("XPExplanation", "StreakExplanation", "[AchievementExplanation]", "[WordExplanation]")
        ) { question in
            let query = question.query
            let asked = [query.flag(xp), query.flag(streak), query.has(achievement), query.has(word)]
            guard asked.count(where: { $0 }) == 1 else {
                throw Problem.badRequest("one of xp, streak, achievement and word is to be explained")
            }
            try question.knownProgress()
            if asked[0] { return try explainXP(question) }
            if asked[1] { return try explainStreak(question) }
            return asked[2] ? try explainAchievement(question) : try explainWord(question)
        }
    ]

    private static func explainXP(_ question: LearnerQuestion) throws -> [UInt8] {
        let found = try question.learner.explainXP(
            language: question.language,
            day: question.query.day(day),
            session: question.query.text(session),
            at: question.date
        )
        guard var explanation = found else { throw Problem.notFound("there is no such learner") }
        if let limit = question.query.number(.limit) { explanation.events = explanation.events.suffix(limit) }
        return try JSONAnswer.encode(explanation)
    }

    private static func explainStreak(_ question: LearnerQuestion) throws -> [UInt8] {
        let found = try question.learner.explainStreak(
            language: question.language,
            around: question.query.day(day),
            at: question.date
        )
        guard let found else { throw Problem.notFound("the rules have no streak") }
        return try JSONAnswer.encode(found)
    }

    private static func explainAchievement(_ question: LearnerQuestion) throws -> [UInt8] {
        let id = question.query.text(achievement) ?? ""
        guard question.engine.rules(at: question.date).achievement(id) != nil else {
            throw Problem.notFound("the rules have no such achievement")
        }
        return try JSONAnswer.list(
            question.learner.explainAchievement(id, language: question.language, at: question.date)
        )
    }

    private static func explainWord(_ question: LearnerQuestion) throws -> [UInt8] {
        let id = question.query.text(word) ?? ""
        let found = try question.learner.explainWord(id, language: question.language, at: question.date)
        guard !found.isEmpty else { throw Problem.notFound("no event of the learner is about the word") }
        return try JSONAnswer.list(found)
    }
}
