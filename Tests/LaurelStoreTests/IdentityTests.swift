// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore
import Testing

/// The ids that a store recognizes, by stored hashes or by a search in blocks.
@Suite struct IdentityTests {
    private static func uuid(_ random: inout SeededGenerator) -> String {
        let words = [random.next(), random.next()].map { String($0, radix: 16) }
        let digits = words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined().map(String.init)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits[$0].joined() }.joined(separator: "-")
    }

    /// Events at random times; three of five have UUIDs.
    private static func events(_ count: Int, of subjects: [String], _ random: inout SeededGenerator) -> [TestEvent] {
        (0..<count).map { number in
            TestEvent(
                subject: subjects.randomElement(using: &random)!,
                id: number % 5 < 3 ? uuid(&random) : "e\(number)",
                milliseconds: Int64.random(in: 0..<5_000_000, using: &random),
                data: [("n", .integer(Int64(number)))]
            )
        }
    }

    private func hasHashes(_ test: TestStore) -> Bool {
        !DamageTests.Vandal(test.path!).read("SELECT data FROM identity_leaves LIMIT 1").isEmpty
    }

    @Test func hashesAreKeptOnlyWhereBlocksAreSlowToSearch() throws {
        var random = SeededGenerator(seed: 21)
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        options.bulkThreshold = 256
        let store = try SQLiteStore(path: path, mode: .readWrite, options: options)
        let test = TestStore(store: store, path: path, options: options)
        let long = IdentityTests.events(600, of: ["ana"], &random)
        try test.append(long)
        #expect(!hasHashes(test), "one long run")
        #expect(try test.outcomes(long[0], long[1]) == [.duplicate, .duplicate])
        #expect(!hasHashes(test), "duplicates only")
        let more = IdentityTests.events(500, of: ["ana"], &random).filter { $0.id.count == 36 }
        try test.append(Array(more[..<10]))
        #expect(hasHashes(test), "written to, event by event")
        #expect(try test.append(more).outcomes.count { $0 == .duplicate } == 10)
        let evenMore = IdentityTests.events(700, of: ["ana"], &random).filter { $0.id.count == 36 }
        try test.append(evenMore)
        #expect(!hasHashes(test), "two long runs")
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
        try test.append(IdentityTests.events(600, of: (0..<200).map { "learner-\($0)" }, &random))
        #expect(hasHashes(test), "short runs")
        #expect(try test.append(more + evenMore + long).outcomes.allSatisfy { $0 == .duplicate })
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    /// Shuffled, repeated and changed events, in batches and transactions of any size, with an erased learner in
    /// between.
    @Test(arguments: Backend.allCases, [UInt64(31)])
    func everyDeliveryIsToldApart(backend: Backend, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let subjects = ["ana", "ana", "ana", "bo", "cy", "di"]
        let (test, reference) = (try backend.make(), MemoryStore())
        for round in 0..<3 {
            // Events of earlier rounds with counter ids come again with other contents.
            var stream = IdentityTests.events(250, of: subjects, &random)
            stream += stream.shuffled(using: &random).prefix(100)
            for var event in stream.shuffled(using: &random).prefix(40) {
                event.milliseconds += Bool.random(using: &random) ? 1 : 0
                event.language = "de"
                stream.append(event)
            }
            stream.shuffle(using: &random)
            var rest = stream[...]
            while !rest.isEmpty {
                try test.store.write { transaction in
                    try reference.write { expected in
                        for _ in 0..<Int.random(in: 1...4, using: &random) {
                            let size = [1, 3, 20, 90].randomElement(using: &random)!
                            let batch = Array(rest.prefix(size))
                            rest = rest.dropFirst(size)
                            let outcomes = try transaction.append(batch).outcomes
                            #expect(try outcomes == expected.append(batch).outcomes, "seed \(seed)")
                        }
                    }
                }
                if Int.random(in: 0..<20, using: &random) == 0 { try test.reopen() }
            }
            #expect(try test.store.read { try $0.verify { _, _ in } } == [], "seed \(seed)")
            for subject in Set(subjects) {
                let expected = try reference.read { reader throws in
                    try reader.learner(named: Array(subject.utf8)).map { merged(try reader.events(of: $0.id)) }
                }
                #expect(try test.events(of: subject) == expected ?? [], "seed \(seed)")
            }
            for store in [test.store, reference] where round == 1 {
                try store.write { _ = try $0.erase(subject: Array("cy".utf8)) }
            }
        }
    }

    /// The index stores counter ids as runs. The runs are the same, whatever the order and batches of the numbers.
    @Test(arguments: [UInt64(41), 42, 43])
    func countingIdsMakeTheSameRunsHoweverTheyCome(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // With gaps, so that there are several runs.
        let numbers = (0..<400).filter { $0 % 97 < 80 && $0 % 31 != 7 }
        let events = numbers.flatMap { number in
            ["ana", "bo"].map { TestEvent(subject: $0, id: "e\(number)", milliseconds: Int64(number) * 1000) }
        }
        func runs(_ test: TestStore) -> String {
            let rows = "SELECT * FROM identities ORDER BY learner, family, low"
            let sql = "SELECT group_concat(learner || ':' || low || '+' || more, ' ') FROM (\(rows))"
            return String(decoding: DamageTests.Vandal(test.path!).read(sql), as: UTF8.self)
        }
        let path = TestStore.temporaryPath()
        let expected = TestStore(store: try SQLiteStore(path: path, mode: .readWrite), path: path)
        try expected.append(events)
        #expect(runs(expected).hasPrefix("1:0+6 1:8+29 1:39+29 "))

        let piecesPath = TestStore.temporaryPath()
        let pieces = TestStore(store: try SQLiteStore(path: piecesPath, mode: .readWrite), path: piecesPath)
        // Mostly in order, as devices send them; some late, some twice.
        var stream = events
        for _ in 0..<60 {
            let event = stream.remove(at: Int.random(in: 0..<stream.count, using: &random))
            let later = Int.random(in: 0...stream.count, using: &random)
            stream.insert(event, at: later)
            if Bool.random(using: &random) { stream.append(event) }
        }
        // Learners are numbered in the order of arrival.
        stream.insert(events[0], at: 0)
        stream.insert(events[1], at: 1)
        var rest = stream[...]
        while !rest.isEmpty {
            try pieces.store.write { transaction in
                for _ in 0..<Int.random(in: 1...9, using: &random) {
                    let size = [1, 2, 7, 40].randomElement(using: &random)!
                    _ = try transaction.append(Array(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                }
            }
        }
        #expect(try pieces.store.read { try $0.verify { _, _ in } } == [], "seed \(seed)")
        #expect(runs(pieces) == runs(expected), "seed \(seed)")
    }

    /// A batch of many learners' events. Some are in blocks, some in the tail, some only in memory.
    @Test(arguments: [UInt64(61), 62])
    func idsOfManyLearnersAreLookedForTogether(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        (options.bulkThreshold, options.eventsPerBlock) = (200, 256)
        let store = try SQLiteStore(path: path, mode: .readWrite, options: options)
        let (test, reference) = (TestStore(store: store, path: path, options: options), MemoryStore())
        let subjects = (0..<40).map { "learner-\($0)" }
        var sent: [TestEvent] = []
        for sizes in [[1000], [30], [400, 20], [600, 500]] {
            try store.write { transaction in
                try reference.write { expected in
                    for size in sizes {
                        var batch = IdentityTests.events(size, of: subjects, &random)
                        batch += sent.shuffled(using: &random).prefix(size / 2)
                        for index in batch.indices.shuffled(using: &random).prefix(9) { batch[index].language = "de" }
                        let outcomes = try transaction.append(batch).outcomes
                        #expect(try outcomes == expected.append(batch).outcomes, "seed \(seed)")
                        sent += batch
                    }
                }
            }
        }
        #expect(try store.read { try $0.verify { _, _ in } } == [], "seed \(seed)")
        #expect(try test.append(sent).outcomes.allSatisfy { $0 != .stored }, "seed \(seed)")
    }

    @Test func aTransactionThatFailsLeavesNothingBehind() throws {
        struct Failure: Error {}
        var random = SeededGenerator(seed: 41)
        let test = try Backend.sqliteTiny.make()
        let events = IdentityTests.events(300, of: ["ana"], &random)
        try test.append(Array(events[..<100]))
        #expect(throws: Failure.self) {
            try test.store.write { transaction in
                _ = try transaction.append(events)
                throw Failure()
            }
        }
        let outcomes = try test.append(events).outcomes
        #expect(outcomes == (0..<300).map { $0 < 100 ? .duplicate : .stored })
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test func verifyFindsWhatIsMissingFromTheIndex() throws {
        var random = SeededGenerator(seed: 51)
        let test = try Backend.sqlite.make()
        try test.append(IdentityTests.events(900, of: ["ana"], &random))
        (test.store as? SQLiteStore)?.close()
        let vandal = DamageTests.Vandal(test.path!)
        vandal.write("DELETE FROM identity_leaves WHERE low = 0", [])
        try test.reopen()
        let problems = try test.store.read { try $0.verify { _, _ in } }.map(\.description)
        #expect(problems.count == 1 && problems[0].hasSuffix("events whose identity is not in the index"))
        // Without any leaf there is no index, so every event is compared.
        vandal.write("DELETE FROM identity_leaves", [])
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }
}
