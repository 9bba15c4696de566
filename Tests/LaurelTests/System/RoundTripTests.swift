// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelEvents
import LaurelPostgreSQL
import Testing

@testable import Laurel
@testable import LaurelStore

/// The number of sequential round trips to the server for learners that a process has not cached.
@Suite(.enabled(if: DatabaseServer.binaries != nil)) struct RoundTripTests {
    private let location: String
    private let whole: Bench
    /// The number of learners, some of whom have a snapshot.
    private static let learners = 40
    private static let withSnapshot = 4

    init() throws {
        location = try #require(DatabaseServer.shared).newLocation()
        try PostgreSQLStore.create(location, partitions: 1)
        whole = try Bench(.memory, rules: ClassRules.base)
        try ingest(Self.history)
    }

    private static let history: [String] = (0..<learners).flatMap { learner in
        (0..<(learner < withSnapshot ? LearnerUpdater.snapshotInterval + 8 : 12)).map { number in
            event(number, learner, at: Int64(number))
        }
    }

    private static func event(_ id: Int, _ learner: Int, at minutes: Int64) -> String {
        let time = Timestamp.utc(1_767_225_600_000 + minutes * 600_000)
        return line("\(id)", at: time, by: "learner-\(learner)")
    }

    /// One event each for some learners, after all others.
    private static func news(_ learners: Range<Int>) -> [String] {
        learners.map { event(10_000, $0, at: 10_000) }
    }

    private func engine(_ store: PostgreSQLStore) throws -> ProgressEngine {
        try ProgressEngine(store: store, rules: try Bench.load(ClassRules.base), clock: Bench.now)
    }

    /// An event whose id is not a counter.
    private static func named(_ id: Int, _ learner: Int, at minutes: Int64) -> String {
        let time = Timestamp.utc(1_767_225_600_000 + minutes * 600_000)
        let id = "\(String(format: "%08x", id &* 0x9E37_79B1 & 0xFFFF_FFFF))-4e1a-\(String(format: "%04x", learner))-a"
        return line(id, at: time, by: "learner-\(learner)")
    }

    /// One event each for some learners, with an id that is not a counter, after all others.
    private static func namedNews(_ learners: Range<Int>, at minutes: Int = 20_000) -> [String] {
        learners.map { named(minutes, $0, at: Int64(minutes)) }
    }

    private func ingest(_ lines: [String]) throws {
        let engine = try engine(PostgreSQLStore(location, mode: .readWrite))
        _ = try engine.ingest(Array(lines.joined(separator: "\n").utf8), now: Bench.now)
        engine.close()
        try whole.ingest(lines)
    }

    /// - Returns: the number of round trips of a new process that stores some events.
    private func roundTrips(_ lines: [String]) throws -> Int { try roundTrips(inARow: [lines])[0] }

    /// - Parameter batches: each has its own transaction.
    private func roundTrips(inARow batches: [[String]]) throws -> [Int] {
        let store = try PostgreSQLStore(location, mode: .readWrite)
        let engine = try engine(store)
        defer { engine.close() }
        func counted() throws -> Int { try store.slots.withOne { try $0.withConnection(\.roundTrips) } }
        let trips = try batches.map { lines in
            let before = try counted()
            // As many requests as learners, which a service stores together.
            let requests = lines.map { IngestRequest(.lines, Array($0.utf8)) }
            let outcomes = try engine.ingest(together: requests, now: Bench.date)
            #expect(outcomes.allSatisfy { if case .done(let report) = $0 { report.stored == 1 } else { false } })
            return try counted() - before
        }
        for lines in batches { try whole.ingest(lines) }
        #expect(try engine.check().differences == [])
        #expect(try engine.fingerprint() == whole.engine.fingerprint())
        return trips
    }

    @Test func `a batch of learners asks hardly more often than one of them`() throws {
        #expect(try roundTrips(Self.news(0..<1)) <= 13, "who has a snapshot")
        #expect(try roundTrips(Self.news(8..<9)) <= 14, "who has none")
        #expect(try roundTrips(Self.news(1..<Self.withSnapshot) + Self.news(9..<38)) <= 20, "32 learners")
    }

    /// All learners are in one partition.
    @Test func `what others write about one learner is no reason to forget the rest`() throws {
        let store = try PostgreSQLStore(location, mode: .readWrite)
        let engine = try engine(store)
        defer { engine.close() }
        func trips(_ learners: Range<Int>, _ number: Int) throws -> Int {
            let lines = learners.map { Self.event(number, $0, at: Int64(number)) }
            let before = try store.slots.withOne { try $0.withConnection(\.roundTrips) }
            _ = try engine.ingest(together: lines.map { IngestRequest(.lines, Array($0.utf8)) }, now: Bench.date)
            try whole.ingest(lines)
            return try store.slots.withOne { try $0.withConnection(\.roundTrips) } - before
        }
        let first = try trips(8..<38, 10_001)
        let alone = try trips(8..<38, 10_002)
        try ingest([Self.event(10_002, 2, at: 10_002), Self.event(10_003, 9, at: 10_003)])
        let unconcerned = try trips(10..<38, 10_003)
        #expect(alone < first && unconcerned <= alone + 2, "\(first), \(alone), then \(unconcerned)")
        #expect(try trips(8..<12, 10_004) > unconcerned)
        #expect(try engine.check().differences == [])
        #expect(try engine.fingerprint() == whole.engine.fingerprint())
    }

    /// The store has hashes in leaves, because few events were written at a time.
    @Test func `ids that do not count are looked for together`() throws {
        try ingest(
            (0..<Self.learners).flatMap { learner in (0..<5).map { Self.named($0, learner, at: Int64(200 + $0)) } }
        )
        #expect(try roundTrips(Self.namedNews(8..<9)) <= 15, "one learner")
        let trips = try roundTrips(inARow: [Self.namedNews(6..<38, at: 20_001), Self.namedNews(6..<38, at: 20_002)])
        #expect(trips[0] <= 21, "32 learners")
        #expect(trips[1] <= 13, "the same again")
        // Other contents under stored ids, at other times. All are looked up, and refused.
        let again = (6..<38).map { Self.named(0, $0, at: 30_000) }
        let store = try PostgreSQLStore(location, mode: .readWrite)
        let engine = try engine(store)
        defer { engine.close() }
        func counted() throws -> Int { try store.slots.withOne { try $0.withConnection(\.roundTrips) } }
        let before = try counted()
        #expect(try engine.ingest(Array(again.joined(separator: "\n").utf8), now: Bench.now).conflicts == 32)
        #expect(try counted() - before <= 25, "conflicts")
    }

    /// In blocks, where long runs have no stored hashes.
    @Test func `ids that do not count are looked for together in blocks`() throws {
        let events = (0..<Self.learners).flatMap { learner in
            (0..<140).map { Self.named($0, learner, at: Int64(200 + $0)) }
        }
        try ingest(events)
        #expect(try roundTrips(Self.namedNews(8..<9)) <= 20, "one learner")
        let trips = try roundTrips(inARow: [Self.namedNews(6..<38, at: 20_001), Self.namedNews(6..<38, at: 20_002)])
        #expect(trips[0] <= 28, "32 learners")
        #expect(trips[1] <= 13, "the same again")
    }

    /// The writes to all partitions are sent together.
    @Test func `requests of many partitions' learners are stored in one transaction`() throws {
        let location = try #require(DatabaseServer.shared).newLocation()
        try PostgreSQLStore.create(location, partitions: 16)
        let store = try PostgreSQLStore(location, mode: .readWrite)
        let engine = try engine(store)
        defer { engine.close() }
        let whole = try Bench(.memory, rules: ClassRules.base)
        var trips: [Int] = []
        for number in 0..<4 {
            let lines = (0..<32).map { Self.event(number, $0, at: Int64(number)) }
            let before = try store.slots.withOne { try $0.withConnection(\.roundTrips) }
            let outcomes = try engine.ingest(
                together: lines.map { IngestRequest(.lines, Array($0.utf8)) },
                now: Bench.date
            )
            #expect(outcomes.allSatisfy { if case .done(let report) = $0 { report.stored == 1 } else { false } })
            trips.append(try store.slots.withOne { try $0.withConnection(\.roundTrips) } - before)
            try whole.ingest(lines)
        }
        #expect(trips[3] <= 5, "\(trips)")
        #expect(try engine.check().differences == [])
        #expect(try engine.fingerprint() == whole.engine.fingerprint())
    }

    /// Several threads write, with the same result as one.
    @Test func `many partitions are written at a time, and replayed together`() throws {
        let seed = UInt64.random(in: 0...999)
        let location = try #require(DatabaseServer.shared).newLocation()
        try PostgreSQLStore.create(location, partitions: 16)
        let engine = try engine(PostgreSQLStore(location, mode: .readWrite))
        defer { engine.close() }
        let whole = try Bench(.memory, rules: ClassRules.base)
        let lines = simulated(learners: 24, days: 10, seed: seed, disorder: true)
        for some in [lines[...], lines.prefix(200) + ["{", line("odd", "no.such type", by: "learner-0003")]] {
            let bytes = Array(some.joined(separator: "\n").utf8)
            let report = try engine.ingest(bytes, now: Bench.now)
            let expected = try whole.ingest(bytes)
            #expect(report.stored == expected.stored && report.duplicates == expected.duplicates, "seed \(seed)")
            #expect(report.refused == expected.refused && report.conflicts == expected.conflicts, "seed \(seed)")
        }
        let fingerprint = try whole.soundFingerprint()
        #expect(try engine.check().differences == [], "seed \(seed)")
        #expect(try engine.fingerprint() == fingerprint, "seed \(seed)")
        #expect(try engine.replay().fingerprint == fingerprint, "seed \(seed)")
        #expect(try engine.check().differences == [], "seed \(seed)")
    }
}
