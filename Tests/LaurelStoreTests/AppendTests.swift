// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore
import Testing

@Suite struct AppendTests {
    @Test(arguments: Backend.allCases)
    func eventsComeBack(backend: Backend) throws {
        let test = try backend.make()
        let late = TestEvent(id: "e1", milliseconds: 2000, data: [("words", .integer(5))])
        let early = TestEvent(id: "e2", milliseconds: 1000)
        #expect(try test.outcomes(late, early) == [.stored, .stored])
        let expected = EventTable([early, late])
        #expect(try test.events(of: "ana") == [expected.describe(0), expected.describe(1)])
        try test.reopen()
        #expect(try test.events(of: "ana").count == 2)
        #expect(try test.store.read { try $0.learner(named: Array("ana".utf8))?.eventCount } == 2)
    }

    @Test(arguments: Backend.allCases, [UInt64(1)])
    func randomBatchesComeBack(backend: Backend, seed: UInt64) throws {
        let test = try backend.make()
        let reference = MemoryStore()
        var odd = OddEvents(seed: seed)
        let subjects = ["ana", "bo", "çe", "d\u{0}e"]
        var sent: [TestEvent] = []
        for _ in 0..<30 {
            let size = Int.random(in: 1...40, using: &odd.random)
            var batch = (0..<size).map { _ in odd.event(subject: subjects.randomElement(using: &odd.random)!) }
            for event in sent.shuffled(using: &odd.random).prefix(5) { batch.append(event) }
            let result = try test.append(batch)
            let expected = try reference.write { try $0.append(batch) }
            #expect(result.outcomes == expected.outcomes, "seed \(seed)")
            #expect(result.stored.map(\.rows) == expected.stored.map(\.rows), "seed \(seed)")
            sent += batch
        }
        for subject in subjects {
            let expected = try reference.read { reader throws in
                merged(try reader.events(of: reader.learner(named: Array(subject.utf8))!.id))
            }
            #expect(try test.events(of: subject) == expected, "seed \(seed)")
        }
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
        try test.reopen()
        #expect(try test.append(sent).outcomes.allSatisfy { $0 == .duplicate || $0 == .conflict }, "seed \(seed)")
    }

    /// Events of one transaction are recognized as duplicates within it, before they are written.
    @Test(arguments: Backend.allCases, [UInt64(7)])
    func batchesOfOneTransactionComeBack(backend: Backend, seed: UInt64) throws {
        let test = try backend.make()
        let reference = MemoryStore()
        var odd = OddEvents(seed: seed)
        let subjects = ["ana", "bo", "çe"]
        try reference.write { expected in
            try test.store.write { transaction in
                var sent: [TestEvent] = []
                for _ in 0..<20 {
                    var batch = (0..<Int.random(in: 1...40, using: &odd.random)).map { _ in
                        odd.event(subject: subjects.randomElement(using: &odd.random)!)
                    }
                    batch += sent.shuffled(using: &odd.random).prefix(5)
                    let outcomes = try transaction.append(batch).outcomes
                    #expect(try outcomes == expected.append(batch).outcomes, "seed \(seed)")
                    sent += batch
                }
            }
        }
        for subject in subjects {
            let expected = try reference.read { reader throws in
                merged(try reader.events(of: reader.learner(named: Array(subject.utf8))!.id))
            }
            #expect(try test.events(of: subject) == expected, "seed \(seed)")
        }
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test(arguments: Backend.allCases, [UInt64(10)])
    func longHistoriesComeStretchByStretch(backend: Backend, seed: UInt64) throws {
        let test = try backend.make()
        var odd = OddEvents(seed: seed)
        for count in [200, 30, 1, 90, 3, 40] {
            try test.append((0..<count).map { _ in odd.event(subject: "ana") })
            try test.append([odd.event(subject: "bo")])
        }
        try test.store.read { reader in
            let ana = try #require(try reader.learner(named: Array("ana".utf8)))
            var events: [String] = []
            var last = Int64.min
            try reader.forEachStretch(of: ana.id, fields: .all) { runs in
                let times = runs.flatMap { run in run.rows.map { run.table.milliseconds[$0] } }
                #expect(times.allSatisfy { $0 > last }, "seed \(seed)")
                last = times.max() ?? last
                events += merged(runs)
            }
            #expect(try events == merged(reader.events(of: ana.id)), "seed \(seed)")
            var given: [String: Int] = [:]
            try reader.forEachLearner(upTo: 40) { learner, runs in
                given[String(decoding: learner.subject, as: UTF8.self)] = runs.reduce(0) { $0 + $1.rows.count }
            }
            let bo = try #require(try reader.learner(named: Array("bo".utf8)))
            #expect(given == ["ana": 0, "bo": bo.eventCount], "seed \(seed)")
            var found: [String] = []
            try reader.forEachStretch(of: ana.id, fields: .all, types: ["quest.finished"]) { found += merged($0) }
            let wanted = events.filter { $0.contains("quest.finished") }
            #expect(!wanted.isEmpty && Set(wanted).isSubset(of: Set(found)), "seed \(seed)")
        }
    }

    /// So many ids that the index is split often, in small and large batches.
    @Test(arguments: Backend.allCases, [UInt64(4)])
    func idsThatDoNotCountAreKnownAgain(backend: Backend, seed: UInt64) throws {
        let test = try backend.make()
        var random = OddEvents(seed: seed).random
        var ids: [String] = []
        for size in [1, 2, 600, 1, 40, 1, 300] {
            let new = (0..<size).map { _ in
                let hex = String(UInt64.random(in: 0...(.max), using: &random), radix: 16)
                return hex + "-" + String(UInt64.random(in: 0...(.max), using: &random), radix: 16) + "x"
            }
            let batch = new.map { TestEvent(id: $0, milliseconds: Int64.random(in: 0..<1_000_000, using: &random)) }
            #expect(try test.append(batch).outcomes.allSatisfy { $0 == .stored }, "seed \(seed)")
            #expect(try test.append(batch).outcomes.allSatisfy { $0 == .duplicate }, "seed \(seed)")
            ids += new
        }
        // These ids are identified by id alone. At another time they are other events.
        let others = ids.shuffled(using: &random).prefix(40).map { TestEvent(id: $0, milliseconds: 2_000_000) }
        #expect(try test.append(others).outcomes.allSatisfy { $0 == .conflict }, "seed \(seed)")
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    /// Blocks are closed when their texts are long, even with few events: texts that occur once, and repeated texts.
    @Test(arguments: [1, 40])
    func longTextsMakeSmallBlocks(uses: Int) throws {
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        (options.eventsPerBlock, options.textPerBlock, options.bulkThreshold) = (1000, 10_000, 10)
        let store = try SQLiteStore(path: path, mode: .readWrite, options: options)
        let test = TestStore(store: store, path: path, options: options)
        let events = (0..<400).map { number in
            let text = String(repeating: "\(number / uses) ", count: 50)
            return TestEvent(id: "e\(number)", milliseconds: Int64(number), data: [("text", .text(text))])
        }
        // In two batches of one transaction.
        try store.write { transaction in
            _ = try transaction.append(Array(events[..<150]))
            _ = try transaction.append(Array(events[150...]))
        }
        let bytes = events.reduce(0) { sum, event in
            if case .text(let text) = event.data[0].1 { sum + text.utf8.count } else { sum }
        }
        let blocks = try store.read { try $0.statistics().blocks }
        #expect((bytes / 11_000...bytes / 9000).contains(blocks), "\(bytes) bytes in \(blocks) blocks")
        let expected = EventTable(events)
        #expect(try test.events(of: "ana") == events.indices.map(expected.describe))
    }
}
