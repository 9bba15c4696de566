// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import StoreTesting
import Testing

/// An engine caches the states of recently folded learners. Whatever else happens to the store, the cache must not
/// show.
@Suite struct RecentLearnersTests {
    private static let rules = ClassRules.base
    private static let lines = LongHistory(events: 400, seed: 41).lines

    private func bench(_ backend: Backend = .sqlite) throws -> Bench { try Bench(backend, rules: Self.rules) }

    private func fresh(_ lines: some Sequence<String>, rules: String = rules) throws -> String {
        let bench = try Bench(.sqlite, rules: rules)
        try bench.ingest(lines)
        return try bench.engine.fingerprint()
    }

    @Test(arguments: Backend.allCases) func `one event at a time`(backend: Backend) throws {
        let bench = try bench(backend)
        let lines = backend.isFile ? Self.lines : Array(Self.lines.prefix(120))
        for line in lines { try bench.ingest([line]) }
        #expect(try bench.soundFingerprint() == fresh(lines))
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `one at a time, in any order, some twice`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bench = try bench(.sqliteTiny)
        let lines = Array(Self.lines.prefix(200))
        for line in (lines + lines.prefix(30)).shuffled(using: &random) { try bench.ingest([line]) }
        #expect(try bench.soundFingerprint() == fresh(lines), "seed \(seed)")
    }

    @Test func `another engine writes between two appends`() throws {
        let bench = try bench()
        let other = try Bench(sharing: bench)
        for (index, line) in Self.lines.prefix(60).enumerated() {
            // In runs of one, two and three.
            try (index % 6 < 3 ? bench : other).ingest([line])
        }
        #expect(try bench.soundFingerprint() == fresh(Self.lines.prefix(60)))
    }

    @Test func `another process writes between two appends`() throws {
        let bench = try bench()
        let store = bench.folder.file("laurel.db")
        for (index, line) in Self.lines.prefix(8).enumerated() {
            if index % 2 == 0 {
                try bench.ingest([line])
            } else {
                try laurel("ingest", "--store", store, bench.folder.write(line, to: "one.ndjson"))
            }
        }
        #expect(try bench.soundFingerprint() == fresh(Self.lines.prefix(8)))
    }

    @Test func `a retraction between two appends`() throws {
        let bench = try bench()
        let gone = line(
            "gone",
            "event.retracted",
            at: "2021-01-01T00:00:00Z",
            by: LongHistory.learner,
            data: #"{"source":"app","id":"e3"}"#
        )
        let lines = Self.lines.prefix(20) + [gone] + Self.lines[20..<40]
        for line in lines { try bench.ingest([line]) }
        #expect(try bench.soundFingerprint() == fresh(lines))
    }

    @Test(arguments: Backend.allCases) func `a learner who is erased, and comes back`(backend: Backend) throws {
        let bench = try bench(backend)
        for line in Self.lines.prefix(20) { try bench.ingest([line]) }
        #expect(try bench.engine.erase(learner: LongHistory.learner))
        for line in Self.lines[10..<30] { try bench.ingest([line]) }
        #expect(try bench.soundFingerprint() == fresh(Self.lines[10..<30]))
    }

    @Test func `another engine applies rules`() throws {
        let bench = try bench()
        let other = try Bench(sharing: bench)
        let rules = ClassRules.edited("10 * event.accuracy", "4 * event.accuracy")
        try bench.use(rules: nil)
        for line in Self.lines.prefix(20) { try bench.ingest([line]) }
        _ = try other.engine.apply(ClassRules.load(rules), options: ApplyOptions(appliedAt: Bench.date))
        for line in Self.lines[20..<40] { try bench.ingest([line]) }
        #expect(try bench.soundFingerprint() == fresh(Self.lines.prefix(40), rules: rules))
    }

    @Test func `the same engine replays, and fails to write`() throws {
        let bench = try bench()
        for line in Self.lines.prefix(10) { try bench.ingest([line]) }
        _ = try bench.engine.replay()
        for line in Self.lines[10..<20] { try bench.ingest([line]) }
        struct Interruption: Error {}
        #expect(throws: Interruption.self) { try bench.store.writeAll { _ in throw Interruption() } }
        for line in Self.lines[20..<30] { try bench.ingest([line]) }
        #expect(try bench.soundFingerprint() == fresh(Self.lines.prefix(30)))
    }

