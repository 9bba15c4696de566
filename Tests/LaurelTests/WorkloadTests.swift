// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

/// The workload under other desired retentions.
@Suite struct WorkloadTests {
    private static let rules = "version: 1\nmastery: {scheduler: fsrs}\n"
    private static let date = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01T00:00:00Z

    private func line(_ id: String, _ type: String, day: Int, _ language: String, _ data: String) -> String {
        let time = Self.date.addingTimeInterval(Double(-day) * 86_400).ISO8601Format()
        return #"{"id":"\#(id)","source":"a","type":"\#(type)","subject":"ana","time":"\#(time)","#
            + #""language":"\#(language)","data":\#(data)}"#
    }

    /// Words with the stabilities 0.3 … 86.7, the difficulties 1 … 10, and a last review up to 12 days ago.
    private func words(_ count: Int, language: String = "es") -> [String] {
        (0..<count).map { index in
            let stability = 0.3 + Double(index % 97) * 0.9
            let data = #"{"word":"w\#(index)","stability":\#(stability),"difficulty":\#(1 + index % 10)}"#
            return line("\(language) \(index)", "word.imported", day: index % 13, language, data)
        }
    }

    private func workload(
        _ lines: [String],
        rules: String = rules,
        language: String? = nil,
        _ retentions: [Double] = [0.7, 0.85, 0.97]
    ) throws -> WorkloadForecast? {
        let bench = try Bench(.sqliteTiny, rules: rules)
        try bench.ingest(lines)
        let ana = bench.engine.learner("ana")
        return try ana.workload(language: language, desiredRetentions: retentions, at: Self.date)
    }

    /// The expected numbers come from the Python package `fsrs` 6: its `Scheduler.review_card` makes each review, with
    /// the random numbers that `docs/numbers.md` defines, in four runs.
    @Test func `equals a simulation with the Python package fsrs`() throws {
        let forecast = try #require(try workload(words(300)))
        #expect(forecast.words == 300 && forecast.desiredRetention == 0.9 && forecast.secondsPerReview == 4)
        let expected = [
            (0.7, 352.5, 238.18850740726413), (0.85, 1227.25, 273.8205371365616), (0.9, 1831, 284.56922084810054),
            (0.97, 5148.75, 295.42932492285274),
        ]
        try #require(forecast.outcomes.map(\.desiredRetention) == expected.map(\.0))
        for (outcome, (_, reviews, recalled)) in zip(forecast.outcomes, expected) {
            #expect(abs(outcome.reviewsPerDay * 365 - reviews) < 1e-6)
            #expect(abs(outcome.wordsRecalled - recalled) < 1e-6)
            #expect(abs(outcome.minutesPerDay - outcome.reviewsPerDay * 4 / 60) < 1e-9)
        }
    }

    @Test func `does not depend on the order of arrival`() throws {
        let lines = words(40) + words(30, language: "fr")
        #expect(try workload(lines) == workload(lines.reversed()))
    }

    @Test func `is the sum of the languages`() throws {
        let lines = words(40) + words(30, language: "fr")
        let (all, one, other) = (
            try #require(try workload(lines)), try #require(try workload(lines, language: "ES")),
            try #require(try workload(lines, language: "fr"))
        )
        #expect(all.words == 70 && one.words == 40 && other.words == 30)
        for (sum, (part, rest)) in zip(all.outcomes, zip(one.outcomes, other.outcomes)) {
            #expect(abs(sum.reviewsPerDay - part.reviewsPerDay - rest.reviewsPerDay) < 1e-9)
            #expect(abs(sum.wordsRecalled - part.wordsRecalled - rest.wordsRecalled) < 1e-9)
        }
    }

    @Test func `uses the learner's grades, lengths of reviews and fitted parameters`() throws {
        let plain = try #require(try workload(words(50)))
        let grades = ["hard", "hard", "hard", "good"]
        let reviews = grades.enumerated().map { index, grade in
            line(
                "review \(index)",
                "review.graded",
                day: 0,
                "es",
                #"{"word":"w\#(10 + index)","grade":"\#(grade)","durationMs":\#(1000 * (index + 1))}"#
            )
        }
        let own = try #require(try workload(words(50) + reviews))
        // The median of 1, 2, 3 and 4 seconds.
        #expect(own.secondsPerReview == 2.5)
        #expect(own.outcomes[3].reviewsPerDay > plain.outcomes[3].reviewsPerDay)
        let slow = "0.212,1.2931,2.3065,8.2956,6.4133,0.8334,3.0194,0.001,1.0,0.1666,0.796,1.4835,0.0614,0.2629,1.6483,"
        let data = #"{"parameters":[\#(slow)0.6014,1.8729,0.5425,0.0912,0.0658,0.1542],"reviews":400,"logLoss":0.3}"#
        let fit = line("fit", "scheduler.fitted", day: 20, "es", data)
        let fitted = try #require(try workload(words(50) + [fit]))
        #expect(fitted.outcomes[3].reviewsPerDay > plain.outcomes[3].reviewsPerDay)
    }

    @Test func `is nil without words that FSRS has scheduled`() throws {
        let added = line("1", "word.added", day: 3, "es", #"{"word":"sol"}"#)
        #expect(try workload([]) == nil)
        #expect(try workload([added]) == nil)
        #expect(try workload(words(3), rules: "version: 1\n") == nil)
        #expect(try workload(words(3), language: "fr") == nil)
    }

    @Test func `ignores retentions that are not between 0 and 1`() throws {
        let forecast = try workload(words(3), [0, 1, -1, .nan, 90, 0.9, 0.8])
        #expect(forecast?.outcomes.map(\.desiredRetention) == [0.8, 0.9])
    }
}
