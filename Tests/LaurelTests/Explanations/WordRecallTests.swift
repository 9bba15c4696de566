// SPDX-License-Identifier: Apache-2.0

import Laurel
import Testing

/// The explanation of a word under FSRS has the numbers of the Python package `fsrs` 6.3.1. The package computed them
/// with `Scheduler(parameters, retention, learning_steps=(), relearning_steps=(), enable_fuzzing=False)`.
@Suite struct WordRecallTests {
    struct Review: Sendable {
        let time: String
        let grade: String
        let daysSinceReview: Int?
        let recall: Double?
        let stability: Double
        let difficulty: Double
        let intervalDays: Int

        init(
            _ time: String,
            _ grade: String,
            _ daysSinceReview: Int?,
            _ recall: Double?,
            _ stability: Double,
            _ difficulty: Double,
            _ intervalDays: Int
        ) {
            (self.time, self.grade, self.daysSinceReview, self.recall) = (time, grade, daysSinceReview, recall)
            (self.stability, self.difficulty, self.intervalDays) = (stability, difficulty, intervalDays)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var retention = 0.9
        /// The time of the event that gives the learner the parameters `fitted`; nil for no such event.
        var fittedAt: String?
        let reviews: [Review]
        let recallWhenDue: Double
    }

    private static let fitted = [
        0.4072, 1.1829, 3.1262, 15.4722, 7.2102, 0.5316, 1.0651, 0.0234, 1.616, 0.1544, 1.0824, 1.9813, 0.0953, 0.2975,
        2.2042, 0.2407, 2.9466, 0.5034, 0.6567, 0.1, 0.18,
    ]

    private static let rows = [
        Row(
            testDescription: "a word learned in a month, forgotten once",
            reviews: [
                Review("2025-03-01T18:00:00Z", "good", nil, nil, 2.3065, 2.118103970459016, 2),
                Review(
                    "2025-03-04T19:35:00Z",
                    "good",
                    3,
                    0.8809479557659419,
                    13.826903694354568,
                    2.111214235785395,
                    14
                ),
                Review(
                    "2025-03-15T17:20:00Z",
                    "good",
                    10,
                    0.9206840825728769,
                    47.45203372847688,
                    2.1043313908464483,
                    47
                ),
                Review(
                    "2025-04-14T23:10:00Z",
                    "again",
                    30,
                    0.9283278514976722,
                    2.829104453485894,
                    7.389975788014609,
                    3
                ),
                Review("2025-04-14T23:21:00Z", "good", 0, nil, 2.829104453485894, 7.377814181523433, 3),
                Review("2025-04-17T05:40:00Z", "hard", 2, 0.9220179348060746, 4.987252340475921, 8.244499229132952, 5),
                Review(
                    "2025-04-22T18:15:00Z",
                    "good",
                    5,
                    0.8998245241114565,
                    10.662555894121049,
                    8.231483099200657,
                    11
                ),
            ],
            recallWhenDue: 0.8978452076829305
        ),
        Row(
            testDescription: "many tries on the first day",
            reviews: [
                Review("2025-03-01T18:00:00Z", "again", nil, nil, 0.212, 6.4133, 1),
                Review("2025-03-01T18:07:00Z", "again", 0, nil, 0.08335671711031604, 8.806304468856837, 1),
                Review("2025-03-01T18:19:00Z", "good", 0, nil, 0.10314065007785231, 8.792726533684817, 1),
                Review("2025-03-01T23:10:00Z", "good", 0, nil, 0.12584423732556518, 8.77916217644797, 1),
                Review("2025-03-02T22:10:00Z", "good", 0, nil, 0.15154843418368225, 8.76561138356836, 1),
                Review("2025-03-05T19:40:00Z", "easy", 2, 0.6661401000079248, 1.8706161891593502, 8.338364599763267, 2),
            ],
            recallWhenDue: 0.8953398214275184
        ),
        Row(
            testDescription: "long breaks, and a lower desired retention",
            retention: 0.85,
            reviews: [
                Review("2025-03-01T18:00:00Z", "easy", nil, nil, 8.2956, 1.0, 16),
                Review("2025-03-21T18:05:00Z", "good", 20, 0.8294077533692037, 63.4457372592545, 1.0, 121),
                Review("2025-06-04T18:00:00Z", "good", 74, 0.889084427735424, 254.17908621970435, 1.0, 485),
                Review(
                    "2026-04-05T19:17:00Z",
                    "again",
                    305,
                    0.8869966356377299,
                    5.885329063231392,
                    7.0269895692968385,
                    11
                ),
                Review("2026-04-06T19:30:00Z", "good", 1, 0.9765221270661103, 8.02018731653348, 7.0151909490243805, 15),
                Review(
                    "2026-04-14T18:00:00Z",
                    "hard",
                    7,
                    0.9090716658593712,
                    14.651941591359142,
                    8.003773029157445,
                    28
                ),
            ],
            recallWhenDue: 0.8497949056051183
        ),
        Row(
            testDescription: "parameters fitted after the third review",
            fittedAt: "2025-03-22T03:00:00Z",
            reviews: [
                Review("2025-03-01T18:00:00Z", "good", nil, nil, 2.3065, 2.118103970459016, 2),
                Review(
                    "2025-03-03T18:00:00Z",
                    "good",
                    2,
                    0.9094932559773545,
                    10.964332335820698,
                    2.111214235785395,
                    11
                ),
                Review("2025-03-10T18:30:00Z", "hard", 7, 0.9277904444502333, 26.09513740710866, 4.748284761594571, 26),
                Review("2025-03-22T04:00:00Z", "good", 11, 0.949274201137684, 54.10143426722031, 4.713993740159424, 54),
                Review("2025-04-25T18:01:00Z", "again", 34, 0.929616999868126, 4.582857947521681, 5.902367425536984, 5),
                Review("2025-04-27T18:09:00Z", "good", 2, 0.9477678286723095, 9.989227253062994, 5.841070869765584, 10),
            ],
            recallWhenDue: 0.8999226125225086
        ),
    ]

