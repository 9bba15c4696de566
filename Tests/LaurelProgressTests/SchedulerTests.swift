// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Testing

@Suite struct SchedulerTests {
    private static let fsrs = "mastery: {scheduler: fsrs}"

    private static func instant(_ day: Int) -> String {
        Timestamp.utc(try! Timestamp("2025-01-01T12:00:00Z").milliseconds + Int64(day) * 86_400_000)
    }

    /// Reviews of one word, with the given numbers of days between them.
    private static func reviews(_ history: [(days: Int, grade: String)]) -> [Event] {
        var day = 0
        return history.map { review in
            day += review.days
            return event("review.graded", instant(day), ["word": "sol", "grade": .string(review.grade)])
        }
    }

    struct SM2Row: Sendable, CustomTestStringConvertible {
        let name: String
        let grades: [String]
        let interval: Int
        let ease: Float
        let mastery: Int
        let correct: Int64
        var testDescription: String { name }
    }

    @Test(arguments: [
        SM2Row(name: "good", grades: ["good"], interval: 2, ease: 2.5, mastery: 1, correct: 1),
        SM2Row(name: "good twice", grades: ["good", "good"], interval: 5, ease: 2.5, mastery: 2, correct: 2),
        SM2Row(name: "good thrice", grades: ["good", "good", "good"], interval: 12, ease: 2.5, mastery: 3, correct: 3),
        SM2Row(
            name: "good ×4",
            grades: ["good", "good", "good", "good"],
            interval: 30,
            ease: 2.5,
            mastery: 4,
            correct: 4
        ),
        SM2Row(
            name: "good ×4, then easy",
            grades: ["good", "good", "good", "good", "easy"],
            interval: 97,
            ease: 2.65,
            mastery: 5,
            correct: 5
        ),
        SM2Row(name: "easy", grades: ["easy"], interval: 3, ease: 2.65, mastery: 1, correct: 1),
        SM2Row(name: "hard", grades: ["hard"], interval: 1, ease: 2.35, mastery: 0, correct: 1),
        SM2Row(name: "again", grades: ["again"], interval: 1, ease: 2.3, mastery: 0, correct: 0),
        SM2Row(
            name: "again, hard, hard, good",
            grades: ["again", "hard", "hard", "good"],
            interval: 1,
            ease: ((2.5 - 0.2) as Float - 0.15) - 0.15,
            mastery: 1,
            correct: 3
        ),
        SM2Row(
            name: "ease ends at 1.3",
            grades: Array(repeating: "again", count: 9),
            interval: 1,
            ease: 1.3,
            mastery: 0,
            correct: 0
        ),
        SM2Row(
            name: "intervals end at a hundred years",
            grades: Array(repeating: "easy", count: 12),
            interval: 36_500,
            ease: (0..<12).reduce(2.5 as Float) { ease, _ in ease + 0.15 },
            mastery: 5,
            correct: 12
        ),
    ])
    func sm2(row: SM2Row) throws {
        let story = Story("", SchedulerTests.reviews(row.grades.map { (1, $0) }))
        let word = try #require(try story.word("sol"))
        #expect(word.intervalDays == row.interval)
        #expect(word.ease == row.ease)
        #expect(word.mastery == row.mastery)
        #expect((word.reviews, word.correctReviews) == (Int64(row.grades.count), row.correct))
        #expect(word.nextReviewAt == story.events.last!.time.milliseconds + Int64(row.interval) * 86_400_000)
    }

    @Test func `the interval is what it was before the ease changed`() throws {
        let grades = ["good", "good", "good", "good", "easy"]
        let intervals = try (1...5).map { count in
            try Story("", SchedulerTests.reviews(grades.prefix(count).map { (1, $0) })).word("sol")?.intervalDays
        }
        #expect(intervals == [2, 5, 12, 30, 97])
    }

    @Test func `FSRS-6 known values`() throws {
        let history = [(0, "again"), (1, "good"), (3, "easy"), (7, "good")]
        let word = try #require(try Story(SchedulerTests.fsrs, SchedulerTests.reviews(history)).word("sol"))
        #expect(((word.stability ?? 0) * 10_000).rounded() == 292_084)
        #expect(((word.difficulty ?? 0) * 10_000).rounded() == 51_751)
    }

