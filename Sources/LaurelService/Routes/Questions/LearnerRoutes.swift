// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// What is asked about one learner: the commands' answers.
extension Route {
    private static let due = Parameter("due", .flag, "Only words that are due for review.")
    private static let learned = Parameter("learned", .flag, "Only words that are learned.")
    private static let favourite = Parameter("favourite", .flag, "Only the learner's favourites.")
    private static let prefix = Parameter(
        "prefix",
        .text,
        "Only words that begin so; case and diacritics do not matter."
    )
    private static let tag = Parameter("tag", .text, "Only words that have this tag.")
    private static let category = Parameter("category", .text, "Only words of this category.")
    private static let bucket = Parameter(
        "bucket",
        .choice(MasteryBucket.allCases.map(\.rawValue)),
        "Only words that are that far."
    )

    static let learnerRoutes = [
        aboutLearner(
            "progress",
            "Streak, XP, level, words and achievements, in all languages together or in one.",
            [language, .locale],
            .json("LearnerProgress")
        ) {
            try JSONAnswer.encode($0.knownProgress())
        },
        aboutLearner(
            "tracks",
            "Progress in all languages together (*) and in each.",
            [.locale],
            .json("{LearnerProgress}")
        ) {
            guard let tracks = try $0.learner.tracks(at: $0.date) else {
                throw Problem.notFound("there is no such learner")
            }
            return try JSONAnswer.encode(tracks)
        },
        aboutLearner(
            "words",
            "The vocabulary with its schedule, due words first.",
            [language, due, learned, favourite, prefix, tag, category, bucket, .limit],
            .list("Word")
        ) { question in
            let filter = wordFilter(question.query)
            let words = try question.learner.words(
                filter,
                language: question.language,
                order: filter.prefix == nil ? .review : .alphabetical,
                at: question.date
            )
            let limit = question.query.number(.limit) ?? (filter.prefix == nil ? nil : 20)
            return try JSONAnswer.list(words.prefix(limit ?? .max))
        },
        aboutLearner("vocabulary", "How many words, by mastery and category.", [language], .json("VocabularySummary")) {
            try $0.knownProgress()
            return try JSONAnswer.encode($0.learner.vocabulary(language: $0.language, at: $0.date))
        },
        aboutLearner("sessions", "Sessions, newest first.", [language, .limit], .list("Session")) {
            let limit = $0.query.number(.limit)
            return try JSONAnswer.list($0.learner.sessions(language: $0.language, limit: limit, at: $0.date))
        },
        aboutLearner("sessions/{session}", "One session with its report.", [], .json("SessionReport")) {
            guard let session = try $0.learner.session($0.request.path("session"), at: $0.date) else {
                throw Problem.notFound("the learner has no such session")
            }
            return try JSONAnswer.encode(session)
        },
        aboutLearner("achievements", "Achievements with progress.", [language, .locale], .list("Achievement")) {
            try JSONAnswer.list($0.learner.achievements(language: $0.language, at: $0.date))
        },
        aboutLearner("study-time", "How long the learner practised.", [language, .limit], .json("StudyTime")) {
            try $0.knownProgress()
            let limit = $0.query.number(.limit)
            return try JSONAnswer.encode($0.learner.studyTime(language: $0.language, limit: limit, at: $0.date))
        },
    ]

    private static var language: Parameter { .language }

    static func aboutLearner(
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
