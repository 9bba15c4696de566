// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Testing

@Suite struct WordTests {
    @Test(arguments: WordTests.standing + WordTests.expressions) func words(row: Case) throws {
        try row.check()
    }

    /// A snapshot is a cache. An unsuitable one is rebuilt, and must not end the process.
    @Test(arguments: [("none", 0), ("one more", 2)])
    func `a state with another number of details of words is no state`(_ name: String, _ details: Int) throws {
        let conditions = ["word.text == 'Sol'", "word.category == 'sky'", "word.part_of_speech == 'noun'"]
        let event = Self.word("added", 0, "sol", ["text": "Sol", "category": "sky"])
        func story(_ count: Int) -> Story {
            let condition = ([#"event.word != 'x'"#] + conditions.prefix(count)).joined(separator: " && ")
            return Story("metrics: {seen: {count: word.added, where: \"\(condition)\"}}", [event])
        }
        let plan = try story(1).plan()
        let own = try story(1).state(plan).encoded()
        let decoded: LearnerState? = LearnerState(decoding: own, plan: plan)
        #expect(decoded != nil)
        let other = try story(details).plan()
        let read: LearnerState? = LearnerState(decoding: own, plan: other)
        #expect(read == nil, "\(name)")
    }

    private static let sm2 = "mastery: {scheduler: sm2}"
    private static let fsrs = "mastery: {scheduler: fsrs}"

    private static func word(
        _ what: String,
        _ hour: Int,
        _ word: JSONValue = "sol",
        _ data: [String: JSONValue] = [:],
        language: String? = nil
    ) -> Event {
        event("word." + what, time(hour), data.merging(["word": word]) { one, _ in one }, language: language)
    }

    private static func review(_ hour: Int, _ grade: JSONValue, _ word: JSONValue = "sol", language: String? = nil)
        -> Event
    {
        event("review.graded", time(hour), ["word": word, "grade": grade], language: language)
    }

    private static func time(_ hour: Int) -> String {
        "2026-02-0\(5 + hour / 24)T\(hour % 24 < 10 ? "0" : "")\(hour % 24):00:00Z"
    }

    private static let end = time(72)

    static let standing: [Case] = [
        Case(
            "each way to know a word",
            sm2,
            [
                word("added", 0, "a"), word("encountered", 1, "b"), word("imported", 2, "c"), word("learned", 3, "d"),
                review(4, "again", "e"),
            ],
            at: end,
            ["totalWordsKnown": 5, "vocabulary": ["new": 4, "learning": 1, "reviewing": 0, "mastered": 0]]
        ),
        Case(
            "no way to know one",
            sm2,
            [word("updated", 0), word("unlearned", 1), word("removed", 2)],
            at: end,
            ["totalWordsKnown": 0, "events": 3, "vocabularyMasteryPercent": 0]
        ),
        Case(
            "a word per language",
            sm2,
            [word("added", 0, language: "es"), word("added", 1, language: "pt"), word("added", 2)],
            at: end,
            ["totalWordsKnown": 3]
        ),
        Case(
            "in its language's track",
            sm2,
            [word("added", 0, language: "es"), word("added", 1, language: "pt"), word("added", 2)],
            at: end,
            language: "es",
            ["totalWordsKnown": 1]
        ),
        Case(
            "composed and decomposed letters are two words",
            sm2,
            [word("added", 0, "\u{e9}"), word("added", 1, "e\u{301}")],
            at: end,
            ["totalWordsKnown": 2]
        ),
        Case(
            "removed",
            sm2,
            [word("added", 0), word("removed", 1)],
            at: end,
            ["totalWordsKnown": 0, "wordsDueForReview": 0]
        ),
        Case(
            "after a removal it starts afresh",
            sm2,
            [review(0, "good"), review(1, "good"), review(2, "good"), word("removed", 3), word("added", 4)],
            at: end,
            ["totalWordsKnown": 1, "totalWordsLearned": 0, "vocabulary.new": 1]
        ),
        Case(
            "learned by mastery",
            sm2,
            [review(0, "good"), review(1, "good"), review(2, "good"), word("added", 3, "mar")],
            at: end,
            ["totalWordsLearned": 1, "vocabularyMasteryPercent": 50, "vocabulary.reviewing": 1]
        ),
        Case(
            "learned at another mastery",
            "mastery: {scheduler: sm2, learned_at: 1}",
            [review(0, "good")],
            at: end,
            ["totalWordsLearned": 1, "vocabulary.learning": 1]
        ),
        Case(
            "learned by their own say",
            sm2,
            [word("learned", 0)],
            at: end,
            ["totalWordsLearned": 1, "vocabulary.new": 1, "vocabularyMasteryPercent": 100]
        ),
        Case(
            "taken back",
            sm2,
            [word("learned", 0), word("unlearned", 1)],
            at: end,
            ["totalWordsLearned": 0, "totalWordsKnown": 1]
        ),
        Case(
            "mastery has its own verdict",
            sm2,
            [review(0, "good"), review(1, "good"), review(2, "good"), word("learned", 3), word("unlearned", 4)],
            at: end,
            ["totalWordsLearned": 1]
        ),
        Case(
            "mastered",
            sm2,
            (0..<5).map { review($0, "good") },
            at: end,
            ["vocabulary.mastered": 1, "vocabulary.reviewing": 0, "totalWordsLearned": 1]
        ),
        Case("due when first seen", sm2, [word("added", 0)], at: time(0), ["wordsDueForReview": 1]),
        Case(
            "not due after a review",
            sm2,
            [word("added", 0), review(1, "again")],
            at: time(24),
            ["wordsDueForReview": 0]
        ),
        Case(
            "due a day after `again`",
            sm2,
            [word("added", 0), review(1, "again")],
            at: time(25),
            ["wordsDueForReview": 1]
        ),
    ]

    private static let outcomes = """
        metrics:
          new: {count: [word.added, review.graded], where: word.is_new}
          interval: {last: word.interval_days, on: review.graded}
          before: {last: word.mastery_before, on: review.graded}
          mastery: {last: word.mastery, on: review.graded}
          reviews: {last: word.reviews, on: review.graded}
          learned_now: {count: [review.graded, word.learned], where: word.learned_now}
          gone: {count: word.removed, where: word.mastery == null}
          known: {last: words.known, on: line.spoken}
        """

    static let expressions: [Case] = [
        Case(
            "what was said of a word, the latest of each detail",
            """
            metrics:
              travel: {count: word.learned, where: word.category == 'travel'}
              sun: {count: review.graded, where: word.text == 'Sol' && word.part_of_speech == 'noun'}
              unknown: {count: word.learned, where: word.category == null}
              gone: {count: word.removed, where: word.category == null}
            """,
            [
                word("added", 0, "sol", ["text": "sol", "category": "daily"]), word("learned", 1),
                word("updated", 2, "sol", ["text": "Sol", "category": "travel", "partOfSpeech": "noun"]),
                word("learned", 3), review(4, "good"), word("encountered", 5, "mar", ["category": "travel"]),
                word("learned", 6, "mar"), word("updated", 7, "luz", ["category": "travel"]), word("learned", 8, "luz"),
            ],
            at: end,
            ["metrics.travel": 2, "metrics.sun": 1, "metrics.unknown": 1]
        ),
        Case(
            "details of a removed word are forgotten, those of another language's are its own",
            """
            metrics:
              travel: {count: word.learned, where: word.category == 'travel'}
              origins: {distinct: word.origin, on: [word.added, word.learned]}
              without: {count: [line.spoken, word.removed], where: word.category == null && word.origin == null}
            """,
            [
                word("added", 0, "sol", ["category": "travel", "origin": "list"]), word("removed", 1),
                event("line.spoken", time(2)), word("learned", 3),
                word("added", 4, "mar", ["category": "travel"], language: "es"),
                word("learned", 5, "mar", language: "pt"),
                word("learned", 6, "mar", language: "es"),
            ],
            at: end,
            ["metrics.travel": 1, "metrics.origins": 1, "metrics.without": 2]
        ),
        Case(
            "an event that concerns no word sees none, nor does one that does not say which",
            """
            metrics:
              known: {count: [word.added, line.spoken], where: word.mastery != null}
              anew: {count: [word.added, review.graded], where: word.is_new}
            """,
            [
                word("added", 0), event("line.spoken", time(1)), review(2, "good"), event("line.spoken", time(3)),
                word("removed", 4), event("line.spoken", time(5)), word("added", 6, "mar"), review(7, "good", "mar"),
            ],
            at: end,
            ["metrics.known": 2, "metrics.anew": 2]
        ),
        Case(
            "what a review does",
            outcomes,
            [word("added", 0), review(1, "good"), review(2, "good")],
            at: end,
            [
                "metrics.new": 1, "metrics.interval": 5, "metrics.before": 1, "metrics.mastery": 2,
                "metrics.reviews": 2,
                "metrics.learned_now": 0,
            ]
        ),
        Case(
            "learned once",
            outcomes,
            (0..<5).map { review($0, "good") } + [word("learned", 6)],
            at: end,
            ["metrics.learned_now": 1, "metrics.new": 1]
        ),
        Case(
            "learned by their own say, once",
            outcomes,
            [word("learned", 0), word("learned", 1)],
            at: end,
            ["metrics.learned_now": 1]
        ),
        Case(
            "new again after a removal",
            outcomes,
            [word("added", 0), word("removed", 1), word("added", 2)],
            at: end,
            ["metrics.new": 2, "metrics.gone": 1]
        ),
        Case(
            "how many words are known",
            outcomes,
            [word("added", 0), word("added", 1, "mar"), event("line.spoken", time(2))],
            at: end,
            ["metrics.known": 2]
        ),
    ]

    @Test func `imported under SM-2`() throws {
        let data: [String: JSONValue] = [
            "masteryLevel": 4, "easeFactor": 2.1, "intervalDays": 10, "lastReviewedAt": "2026-02-01T00:00:00Z",
            "totalReviews": 7, "correctReviews": 6, "stability": 99, "difficulty": 9,
        ]
        let word = try #require(try Story(WordTests.sm2, [WordTests.word("imported", 0, "sol", data)]).word("sol"))
        #expect((word.mastery, word.intervalDays, word.reviews, word.correctReviews) == (4, 10, 7, 6))
        #expect(word.ease == 2.1)
        #expect(Timestamp.utc(word.nextReviewAt) == "2026-02-11T00:00:00.000Z")
        #expect((word.stability, word.difficulty) == (nil, nil))
    }

    @Test func `an import is followed by reviews`() throws {
        let story = Story(
            WordTests.sm2,
            [
                WordTests.word("imported", 0, "sol", ["masteryLevel": 4, "intervalDays": 10]),
                WordTests.review(1, "good"),
            ]
        )
        let word = try #require(try story.word("sol"))
        #expect((word.mastery, word.intervalDays, word.reviews) == (5, 25, 1))
    }

    @Test func `an import leaves alone what it does not name`() throws {
        let events = [WordTests.review(0, "easy"), WordTests.word("imported", 1, "sol", ["totalReviews": 40])]
        let word = try #require(try Story(WordTests.sm2, events).word("sol"))
        #expect((word.reviews, word.correctReviews, word.intervalDays, word.mastery) == (40, 1, 3, 1))
        #expect(word.nextReviewAt == (try Timestamp(WordTests.time(72)).milliseconds))
    }

    @Test func `without a last review an import counts its interval from itself`() throws {
        let word = try Story(WordTests.sm2, [WordTests.word("imported", 0, "sol", ["intervalDays": 2])]).word("sol")
        #expect(word?.nextReviewAt == (try Timestamp(WordTests.time(48)).milliseconds))
    }

    @Test func `imported under FSRS`() throws {
        func imported(_ data: [String: JSONValue]) throws -> WordState {
            try #require(try Story(WordTests.fsrs, [WordTests.word("imported", 0, "sol", data)]).word("sol"))
        }
        let interval = try imported(["intervalDays": 30, "masteryLevel": 5, "easeFactor": 1.3])
        #expect((interval.stability, interval.difficulty, interval.mastery) == (30, 5, 3))
        #expect(interval.lastReviewedAt == (try Timestamp(WordTests.time(0)).milliseconds))
        let stability = try imported(["intervalDays": 30, "stability": 6.5, "difficulty": 3])
        #expect(
            (stability.stability, stability.difficulty, stability.mastery, stability.intervalDays) == (6.5, 3, 1, 30)
        )
        let due = try imported(["stability": 6.5, "nextReviewAt": "2026-03-01T00:00:00Z"])
        #expect(Timestamp.utc(due.nextReviewAt) == "2026-03-01T00:00:00.000Z")
        #expect(due.intervalDays == 6)
    }
}
