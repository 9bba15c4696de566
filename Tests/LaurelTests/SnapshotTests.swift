// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

/// Learners with more than 4096 events have a snapshot of the fold's state. Only the time may show it.
@Suite struct SnapshotTests {
    private static let lines = simulated(learners: 4, days: 900, seed: 11)

    /// The events, in order, of the learner with the most events.
    private static let busiest: [String] = {
        let parsed = lines.map { ($0, try! JSONLine($0)["subject"]) }
        let counts = Dictionary(parsed.map { ($0.1, 1) }, uniquingKeysWith: +)
        let subject = counts.max { $0.value < $1.value }!.key
        return parsed.filter { $0.1 == subject }.map(\.0)
    }()

    private static let learner = try! JSONLine(busiest[0])["subject"]

    private func hasSnapshot(_ bench: Bench) throws -> Bool {
        try bench.store.read { reader in
            let learner = try #require(try reader.learner(named: Array(SnapshotTests.learner.utf8)))
            return try reader.snapshot(of: learner.id) != nil
        }
    }

    /// The fingerprint of a store that receives all these lines at once.
    private func fresh(_ lines: [String]) throws -> String {
        let bench = try Bench(.sqlite)
        try bench.ingest(lines)
        return try bench.engine.fingerprint()
    }

    private func withSnapshot(_ backend: Backend) throws -> (bench: Bench, given: [String], rest: [String]) {
        let lines = SnapshotTests.busiest
        try #require(lines.count > 4500)
        let bench = try Bench(backend)
        let given = Array(lines.prefix(4300))
        try bench.ingest(given)
        try #require(try hasSnapshot(bench))
        return (bench, given, Array(lines[4300...].prefix(200)))
    }

    @Test(arguments: Backend.files) func `events that follow`(backend: Backend) throws {
        let (bench, given, rest) = try withSnapshot(backend)
        for start in stride(from: 0, to: rest.count, by: 50) { try bench.ingest(rest[start..<start + 50]) }
        #expect(try hasSnapshot(bench))
        #expect(try bench.soundFingerprint() == fresh(given + rest))
    }

    @Test func `an event from before it`() throws {
        let (bench, given, rest) = try withSnapshot(.sqlite)
        let late = [rest[0], given[10], line("late", at: try JSONLine(given[2000])["time"], by: SnapshotTests.learner)]
        let report = try bench.ingest(late)
        #expect((report.stored, report.duplicates) == (2, 1))
        #expect(try bench.soundFingerprint() == fresh(given + late))
    }

    @Test func `an event of the snapshot's own instant`() throws {
        let (bench, given, _) = try withSnapshot(.sqlite)
        let time = try JSONLine(given[given.count - 1])["time"]
        let twins = ["a", "zzzz"].map { line($0, at: time, by: SnapshotTests.learner, source: $0) }
        for twin in twins { try bench.ingest([twin]) }
        #expect(try bench.soundFingerprint() == fresh(given + twins))
    }

    /// The numbers of a day in the other tracks stay.
    @Test func `an event without language, on a day that has one`() throws {
        let (bench, given, _) = try withSnapshot(.sqlite)
        let last = try JSONLine(given[given.count - 1])
        let time = Timestamp.utc(last.instant.milliseconds + 1)
        try #require(last["language"] != "" && time.prefix(10) == last["time"].prefix(10))
        let more = [line("more", at: time, by: SnapshotTests.learner)]
        try bench.ingest(more)
        #expect(try bench.soundFingerprint() == fresh(given + more))
    }

    @Test(arguments: ["2027-12-01T00:00:00Z", "2026-01-05T00:00:00Z"])
    func `a retraction of an event before it`(time: String) throws {
        let (bench, given, _) = try withSnapshot(.sqlite)
        let victim = try JSONLine(given[1000])
        let data = JSONValue.object(["source": .string(victim["source"]), "id": .string(victim["id"])]).json
        let retraction = line("gone", "event.retracted", at: time, by: SnapshotTests.learner, data: data)
        try bench.ingest([retraction])
        #expect(try bench.soundFingerprint() == fresh(given + [retraction]))
    }

    @Test func `a session before it that is discarded`() throws {
        let (bench, given, _) = try withSnapshot(.sqlite)
        let session = try #require(try given[500...].map(JSONLine.init).first { $0["session"] != "" })
        let discard = line(
            "gone",
            "session.discarded",
            at: "2027-12-01T00:00:00Z",
            by: SnapshotTests.learner,
            session: session["session"]
        )
        try bench.ingest([discard])
        #expect(try bench.soundFingerprint() == fresh(given + [discard]))
    }

    @Test func `progress as of an instant, before and after it`() throws {
        let (bench, given, rest) = try withSnapshot(.sqlite)
        try bench.ingest(rest)
        let all = given + rest
        for index in [0, 700, 2900, 4299, 4300, all.count - 1] {
            let instant = try JSONLine(all[index]).instant
            let before = try all.filter { try JSONLine($0).instant.milliseconds <= instant.milliseconds }
            let other = try Bench(.sqlite)
            try other.ingest(before)
            try expectEqual(bench, other, at: instant)
        }
    }

    private func expectEqual(_ one: Bench, _ other: Bench, at instant: Timestamp) throws {
        let learner = SnapshotTests.learner
        let tracks = try one.engine.allProgress(of: learner, at: instant)
        let expected = try other.engine.allProgress(of: learner, at: instant)
        #expect(tracks?.map(\.progress) == expected?.map(\.progress), "\(instant)")
        #expect(
            try one.engine.words(of: learner, language: nil, at: instant).map(Array.init)
                == other.engine.words(of: learner, language: nil, at: instant).map(Array.init),
            "\(instant)"
        )
        #expect(
            try one.engine.sessions(of: learner, at: instant) == other.engine.sessions(of: learner, at: instant),
            "\(instant)"
        )
    }
}
