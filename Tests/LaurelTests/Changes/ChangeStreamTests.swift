// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelStore
import Synchronization
import Testing

/// Streams of changes: the present state, then one after every commit that touched the learner.
@Suite struct ChangeStreamTests {
    private static let rules = "version: 1\nname: r\nxp: [{id: line, on: line.spoken, award: 7}]\n"
    private static let otherRules = "version: 1\nname: r\nxp: [{id: line, on: line.spoken, award: 9}]\n"

    /// The elements of a stream, one after another.
    private final class Feed {
        private var iterator: ProgressChanges.Iterator

        init(_ engine: ProgressEngine, of learner: String = "ana", language: String? = nil) {
            iterator = engine.changes(of: learner, language: language).makeAsyncIterator()
        }

        /// The XP of the next state: −1 without progress, nil at the end.
        func next() async throws -> Int? {
            guard let progress = try await iterator.next() else { return nil }
            return progress.map { Int($0.totalXP) } ?? -1
        }
    }

    /// An array, as the engine's own process would pass it.
    private func events(_ ids: String..., by learner: String = "ana") -> [UInt8] {
        Array(ids.map { line($0, by: learner) }.joined(separator: "\n").utf8)
    }

    @Test(arguments: Backend.allCases) func `begins with the present, then follows commits`(backend: Backend)
        async throws
    {
        let bench = try Bench(backend, rules: Self.rules)
        try bench.ingest(events("1"))
        let feed = Feed(bench.engine)
        #expect(try await feed.next() == 7)
        try bench.ingest(events("2"))
        #expect(try await feed.next() == 14)
        // Neither another learner's events nor duplicates give an element.
        try bench.ingest(events("1", by: "bo"))
        try bench.ingest(events("1", "2"))
        try bench.ingest(events("3", "4"))
        #expect(try await feed.next() == 28)
    }

    @Test(arguments: Backend.allCases) func `a learner comes and goes`(backend: Backend) async throws {
        let bench = try Bench(backend, rules: Self.rules)
        // The store gets its rules, perhaps in a commit of its own.
        try bench.ingest(events("1", by: "bo"))
        let feed = Feed(bench.engine)
        #expect(try await feed.next() == -1)
        try bench.ingest(events("1"))
        #expect(try await feed.next() == 7)
        #expect(try bench.engine.erase(learner: "ana"))
        #expect(try await feed.next() == -1)
        try bench.ingest(events("1"))
        #expect(try await feed.next() == 7)
    }

    @Test(arguments: Backend.allCases) func `other rules and replays touch everyone`(backend: Backend) async throws {
        let bench = try Bench(backend, rules: Self.rules)
        try bench.ingest(events("1"))
        let feed = Feed(bench.engine)
        #expect(try await feed.next() == 7)
        try bench.engine.apply(Rules(yaml: Self.otherRules))
        #expect(try await feed.next() == 9)
        try bench.engine.replay()
        #expect(try await feed.next() == 9)
    }

