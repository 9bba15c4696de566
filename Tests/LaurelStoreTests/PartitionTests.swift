// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import SeededRandom
import StoreTesting
import Synchronization
import Testing

@testable import LaurelStore

/// Partitions are separate stores for writers, and one store for readers.
@Suite struct PartitionTests {
    /// The first four bytes of the SHA-256 of the subject, by another implementation, modulo 4 and 256.
    private static let known = [("ana", 3, 111), ("bo", 3, 15), ("cy", 1, 149), ("di", 2, 86), ("", 2, 66)]

    @Test(arguments: known) func `a subject's partition stays for ever`(subject: String, of4: Int, of256: Int) {
        let bytes = Array(subject.utf8)
        #expect([1, 4, 256].map { Partition.of(bytes, among: $0) } == [0, of4, of256])
    }

    private func store(_ backend: Backend) throws -> TestStore {
        let test = try backend.make()
        try test.append(["ana", "bo", "cy", "di"].map { TestEvent(subject: $0, id: "1") })
        return test
    }

    private func partition(_ test: TestStore, _ subject: String) -> Int {
        test.store.partition(of: Array(subject.utf8))
    }

    @Test(arguments: Backend.allCases) func `ids tell the partition`(backend: Backend) throws {
        let test = try store(backend)
        try test.store.read { reader throws in
            let ranges = try reader.learnerRanges()
            #expect(ranges.count == min(test.store.partitions, 3))
            var found: [String: Int] = [:]
            try reader.forEachLearner { learner in
                found[String(decoding: learner.subject, as: UTF8.self)] = Partition.of(learner: learner.id)
                #expect(ranges.contains { $0.contains(learner.id) })
            }
            #expect(found.count == 4)
            for (subject, partition) in found { #expect(partition == self.partition(test, subject)) }
            for size in [1, 2, 100] {
                let shares = try reader.learnerShares(of: size)
                #expect(shares.allSatisfy { $0.count <= size })
                #expect(shares.flatMap(Array.init) == ranges.flatMap(Array.init))
            }
        }
    }

    @Test(arguments: Backend.allCases) func `a write changes the version of its partition alone`(
        backend: Backend
    ) throws {
        let test = try store(backend)
        func versions() throws -> [StoreVersion?] {
            try (0..<test.store.partitions).map { try test.store.version(of: $0) }
        }
        // The first question opens the connection that answers the next one.
        _ = try versions()
        var before = try versions()
        #expect(try versions() == before)
        for subject in ["ana", "cy", "ana"] {
            let partition = partition(test, subject)
            let steps = try test.store.write(in: partition) { transaction throws in
                _ = try transaction.append([TestEvent(subject: subject, id: "\(Int.random(in: 2...Int.max))")])
                return transaction.versions
            }
            #expect(steps.map(\.after.partition) == [partition])
            let after = try versions()
            #expect(after[partition] == steps[0].after)
            for other in after.indices { #expect((after[other] == before[other]) == (other != partition)) }
            before = after
        }
        let steps = try test.store.writeAll(\.versions)
        #expect(steps.map(\.after) == (try versions()))
        #expect(zip(before, try versions()).allSatisfy { $0 != $1 })
    }

    @Test(arguments: Backend.partitioned) func `a partition's writer has nothing to do with others' learners`(
        backend: Backend
    ) throws {
        let test = try store(backend)
        let ana = try #require(try test.store.read { try $0.learner(named: Array("ana".utf8)) }).id
        let wrong: [(any StoreTransaction) throws -> Void] = [
            { _ = try $0.learnerID(for: Array("xenia".utf8)) },
            { _ = try $0.append([TestEvent(subject: "ana", id: "2")]) },
            { try $0.saveSnapshot([1], of: ana) },
            { _ = try $0.erase(subject: Array("ana".utf8)) },
            { try $0.quarantine(QuarantineTests.line("r", subject: "ana"), bytes: [1]) },
            { try $0.forgetChanges(of: [ana]) },
        ]
        for body in wrong {
            let error = #expect(throws: StoreError.self) { try test.store.write(in: 0, body) }
            #expect(error?.code == .misuse)
        }
        // The transaction reads all learners, and may write service records.
        try test.store.write(in: 0) { transaction throws in
            #expect(try transaction.learner(ana)?.eventCount == 1)
            try transaction.setServiceRecord("a", "1")
        }
        #expect(try test.store.read { try $0.serviceRecord("a") } == "1")
    }

    /// Each writer waits inside its transaction until the other one is inside, too.
    @Test(arguments: Backend.partitioned)
    func `two partitions are written at the same time, and what both wrote stands`(
        backend: Backend
    ) throws {
        let test = try store(backend)
        let store = test.store
        let inside = Mutex(0)
        try ["ana", "cy"].mapInParallel { subject in
            try store.write(in: store.partition(of: Array(subject.utf8))) { transaction throws in
                _ = try transaction.append([TestEvent(subject: subject, id: "2")])
                try transaction.setServiceRecord(subject, "x")
                inside.withLock { $0 += 1 }
                while inside.withLock({ $0 }) < 2 {}
            }
        } receive: {
        }
        #expect(try test.events(of: "ana").count == 2 && test.events(of: "cy").count == 2)
        #expect(try store.read { try $0.serviceRecords(prefix: "") } == ["ana": "x", "cy": "x"])
    }

    @Test(arguments: Backend.partitioned) func `who writes all waits for the writers of each`(
        backend: Backend
    ) throws {
        let test = try store(backend)
        let store = test.store
        let count = Mutex(0)
        try Array(0..<40).mapInParallel { number in
            func step(_ transaction: any StoreTransaction) throws {
                let name = "n\(number % 4)"
                let value = Int(try transaction.serviceRecord(name) ?? "0")!
                try transaction.setServiceRecord(name, "\(value + 1)")
                count.withLock { $0 += 1 }
            }
            if number % 5 == 0 { try store.writeAll(step) } else { try store.write(in: number % 4, step) }
        } receive: {
        }
        let records = try store.read { try $0.serviceRecords(prefix: "n") }
        #expect(records == ["n0": "10", "n1": "10", "n2": "10", "n3": "10"] && count.withLock { $0 } == 40)
    }

    /// ana and bo are in one partition, cy in another; di is in neither.
    @Test(arguments: Backend.allCases) func `some partitions are written as one`(backend: Backend) throws {
        let test = try store(backend)
        let partitions = Set(["ana", "cy"].map { partition(test, $0) }).sorted()
        let more = ["ana", "bo", "cy"].map { TestEvent(subject: $0, id: "2") }
        func step(_ transaction: any StoreTransaction) throws -> AppendResult {
            let result = try transaction.append(more + [TestEvent(subject: "ana", id: "2")])
            // The transaction reads its own writes, of all learners.
            let learners = try transaction.learners(.subjects(["cy", "ana", "di"].map { Array($0.utf8) }))
            #expect(learners.map { $0?.eventCount } == [2, 2, 1])
            #expect(try transaction.events(of: learners[0]!.id).reduce(0) { $0 + $1.rows.count } == 2)
            for learner in learners.prefix(2) { try transaction.saveSnapshot([7], of: learner!.id) }
            try transaction.quarantine(QuarantineTests.line("r", subject: "cy"), bytes: [1])
            try transaction.quarantine(QuarantineTests.line("r"), bytes: [2])
            try transaction.setServiceRecord("a", "1")
            return result
        }
        struct Undone: Error {}
        #expect(throws: Undone.self) {
            try test.store.write(in: partitions) { transaction in
                _ = try step(transaction)
                throw Undone()
            }
        }
        #expect(try test.store.read { try $0.quarantineCounts() } == [])
        #expect(try test.events(of: "cy").count == 1)
        let result = try test.store.write(in: partitions) { try step($0) }
        #expect(result.outcomes == [.stored, .stored, .stored, .duplicate])
        #expect(try ["ana", "bo", "cy", "di"].map { try test.events(of: $0).count } == [2, 2, 2, 1])
        try test.store.read { reader throws in
            #expect(try reader.quarantineCounts().map(\.lines) == [2])
            #expect(try reader.serviceRecord("a") == "1")
            for subject in ["ana", "cy"] {
                let id = try #require(try reader.learner(named: Array(subject.utf8))).id
                #expect(try reader.snapshot(of: id) == [7])
            }
        }
        if test.store.partitions > 1 {
            let error = #expect(throws: StoreError.self) {
                try test.store.write(in: partitions) { _ = try $0.append([TestEvent(subject: "di", id: "2")]) }
            }
            #expect(error?.code == .misuse)
        }
    }

    @Test(arguments: Backend.partitioned) func `of those who want some of the same partitions none waits for ever`(
        backend: Backend
    ) throws {
        let test = try store(backend)
        let other = try test.another()
        defer { other?.close() }
        let stores = [test.store, other ?? test.store]
        let seed = UInt64.random(in: 0...9999)
        let subjects = ["ana", "cy", "di"]
        let counts = Mutex([Int](repeating: 0, count: subjects.count))
        try Array(0..<60).mapInParallel { number in
            var random = SeededGenerator(seed: seed + UInt64(number))
            let some = subjects.indices.filter { _ in Bool.random(using: &random) }
            guard !some.isEmpty else { return }
            let events = some.map { TestEvent(subject: subjects[$0], id: "n\(number)") }
            let store = stores[number % 2]
            let partitions = Set(some.map { store.partition(of: Array(subjects[$0].utf8)) }).sorted()
            _ = try store.write(in: partitions) { try $0.append(events) }
            counts.withLock { for index in some { $0[index] += 1 } }
        } receive: {
        }
        for (subject, count) in zip(subjects, counts.withLock { $0 }) {
            #expect(try test.events(of: subject).count == count + 1, "seed \(seed)")
        }
    }
}
