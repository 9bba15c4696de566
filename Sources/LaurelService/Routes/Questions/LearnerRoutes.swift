// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// The routes about one learner. Their answers are the same as the output of the commands.
extension Route {
    private static let due = Parameter("due", .flag, "Only words that are due for review.")
    private static let learned = Parameter("learned", .flag, "Only words that are learned.")
    private static let favourite = Parameter("favourite", .flag, "Only the learner's favourites.")
    private static let prefix = Parameter(
        "prefix",
        .text,
        "Only words with this beginning; case and diacritics do not matter."
    )
    private static let tag = Parameter("tag", .text, "Only words that have this tag.")
    private static let category = Parameter("category", .text, "Only words of this category.")
    private static let bucket = Parameter(
        "bucket",
        .choice(MasteryBucket.allCases.map(\.rawValue)),
        "Only words in this stage."
    )

    static let learnerRoutes = [
        aboutLearner(
            "progress",
            "Streak, XP, level, words and achievements, in all languages together or in one.",
            [language, .locale]
        ) {
            try $0.existingProgress()
        },
        aboutLearner("tracks", "Progress in all languages together (*) and in each.", [.locale]) { question in
            guard let tracks = try question.learner.tracks(at: question.date) else {
                throw Problem.notFound("there is no such learner")
            }
            return tracks
        },
        listAboutLearner(
            "words",
            "The vocabulary with its schedule, due words first.",
            [language, due, learned, favourite, prefix, tag, category, bucket, .limit]
        ) { question in
            let filter = wordFilter(question.query)
            let words = try question.learner.words(
                filter,
                language: question.language,
                order: filter.prefix == nil ? .review : .alphabetical,
                at: question.date
            )
            let limit = question.query.number(.limit) ?? (filter.prefix == nil ? nil : 20)
            return Array(words.prefix(limit ?? .max))
        },
        aboutLearner("vocabulary", "How many words, by mastery and category.", [language]) { question in
            try question.existingProgress()
            return try question.learner.vocabulary(language: question.language, at: question.date)
        },
        listAboutLearner("sessions", "Sessions, newest first.", [language, .limit]) {
            try $0.learner.sessions(language: $0.language, limit: $0.query.number(.limit), at: $0.date)
        },
        aboutLearner("sessions/{session}", "One session with its report.", []) { question in
            guard let session = try question.learner.session(question.request.path("session"), at: question.date) else {
                throw Problem.notFound("the learner has no such session")
            }
            return session
        },
        listAboutLearner("achievements", "Achievements with progress.", [language, .locale]) {
            try $0.learner.achievements(language: $0.language, at: $0.date)
        },
        aboutLearner("study-time", "How long the learner practised.", [language, .limit]) { question in
            try question.existingProgress()
            let limit = question.query.number(.limit)
            return try question.learner.studyTime(language: question.language, limit: limit, at: question.date)
        },
    ]

    private static var language: Parameter { .language }

    /// A route that answers with a single value.
    static func aboutLearner<Answer: Codable & SendableMetatype>(
        _ name: String,
        _ summary: String,
        _ parameters: [Parameter],
        _ make: @escaping @Sendable (LearnerQuestion) throws -> Answer
    ) -> Route {
        aboutLearner(name, summary, parameters, .json(Answer.self)) { try JSONAnswer.encode(make($0)) }
    }

    /// A route that answers with a list.
    static func listAboutLearner<Element: Codable & SendableMetatype>(
        _ name: String,
        _ summary: String,
        _ parameters: [Parameter],
        _ make: @escaping @Sendable (LearnerQuestion) throws -> [Element]
    ) -> Route {
        aboutLearner(name, summary, parameters, .list(Element.self)) { try JSONAnswer.list(make($0)) }
    }

    private static func aboutLearner(
        _ name: String,
        _ summary: String,
        _ parameters: [Parameter],
        _ answer: AnswerShape,
        _ make: @escaping @Sendable (LearnerQuestion) throws -> [UInt8]
    ) -> Route {
        Route(
            "GET",
            "/v1/learners/{id}/\(name)",
            summary,
            access: .learner,
            parameters: [.at] + parameters,
            answer: answer,
            action: .learner(make)
        )
    }

    private static func wordFilter(_ query: Query) -> WordFilter {
        var filter = WordFilter()
        filter.bucket = query.text(bucket).flatMap { MasteryBucket(rawValue: $0) }
        filter.isDue = query.flag(due)
        filter.isLearned = query.flag(learned)
        filter.isFavourite = query.flag(favourite)
        filter.category = query.text(category)
        filter.tag = query.text(tag)
        filter.prefix = query.text(prefix)
        return filter
    }
}