    @Test(arguments: Backend.allCases) func `who takes long gets the newest state, once`(backend: Backend) async throws
    {
        let bench = try Bench(backend, rules: Self.rules)
        let isParted = bench.store.partitions > 1
        if isParted { try bench.ingest(events("0", by: "bo")) }
        let (feed, everyone) = (Feed(bench.engine), bench.engine.changes().makeAsyncIterator())
        var all = everyone
        #expect(try await feed.next() == -1)
        let first = try #require(try await all.next())
        #expect(first.everyone && first.learners == [])
        // The store gets its rules, unless it has them.
        try bench.ingest(events("0"))
        #expect(try await feed.next() == 7)
        #expect(try await all.next()?.everyone == !isParted)
        for round in 1...60 { try bench.ingest(events("\(round)", by: round % 3 == 0 ? "bo" : "ana")) }
        // Until the last of them is noticed, a state may contain only some of them.
        var states: [Int] = []
        while states.last != 41 * 7 { states.append(try #require(try await feed.next())) }
        #expect(states == states.sorted() && states.count < 41)
        let end = try bench.engine.changes(since: 0).commit
        var (seen, last, answers) = (Set<String>(), first.commit, 0)
        while last != end {
            let changes = try #require(try await all.next())
            #expect(!changes.everyone && changes.commit != last)
            seen.formUnion(changes.learners)
            last = changes.commit
            answers += 1
        }
        #expect(seen == ["ana", "bo"] && answers < 60)
    }

    @Test func `another process's commits come within a second`() async throws {
        let bench = try Bench(.sqlite, rules: Self.rules)
        try bench.ingest(events("0"))
        let feed = Feed(bench.engine)
        #expect(try await feed.next() == 7)
        var fastest = Duration.seconds(60)
        for round in 1...4 {
            let file = try bench.folder.write(line("p\(round)") + "\n", to: "p\(round)")
            let store = bench.folder.file("laurel.db")
            #expect(try laurel("ingest", "--now", "2028-01-01T00:00:00Z", "--store", store, file).status == 0)
            let start = ContinuousClock.now
            #expect(try await feed.next() == 7 + 7 * round)
            fastest = min(fastest, ContinuousClock.now - start)
        }
        // On a busy machine, some take longer.
        #expect(fastest < .seconds(1))
        #expect(try laurel("erase", "ana", "--yes", "--store", bench.folder.file("laurel.db")).status == 0)
        #expect(try await feed.next() == -1)
    }

    @Test func `who reads only can follow, too`() async throws {
        let bench = try Bench(.sqlite, rules: Self.rules)
        try bench.ingest(events("0"))
        let reader = try ProgressEngine.openForReading(bench.folder.file("laurel.db"), rules: nil)
        #expect(try reader.changes(since: 0).commit == 1)
        let feed = Feed(reader)
        #expect(try await feed.next() == 7)
        try bench.ingest(events("1"))
        #expect(try await feed.next() == 14)
    }

    @Test(arguments: Backend.allCases) func `cancelling ends it, and nothing comes after`(backend: Backend) async throws
    {
        let bench = try Bench(backend, rules: Self.rules)
        try bench.ingest(events("1"))
        let engine = bench.engine
        let states = Mutex<[Int?]>([])
        let task = Task {
            for try await progress in engine.changes(of: "ana") { states.withLock { $0.append(progress?.totalXP) } }
            return true
        }
        while states.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        #expect(try await task.value)
        try bench.ingest(events("2"))
        #expect(states.withLock { $0 } == [7])
        // Before the first state, too.
        let other = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var iterator = engine.changes(of: "ana").makeAsyncIterator()
            return try await iterator.next() == nil
        }
        #expect(try await other.value)
    }

    @Test(arguments: Backend.allCases) func `ends with the engine`(backend: Backend) async throws {
        let bench = try Bench(backend, rules: Self.rules)
        let (one, other) = (Feed(bench.engine), Feed(bench.engine))
        #expect(try await one.next() == -1)
        let engine = bench.engine
        let waiting = Task {
            var count = 0
            for try await _ in engine.changes() { count += 1 }
            return count
        }
        try await Task.sleep(for: .milliseconds(50))
        bench.engine.close()
        #expect(try await one.next() == nil)
        #expect(try await other.next() == nil)
        #expect(try await waiting.value <= 1)
        // The store is opened again.
        try bench.ingest(events("1"))
        #expect(try engine.learner("ana").progress()?.totalXP == 7)
    }

    @Test(arguments: Backend.allCases) func `says who was touched since a commit`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules)
        try bench.ingest(events("1") + [10] + events("1", by: "bo"))
        let present = try bench.engine.changes(since: 0)
        #expect(present.everyone && present.learners == [])
        try bench.ingest(events("2", by: "é"))
        try bench.ingest(events("2", by: "bo"))
        let changes = try bench.engine.changes(since: present.commit)
        #expect(changes.learners == ["bo", "é"] && !changes.everyone)
        let (before, after) = (present.commit.numbers.reduce(0, +), changes.commit.numbers.reduce(0, +))
        #expect(after == before + 2)
        #expect(try bench.engine.changes(since: changes.commit).learners == [])
    }
}
