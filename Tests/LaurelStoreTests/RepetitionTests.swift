// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

@testable import LaurelStore

/// Files that are ingested a second time, batch by batch.
@Suite struct RepetitionTests {
    /// The limits of memory, in blocks of a size.
    enum Room: String, CaseIterable {
        case plenty, scarce, none

        func make() throws -> TestStore {
            var options = StoreOptions()
            options.eventsPerBlock = 512
            options.cachedBlocks = 2
            options.bulkThreshold = 100
            switch self {
            case .plenty: break
            case .scarce: options.unwrittenBytes = 192 << 10
            case .none: options.unwrittenBytes = 1
            }
            let path = TestStore.temporaryPath()
            let store = try SQLiteStore(path: path, mode: .readWrite, options: options)
            return TestStore(store: store, path: path, options: options)
        }
    }

    enum Repetition: String, CaseIterable {
        case asItWas, shuffled, learnerByLearner, written

        func arrange(_ events: [TestEvent], _ random: inout SeededGenerator) -> [TestEvent] {
            switch self {
            case .asItWas: events
            case .shuffled: events.shuffled(using: &random)
            case .learnerByLearner: events.sorted { ($0.subject, $0.milliseconds) < ($1.subject, $1.milliseconds) }
            case .written: events.map(RepetitionTests.writtenDifferently)
            }
        }
    }

    private static let learners = 32
    private static let batch = 200

    /// The history of alternating learners. The ids of some are counters, those of others are not.
    private func history(_ count: Int, _ random: inout SeededGenerator) -> [TestEvent] {
        (0..<count).map { number in
            let learner = Int.random(in: 0..<RepetitionTests.learners, using: &random)
            let hash = String(UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
            var event = TestEvent(
                subject: "learner-\(learner)",
                id: learner % 3 == 0 ? "\(hash)-x" : "e\(number)",
                // Some events have the same instant.
                milliseconds: 1_770_000_000_000 + Int64(number / 3) * 1000
            )
            event.session = "s\(number / 200)"
            event.data = [
                ("line", .text("l\(number % 50)")), ("accuracy", .double(Double(number % 100) / 100)),
                ("words", .integer(Int64(number % 7))),
            ]
            return event
        }
    }

    /// The same JSON with another order of members.
    private static func writtenDifferently(_ event: TestEvent) -> TestEvent {
        var event = event
        event.data.reverse()
        return event
    }

    /// The events, with a share of them changed in content or time.
    private func altered(_ events: [TestEvent]) -> [TestEvent] {
        events.enumerated().map { index, event in
            var event = event
            switch index % 97 {
            case 3: event.data[2].1 = .integer(99)
            case 40: event.milliseconds += 1
            case 41: event = RepetitionTests.writtenDifferently(event)
            case 60: event.session = nil
            case 80: event.id += "-new"
            default: break
            }
            return event
        }
    }

    private func batches(_ events: [TestEvent]) -> [[TestEvent]] {
        stride(from: 0, to: events.count, by: RepetitionTests.batch).map {
            Array(events[$0..<min($0 + RepetitionTests.batch, events.count)])
        }
    }

    private func store(_ events: [TestEvent], in test: TestStore) throws {
        try test.store.write { transaction in
            for batch in batches(events) { _ = try transaction.append(batch) }
        }
        // Some events stay outside blocks.
        try test.append(
            Array(events.suffix(7)).map { event in
                var event = event
                event.id = "later-\(event.id)"
                return event
            }
        )
    }

    @Test(arguments: Room.allCases, Repetition.allCases)
    func whatComesAgainIsDecidedAsInTheReference(room: Room, repetition: Repetition) throws {
        let seed: UInt64 = 20
        var random = SeededGenerator(seed: seed)
        let test = try room.make()
        let reference = TestStore(store: MemoryStore(), path: nil)
        let events = history(2400, &random)
        try store(events, in: test)
        try store(events, in: reference)
        let again = altered(repetition.arrange(events, &random))
        var counts: [AppendResult.Outcome: Int] = [:]
        try reference.store.write { expected in
            try test.store.write { transaction in
                for (number, batch) in batches(again + again.suffix(300)).enumerated() {
                    let outcomes = try transaction.append(batch).outcomes
                    #expect(try outcomes == expected.append(batch).outcomes, "seed \(seed), batch \(number)")
                    for outcome in outcomes { counts[outcome, default: 0] += 1 }
                }
            }
        }
        #expect(counts[.conflict]! > 50 && counts[.stored]! > 20 && counts[.duplicate]! > 2000)
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
        let (found, expected) = (try test.events(of: "learner-5"), try reference.events(of: "learner-5"))
        #expect(found == expected)
    }

    /// Repeated in one transaction, while the first events are not yet in blocks.
    @Test func whatComesTwiceAtOnceIsKnown() throws {
        var random = SeededGenerator(seed: 21)
        let test = try Room.plenty.make()
        let events = history(4000, &random)
        try test.store.write { transaction throws in
            #expect(try transaction.append(events).outcomes.allSatisfy { $0 == .stored })
            for batch in batches(events.shuffled(using: &random)) {
                #expect(try transaction.append(batch).outcomes.allSatisfy { $0 == .duplicate })
            }
        }
    }

    /// Comparing events costs in proportion to their number. Blocks are not decoded again for every batch.
    @Test(arguments: [(Room.plenty, Repetition.asItWas, 2), (.plenty, .shuffled, 2), (.scarce, .asItWas, 12)])
    func blocksAreDecodedFewTimes(room: Room, repetition: Repetition, times: Int) throws {
        var random = SeededGenerator(seed: 22)
        let test = try room.make()
        let events = history(8000, &random)
        try test.append(events)
        let again = batches(repetition.arrange(events, &random))
        try test.store.write { transaction in
            let session = try #require(transaction as? StoreSession)
            let before = session.memory.compared.decodedEvents
            for batch in again { #expect(try transaction.append(batch).outcomes.allSatisfy { $0 == .duplicate }) }
            let decoded = session.memory.compared.decodedEvents - before
            #expect(decoded >= events.count && decoded <= events.count * times, "of \(events.count): \(decoded)")
        }
    }

    /// A few of many events are looked up alone, so that a small batch is cheap.
    @Test func aFewOfManyDecodeOnlyTheirLearners() throws {
        var random = SeededGenerator(seed: 23)
        let test = try Room.plenty.make()
        let events = history(6000, &random)
        try test.append(events)
        try test.store.write { transaction in
            let session = try #require(transaction as? StoreSession)
            let before = session.memory.compared.decodedEvents
            let few = events.filter { $0.subject == "learner-7" }.prefix(10)
            #expect(try transaction.append(Array(few)).outcomes.allSatisfy { $0 == .duplicate })
            #expect(session.memory.compared.decodedEvents - before <= 1024)
        }
    }
}