    private func lines(of row: Row) -> [String] {
        var lines = row.reviews.enumerated().map { place, review in
            line("\(place)", "review.graded", at: review.time, data: #"{"word":"sol","grade":"\#(review.grade)"}"#)
        }
        if let time = row.fittedAt {
            let data = #"{"parameters":\#(Self.fitted),"reviews":400,"logLoss":0.3}"#
            lines.append(line("fit", "scheduler.fitted", at: time, data: data))
        }
        return lines
    }

    private func explanation(_ row: Row, at instant: String) throws -> WordExplanation {
        let rules = "version: 1\nmastery: {scheduler: fsrs, desired_retention: \(row.retention)}\n"
        let bench = try Bench(.memory, rules: rules)
        try bench.ingest(lines(of: row))
        let learner = bench.engine.learner("ana", timeZone: nil)
        return try #require(try learner.explainWord("sol", at: try Timestamp(instant).date).first)
    }

    private func isClose(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return abs(one - other) <= 1e-12 * abs(other)
    }

    @Test(arguments: rows) func `are the package's`(row: Row) throws {
        let explanation = try explanation(row, at: "2027-01-01T00:00:00Z")
        #expect(explanation.steps.count == row.reviews.count)
        for (place, (step, review)) in zip(explanation.steps, row.reviews).enumerated() {
            let comment: Comment = "review \(place)"
            #expect(step.daysSinceReview == review.daysSinceReview, comment)
            #expect(isClose(step.recall, review.recall), comment)
            #expect(isClose(step.after?.stability, review.stability), comment)
            #expect(isClose(step.after?.difficulty, review.difficulty), comment)
            #expect(step.after?.intervalDays == review.intervalDays, comment)
            #expect(step.before == (place > 0 ? explanation.steps[place - 1].after : nil), comment)
        }
        #expect(isClose(explanation.recallWhenDue, row.recallWhenDue))
        #expect(explanation.desiredRetention == row.retention)
    }

    @Test(arguments: rows) func `are the next review's on the day when it is due`(row: Row) throws {
        let due = try #require(try explanation(row, at: "2027-01-01T00:00:00Z").state?.nextReviewAt)
        let explanation = try explanation(row, at: Timestamp.utc(due.milliseconds))
        #expect(explanation.isDue)
        #expect(explanation.recall == explanation.recallWhenDue)
    }

    @Test func `name the event that fitted the parameters`() throws {
        let row = try #require(Self.rows.last)
        let found = try explanation(row, at: "2027-01-01T00:00:00Z")
        #expect(found.fit?.id == "fit")
        #expect(found.parameters == Self.fitted)
        let fittedAt = try Timestamp(try #require(row.fittedAt)).date
        #expect(found.steps.map(\.fittedAt) == [nil, nil, nil, fittedAt, fittedAt, fittedAt])
        let before = try explanation(row, at: "2025-03-21T00:00:00Z")
        #expect(before.fit == nil && before.steps.count == 3)
        #expect(before.parameters?.prefix(3) == [0.212, 1.2931, 2.3065])
    }

    @Test func `are left out under SM-2`() throws {
        let bench = try Bench(.memory, rules: "version: 1\n")
        try bench.ingest(lines(of: Self.rows[3]))
        let learner = bench.engine.learner("ana", timeZone: nil)
        let found = try #require(try learner.explainWord("sol").first)
        #expect(found.parameters == nil && found.fit == nil && found.recallWhenDue == nil && found.recall == nil)
        #expect(found.steps.allSatisfy { $0.recall == nil && $0.fittedAt == nil })
        #expect(found.steps.map(\.daysSinceReview) == Self.rows[3].reviews.map(\.daysSinceReview))
    }
}
