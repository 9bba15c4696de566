// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import Testing

/// `engine.fit`, on simulated learners with known parameters.
@Suite struct FittingTests {
    static let usual = MasteryRule.defaultWeights
    /// The parameters of a learner who forgets sooner than usual.
    static let forgetful = usual.enumerated().map { $0 < 4 ? $1 / 4 : $0 == 8 ? 1.2 : $1 }
    /// The parameters of a learner who remembers new words for longer than usual.
    static let lasting = usual.enumerated().map { $0 < 4 ? $1 * 10 : $1 }
    private static let rules = "version: 1\nmastery: {scheduler: fsrs}\n"

    private static func events(
        _ parameters: [Double],
        seed: UInt64 = 1,
        count: Int,
        language: String = "es"
    ) throws -> [Event] {
        let start = try Timestamp("2025-01-01T08:00:00Z").milliseconds
        let reviews = SimulatedReviews(seed: seed, count: count, parameters: parameters, usual: usual).reviews
        return reviews.enumerated().map { index, review in
            Event(
                id: "\(language)\(index)",
                source: "app",
                type: "review.graded",
                subject: "ana",
                time: Timestamp(milliseconds: start + Int64(review.second) * 1000, offset: .zulu),
                language: language,
                timezone: "Asia/Tokyo",
                data: ["word": .string("\(review.word)"), "grade": .string("\(review.grade)")]
            )
        }
    }

    private func fit(_ bench: Bench, _ change: (inout FitOptions) -> Void = { _ in }) throws -> SchedulerFit? {
        var options = FitOptions()
        change(&options)
        return try bench.engine.fit("ana", options: options, now: Bench.date)
    }

    private struct StoredFit: Decodable, Equatable {
        struct Data: Decodable, Equatable {
            var parameters: [Double]
            var reviews: Int
            var logLoss: Double
        }

        var id, source, type, time: String
        var language, timezone: String?
        var data: Data
    }

    private func fits(_ bench: Bench) throws -> [StoredFit] {
        try bench.export().filter { $0.contains("scheduler.fitted") }
            .map { try JSONDecoder().decode(StoredFit.self, from: Data($0.utf8)) }
    }

