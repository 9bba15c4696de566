// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import Synchronization
import Testing

@testable import LaurelStore

private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

/// Merges, beside writes, the blocks that writes have left unmerged.
@Suite struct MergingTests {
    private static let backends = Backend.allCases.filter { $0 == .sqliteTiny || $0 == .postgresqlTiny }
    private static let subjects = (0..<12).map { "learner-\($0)" }

    /// A store whose writes merge nothing.
    private func store(_ backend: Backend) throws -> TestStore {
        try backend.make { ($0.mergedInWrites, $0.mergedPerNewEvent) = (0, 0) }
    }

    private func append(_ batches: Int, to test: TestStore, _ odd: inout OddEvents) throws {
        for _ in 0..<batches { try test.append((0..<48).map { odd.event(subject: Self.subjects[$0 % 12]) }) }
    }

    private func contents(_ test: TestStore) throws -> [[String]] { try Self.subjects.map(test.events) }

    private func blocks(_ test: TestStore) throws -> any GenerationStore {
        try #require(test.store as? any GenerationStore)
    }

    private func generations(_ test: TestStore) throws -> Int {
        try blocks(test).readBlocks { try $0.tables.generations(of: nil).count }
    }

    private func expectSound(_ test: TestStore) throws {
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test(arguments: backends) func `what writes leave is merged later, and events stay`(backend: Backend) throws {
        let test = try store(backend)
        var odd = OddEvents(seed: 3)
        #expect(try !test.store.isMergingDue())
        try append(30, to: test, &odd)
        let (before, count) = (try contents(test), try generations(test))
        #expect(try test.store.isMergingDue())
        var shares: [Double] = []
        let merged = try test.store.mergeGenerations { shares.append($0) }
        #expect(merged >= 4 && !shares.isEmpty && shares == shares.sorted() && shares.allSatisfy { 0..<1 ~= $0 })
        #expect(try generations(test) < count)
        #expect(try !test.store.isMergingDue())
        #expect(try test.store.mergeGenerations { _ in } == 0)
        try expectSound(test)
        #expect(try contents(test) == before)
        try test.reopen()
        #expect(try contents(test) == before)
        // Stored events are recognized, and new ones are stored.
        try append(4, to: test, &odd)
        try expectSound(test)
    }

    @Test(arguments: backends) func `a write that makes as many blocks merges them itself`(backend: Backend) throws {
        let test = try backend.make { ($0.mergedInWrites, $0.mergedPerNewEvent) = (0, 1_000_000) }
        var odd = OddEvents(seed: 4)
        try append(30, to: test, &odd)
        #expect(try !test.store.isMergingDue())
        try expectSound(test)
    }

    @Test(arguments: backends) func `a merge gives way to an erasure`(backend: Backend) throws {
        let test = try store(backend)
        var odd = OddEvents(seed: 5)
        try append(30, to: test, &odd)
        let blocks = try blocks(test)
        let (stale, owner) = try blocks.readBlocks { session throws in
            let merged = try session.merged(#require(try session.dueGenerations().first)) {}
            return (merged, try #require(try session.learner(merged.blocks[0].runs[0].learner)).subject)
        }
        #expect(try test.store.write(in: stale.partition) { try $0.erase(subject: owner) })
        let before = try contents(test)
        #expect(try !blocks.writeBlocks(in: stale.partition) { try $0.adopt(stale) })
        #expect(try contents(test) == before)
        try expectSound(test)
        // Nothing is merged twice.
        let fresh = try blocks.readBlocks { session throws in
            try session.merged(#require(try session.dueGenerations().first)) {}
        }
        #expect(try blocks.writeBlocks(in: fresh.partition) { try $0.adopt(fresh) })
        #expect(try !blocks.writeBlocks(in: fresh.partition) { try $0.adopt(fresh) })
        #expect(try contents(test) == before)
        try expectSound(test)
    }

    @Test(arguments: backends) func `who ends it has lost nothing`(backend: Backend) throws {
        let test = try store(backend)
        var odd = OddEvents(seed: 6)
        try append(30, to: test, &odd)
        let (before, count) = (try contents(test), try generations(test))
        #expect(throws: CancellationError.self) {
            try test.store.mergeGenerations { _ in throw CancellationError() }
        }
        #expect(try (contents(test), generations(test)) == (before, count))
        try expectSound(test)
    }

    /// Two processes merge while a third stores and erases.
    @Test(arguments: backends, [21]) func `merging beside writes changes no event`(
        backend: Backend,
        seed: UInt64
    ) async throws {
        let (test, expected) = (try store(backend), try Backend.memory.make())
        let others = try [#require(try test.another()), #require(try test.another())]
        try await withThrowingTaskGroup(of: Void.self) { group throws in
            let isOver = Flag()
            for other in others {
                group.addTask {
                    while !isOver.isSet {
                        if try other.mergeGenerations({ _ in }) == 0 { usleep(5000) }
                    }
                    other.close()
                }
            }
            defer { isOver.set() }
            var odd = OddEvents(seed: seed)
            for round in 0..<24 {
                let batch = (0..<48).map { odd.event(subject: Self.subjects[$0 % 12]) }
                #expect(try test.append(batch).outcomes == expected.append(batch).outcomes, "seed \(seed)")
                guard round % 12 == 9 else { continue }
                let subject = Array(Self.subjects[round % 12].utf8)
                for test in [test, expected] { #expect(try test.store.write { try $0.erase(subject: subject) }) }
            }
        }
        #expect(try contents(test) == contents(expected), "seed \(seed)")
        try expectSound(test)
    }
}