    /// Histories as (days since the previous review, grade), with the results of `fsrs` 6.3.2 of PyPI. The command:
    ///
    ///     python3 -c '
    ///     import random; from datetime import *; from fsrs import *
    ///     rng = random.Random(20260205)
    ///     for row in range(10):
    ///         s = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    ///         c, t, h = Card(), datetime(2025, 1, 1, tzinfo=timezone.utc), []
    ///         for i in range(rng.randint(1, 9)):
    ///             gap = 0 if i == 0 else rng.choice([0, 1, 2, 5, 9, 21, 60, 200])
    ///             g = rng.choice([1, 2, 3, 3, 4]); t += timedelta(days=gap); h.append((gap, g))
    ///             c, _ = s.review_card(c, Rating(g), t)
    ///         print((h, c.stability, c.difficulty, (c.due - t).days))'
    static let package: [([(Int, Int)], Double, Double, Int)] = [
        ([(0, 4), (0, 2), (1, 3), (21, 4), (200, 4), (0, 4)], 873.9875423019563, 1.0, 874),
        ([(0, 3)], 2.3065, 2.118103970459016, 2),
        ([(0, 1), (5, 3), (2, 4), (1, 2), (1, 2)], 14.738797442311716, 7.853531976401313, 15),
        ([(0, 4), (5, 3), (21, 2)], 72.01947274378291, 4.010608969296839, 72),
        ([(0, 4), (0, 3), (0, 1), (5, 2), (200, 1)], 1.845437723944027, 9.331656619251676, 2),
        ([(0, 1), (0, 2), (60, 4), (200, 4), (0, 3)], 104.63451465862082, 5.690624555483901, 105),
        ([(0, 1), (5, 2), (0, 3), (9, 4), (5, 3), (9, 3)], 40.70925145204522, 6.749288969135059, 41),
        ([(0, 4), (21, 3), (5, 3)], 83.76614995081411, 1.0, 84),
        (
            [(0, 1), (21, 1), (2, 3), (0, 4), (60, 3), (200, 1), (1, 1), (200, 1)], 0.4066922714221446,
            9.920587348465483, 1
        ),
        (
            [(0, 2), (60, 1), (9, 1), (5, 3), (200, 3), (60, 4), (21, 4), (200, 1)], 3.5423256211627785,
            9.63681862497066, 4
        ),
    ]

    @Test(arguments: package.indices) func `FSRS-6 as the package for Python computes it`(row: Int) throws {
        let (history, stability, difficulty, interval) = SchedulerTests.package[row]
        let grades = ["again", "hard", "good", "easy"]
        let story = Story(SchedulerTests.fsrs, SchedulerTests.reviews(history.map { ($0.0, grades[$0.1 - 1]) }))
        let word = try #require(try story.word("sol"))
        #expect(abs((word.stability ?? 0) / stability - 1) < 1e-12)
        #expect(abs((word.difficulty ?? 0) / difficulty - 1) < 1e-12)
        #expect(word.intervalDays == interval)
        #expect(word.nextReviewAt == story.events.last!.time.milliseconds + Int64(interval) * 86_400_000)
    }

    @Test func `FSRS counts whole days of 24 hours`() throws {
        func stability(_ time: String) throws -> Double? {
            let first = event("review.graded", "2025-01-01T12:00:00Z", ["word": "sol", "grade": "good"])
            let second = event("review.graded", time, ["word": "sol", "grade": "good"])
            return try Story(SchedulerTests.fsrs, [first, second]).word("sol")?.stability
        }
        #expect(try stability("2025-01-03T11:59:59.999Z") == stability("2025-01-02T12:00:00Z"))
        #expect(try stability("2025-01-03T12:00:00Z")! > stability("2025-01-02T12:00:00Z")!)
    }

    @Test(
        "FSRS mastery by stability",
        arguments: [("again", 0), ("hard", 1), ("good", 1), ("easy", 2)]
    )
    func mastery(grade: String, mastery: Int) throws {
        let word = try Story(SchedulerTests.fsrs, SchedulerTests.reviews([(0, grade)])).word("sol")
        #expect(word?.mastery == mastery)
    }

    @Test func `a lower retention means longer intervals`() throws {
        func interval(_ rules: String) throws -> Int? {
            try Story("mastery: {scheduler: fsrs\(rules)}", SchedulerTests.reviews([(0, "easy")])).word("sol")?
                .intervalDays
        }
        #expect(try interval("") == 8)
        #expect(try interval(", desired_retention: 0.8")! > 8)
    }
}