    @Test(arguments: Backend.allCases) func `a fit is an event after the last review`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules)
        let events = try Self.events(Self.forgetful, count: 1200)
        try bench.engine.ingest(events, now: Bench.date)
        let before = try bench.engine.learner("ana").words(at: Bench.date).map(\.stability)
        let fit = try #require(try fit(bench))
        #expect(fit.outcome == .stored && fit.reviews == 765 && fit.checkedReviews == 574)
        #expect(try #require(fit.logLoss) < #require(fit.logLossBefore))
        let event = try #require(try fits(bench).first)
        let last = try #require(events.map(\.time.milliseconds).max())
        #expect(try event.source == SchedulerFit.source && Timestamp(event.time).milliseconds == last + 1)
        #expect(event.language == nil && event.timezone == "Asia/Tokyo")
        #expect(event.data.parameters == fit.parameters && event.data.reviews == 765)
        #expect(event.data.logLoss == fit.logLoss)
        // The words stay as they are until their next review.
        #expect(try bench.engine.learner("ana").words(at: Bench.date).map(\.stability) == before)
        _ = try bench.soundFingerprint()
    }

    @Test func `a fit schedules later reviews`() throws {
        let bench = try Bench(.memory, rules: Self.rules)
        try bench.engine.ingest(Self.events(Self.forgetful, count: 1200), now: Bench.date)
        let parameters = try #require(try fit(bench)?.parameters)
        let review = Event(
            id: "later",
            source: "app",
            type: "review.graded",
            subject: "ana",
            time: try Timestamp("2027-01-01T08:00:00Z"),
            data: ["word": "new", "grade": "good"]
        )
        try bench.engine.ingest([review], now: Bench.date)
        let word = try bench.engine.learner("ana").words(at: Bench.date).first { $0.id == "new" }
        #expect(word?.stability == parameters[2] && parameters[2] != Self.usual[2])
    }

    @Test func `a repeated fit stores nothing`() throws {
        let bench = try Bench(.sqliteTiny, rules: Self.rules)
        let other = try Bench(.memory, rules: Self.rules)
        let events = try Self.events(Self.forgetful, count: 1200)
        try bench.engine.ingest(events, now: Bench.date)
        try other.engine.ingest(events.reversed(), now: Bench.date)
        #expect(try fit(bench)?.outcome == .stored)
        #expect(try fit(bench)?.outcome == .tooFewReviews)
        #expect(try fits(bench).count == 1)
        // The order of arrival does not change the event. So two nodes that fit at once store it once.
        #expect(try fit(other)?.outcome == .stored)
        #expect(try fits(other) == fits(bench))
    }

    @Test func `a retraction undoes a fit, and keeps it undone`() throws {
        let bench = try Bench(.sqliteTiny, rules: Self.rules)
        try bench.engine.ingest(Self.events(Self.forgetful, count: 1200), now: Bench.date)
        _ = try fit(bench)
        let event = try #require(try fits(bench).first)
        let retraction = Event(
            id: "r",
            source: "admin",
            type: "event.retracted",
            subject: "ana",
            time: try Timestamp("2027-01-01T08:00:00Z"),
            data: ["source": .string(event.source), "id": .string(event.id)]
        )
        try bench.engine.ingest([retraction], now: Bench.date)
        #expect(try fit(bench)?.outcome == .duplicate)
        #expect(try fits(bench).count == 1)
        _ = try bench.soundFingerprint()
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var rules = FittingTests.rules
        var parameters = FittingTests.usual
        let count: Int
        let outcome: SchedulerFit.Outcome
    }

    @Test(arguments: [
        Row(testDescription: "under SM-2", rules: "version: 1\n", count: 600, outcome: .notFSRS),
        Row(testDescription: "few reviews", parameters: forgetful, count: 80, outcome: .tooFewReviews),
        Row(testDescription: "a usual learner", count: 600, outcome: .notBetter),
    ]) func `no fit for`(row: Row) throws {
        let bench = try Bench(.memory, rules: row.rules)
        try bench.engine.ingest(Self.events(row.parameters, count: row.count), now: Bench.date)
        let fit = try fit(bench)
        #expect(fit?.outcome == row.outcome && fit?.parameters == nil)
        #expect(try fits(bench).isEmpty)
    }

    @Test func `only initial stabilities are fitted to few reviews`() throws {
        let bench = try Bench(.memory, rules: Self.rules)
        try bench.engine.ingest(Self.events(Self.lasting, seed: 2, count: 320), now: Bench.date)
        let parameters = try #require(try fit(bench)?.parameters)
        #expect(parameters[..<4] != Self.usual[..<4] && parameters[4...] == Self.usual[4...])
        // The evidence of few reviews allows a part of the step only.
        #expect(zip(parameters, Self.lasting).prefix(4).allSatisfy { $0 < $1 })
    }

    @Test func `a dry run stores nothing`() throws {
        let bench = try Bench(.memory, rules: Self.rules)
        try bench.engine.ingest(Self.events(Self.forgetful, count: 1200), now: Bench.date)
        let trial = try fit(bench) { $0.isDryRun = true }
        #expect(try trial?.outcome == .checked && fits(bench).isEmpty)
        #expect(try fit(bench)?.parameters == trial?.parameters)
    }

    @Test func `a language has its own fit`() throws {
        let bench = try Bench(.memory, rules: Self.rules)
        try bench.engine.ingest(
            Self.events(Self.forgetful, count: 1200) + Self.events(Self.usual, count: 600, language: "fr"),
            now: Bench.date
        )
        #expect(try fit(bench) { $0.language = "FR" }?.outcome == .notBetter)
        #expect(try fit(bench) { $0.language = "es" }?.outcome == .stored)
        #expect(try fits(bench).map(\.language) == ["es"])
    }

    @Test func `a fit as of an instant reads earlier reviews only`() throws {
        let bench = try Bench(.memory, rules: Self.rules)
        let events = try Self.events(Self.forgetful, count: 1200)
        try bench.engine.ingest(events, now: Bench.date)
        let date = events[79].time.date
        #expect(try fit(bench) { $0.date = date }?.outcome == .tooFewReviews)
    }

    @Test func `all learners are fitted`() throws {
        let bench = try Bench(.memory, rules: Self.rules)
        try bench.engine.ingest(Self.events(Self.forgetful, count: 1200), now: Bench.date)
        let few = try Self.events(Self.usual, count: 80).map { event in
            var event = event
            event.subject = "ben"
            return event
        }
        try bench.engine.ingest(few, now: Bench.date)
        let report = try bench.engine.fitAll(now: Bench.date)
        #expect(report.learners == 2 && report.fitted == 1 && report.fits.map(\.learner) == ["ana"])
        #expect(try bench.engine.fit("nobody", now: Bench.date) == nil)
    }
}