    /// Whoever writes, the answers equal those of a new engine.
    @Test(arguments: Backend.allCases) func `questions between appends`(backend: Backend) throws {
        let bench = try bench(backend)
        let other = backend.isFile ? try Bench(sharing: bench) : bench
        let reader = try ProgressEngine(store: bench.store, rules: nil, clock: Bench.now)
        let late = line("late", at: "2019-06-01T08:00:00Z", by: LongHistory.learner)
        let gone = line(
            "gone",
            "event.retracted",
            at: "2021-01-01T00:00:00Z",
            by: LongHistory.learner,
            data: #"{"source":"app","id":"e3"}"#
        )
        let lines = Self.lines.prefix(24) + [late, gone] + Self.lines[24..<40]
        for (index, line) in lines.enumerated() {
            try (index % 5 == 4 ? other : bench).ingest([line])
            let fresh = try ProgressEngine(store: bench.store, rules: nil, clock: Bench.now)
            for instant in [Bench.now, Bench.now - 7 * 86_400_000, Self.middle] {
                let expected = try fresh.progress(
                    of: LongHistory.learner,
                    language: nil,
                    at: .init(milliseconds: instant)
                )
                // The second answer may use the first one's cached fold.
                for engine in [bench.engine, other.engine, reader, bench.engine, other.engine, reader] {
                    let progress = try engine.progress(
                        of: LongHistory.learner,
                        language: nil,
                        at: .init(milliseconds: instant)
                    )
                    #expect(progress == expected, "after \(index + 1) events")
                }
            }
        }
        #expect(try bench.soundFingerprint() == fresh(lines))
        #expect(try bench.engine.erase(learner: LongHistory.learner))
        for engine in [bench.engine, other.engine, reader] {
            #expect(
                try engine.progress(of: LongHistory.learner, language: nil, at: .init(milliseconds: Bench.now)) == nil
            )
        }
    }

    /// The time of one of the events.
    private static let middle = try! JSONLine(lines[20]).instant.milliseconds

    /// More events than one thread folds, so several threads fill the cache.
    @Test func `a class that is folded on all cores, and goes on`() throws {
        let bench = try bench()
        let lines = simulated(learners: 80, days: 21, seed: 44)
        try #require(lines.count > 9000)
        try bench.ingest(lines.prefix(lines.count - 240))
        for start in stride(from: lines.count - 240, to: lines.count, by: 80) {
            try bench.ingest(lines[start..<min(start + 80, lines.count)])
        }
        #expect(try bench.soundFingerprint() == fresh(lines))
    }

    /// The first events of many learners, a few for each: more learners than one write caches.
    @Test func `many learners in turn`() throws {
        let bench = try bench()
        let crowd = simulated(learners: 90, days: 2, seed: 43)
        for start in stride(from: 0, to: crowd.count, by: 40) {
            try bench.ingest(crowd[start..<min(start + 40, crowd.count)])
        }
        #expect(try bench.soundFingerprint() == fresh(crowd))
    }

    // MARK: Who is remembered

    /// An engine with two cached learners, and its store.
    private func knowing(_ bench: Bench) throws -> (ProgressEngine, WatchedStore) {
        let store = WatchedStore(bench.store)
        let engine = try ProgressEngine(store: store, rules: Bench.load(Self.rules), clock: Bench.now)
        for learner in ["ana", "ben"] { try ingest("1", by: learner, engine) }
        // A single question opens no connection for the cache. A learner is cached by the requested name.
        for learner in ["ana", "ana", "ben"] { _ = try xp(of: learner, engine) }
        return (engine, store)
    }

    private func ingest(_ id: String, by learner: String, _ engine: ProgressEngine) throws {
        let line = line(id, at: "2026-01-0\(id)T08:00:00Z", by: learner, data: #"{"accuracy":0.9}"#)
        #expect(try engine.ingest(Array(line.utf8), now: Bench.now).stored == 1)
    }

    private func xp(of learner: String, _ engine: ProgressEngine) throws -> Double? {
        try engine.progress(of: learner, language: nil, at: Timestamp(milliseconds: Bench.now))?.numbers.xp
    }

    @Test func `whoever asks right after a commit has nobody forgotten`() throws {
        let bench = try bench()
        let (engine, store) = try knowing(bench)
        for id in ["2", "3"] {
            store.didCommit = { _ = try self.xp(of: "ana", engine) }
            try ingest(id, by: "ana", engine)
            store.didCommit = {}
            let reads = store.reads
            for learner in ["ana", "ben"] { _ = try xp(of: learner, engine) }
            #expect(store.reads == reads, "event \(id)")
        }
        #expect(try xp(of: "ana", engine)! > xp(of: "ben", engine)!)
        #expect(try bench.soundFingerprint() == engine.fingerprint())
    }

    @Test func `who is known is known on when another writes about somebody else`() throws {
        let bench = try bench()
        let (engine, store) = try knowing(bench)
        let other = try Bench(sharing: bench)
        for id in ["2", "3"] {
            let before = try xp(of: "ben", engine)!
            try ingest(id, by: "ben", other.engine)
            let reads = store.reads
            _ = try xp(of: "ana", engine)
            #expect(store.reads == reads, "event \(id)")
            #expect(try xp(of: "ben", engine)! > before, "event \(id)")
        }
        #expect(try bench.soundFingerprint() == other.engine.fingerprint())
    }
}
