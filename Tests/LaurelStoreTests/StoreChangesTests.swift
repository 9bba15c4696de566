// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Testing

@testable import LaurelStore

/// Commits are numbered. For each number, a store lists the learners that later commits touched.
@Suite struct StoreChangesTests {
    private func changes(_ test: TestStore, since commits: [Int64], limit: Int = .max) throws -> StoreChanges {
        try test.store.read { try $0.changes(since: commits, limit: limit) }
    }

    private func names(_ changes: StoreChanges) -> [String] {
        changes.learners.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    private func last(_ test: TestStore) throws -> [Int64] { try changes(test, since: []).commits }

    /// The numbers after one more commit in the partitions of some learners.
    private func next(_ test: TestStore, _ commits: [Int64], touching names: some Sequence<String>) -> [Int64] {
        let touched = Set(names.map { test.store.partition(of: Array($0.utf8)) })
        return commits.indices.map { commits[$0] + (touched.contains($0) ? 1 : 0) }
    }

    /// A store with ana, bo and cy, each with an event.
    private func store(_ backend: Backend) throws -> TestStore {
        let test = try backend.make()
        try test.append(["ana", "bo", "cy"].map { TestEvent(subject: $0, id: "1") })
        return test
    }

    private struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The touched learners; nil if the commit touches none and has no number; empty for all learners.
        var touches: [String]? = []
        var allLearners = false
        let run: @Sendable (any StoreAdministration) throws -> Void
    }

    private static let rules = RulesRecord(version: 1, hash: "x", name: "r", appliedAt: 0, source: [], from: nil)
    private static let steps = [
        Step(testDescription: "an event of one", touches: ["bo"]) {
            _ = try $0.append([TestEvent(subject: "bo", id: "2")])
        },
        Step(testDescription: "events of two, one of whom is new", touches: ["ana", "di"]) {
            _ = try $0.append([TestEvent(subject: "di", id: "1"), TestEvent(subject: "ana", id: "2")])
        },
        Step(testDescription: "a batch with events of one and a duplicate of another", touches: ["cy"]) {
            _ = try $0.append([TestEvent(subject: "ana", id: "1"), TestEvent(subject: "cy", id: "2")])
        },
        Step(testDescription: "a duplicate", touches: nil) { _ = try $0.append([TestEvent(id: "1")]) },
        Step(testDescription: "a conflict", touches: nil) {
            _ = try $0.append([TestEvent(id: "1", type: "line.skipped")])
        },
        Step(testDescription: "a refused line", touches: nil) {
            _ = try $0.quarantine(QuarantineTests.line("r", subject: "bo"), bytes: [1])
        },
        Step(testDescription: "an erasure", touches: ["bo"], allLearners: true) {
            _ = try $0.erase(subject: Array("bo".utf8))
        },
        Step(testDescription: "an erasure of nobody", touches: nil) { _ = try $0.erase(subject: Array("xy".utf8)) },
        Step(testDescription: "a replay", allLearners: true) { try $0.dropDerivedState() },
        Step(testDescription: "rules", allLearners: true) { try $0.setRules(StoreChangesTests.rules) },
        Step(testDescription: "rules withdrawn", allLearners: true) { try $0.withdrawRules(from: LocalDay(number: 1)) },
        Step(testDescription: "nothing", touches: nil) { _ in },
    ]

    @Test(arguments: Backend.allCases, steps) private func `says whom a commit touched`(
        backend: Backend,
        step: Step
    ) throws {
        let test = try store(backend)
        let before = try last(test)
        try test.store.write { try step.run($0) }
        for _ in 0..<2 {
            let found = try changes(test, since: before)
            let after = step.touches == [] ? before.map { $0 + 1 } : next(test, before, touching: step.touches ?? [])
            #expect(found.commits == after)
            #expect(found.allLearners == step.allLearners)
            #expect(names(found) == (step.allLearners ? [] : step.touches ?? []))
            #expect(try changes(test, since: found.commits) == StoreChanges(commits: found.commits))
            #expect(try test.store.read { try $0.verify { _, _ in } } == [])
            try test.reopen()
        }
    }

    @Test(arguments: Backend.allCases) func `what failed has no number`(backend: Backend) throws {
        struct Failure: Error {}
        let test = try store(backend)
        let before = try last(test)
        #expect(throws: Failure.self) {
            try test.store.write { transaction throws in
                _ = try transaction.append([TestEvent(subject: "bo", id: "2")])
                throw Failure()
            }
        }
        #expect(try changes(test, since: before) == StoreChanges(commits: before))
    }

    @Test(arguments: Backend.allCases) func `commits that never were stand for everybody`(backend: Backend) throws {
        let test = try store(backend)
        for commit in [-1, 9] as [Int64] { #expect(try changes(test, since: [commit]).allLearners) }
    }

    /// Commits with few and many learners, and more commits than are listed, compared with the actual writes.
    @Test(arguments: Backend.allCases) func `as far back as there are commits`(backend: Backend) throws {
        let seed = UInt64.random(in: 0...999)
        var random = SeededGenerator(seed: seed)
        let test = try store(backend)
        let first = try last(test)
        var positions = [first]
        var written: [Set<String>] = []
        for round in 0..<400 {
            let count = round % 97 == 13 ? 70 : Int.random(in: 1...3, using: &random)
            let touched = Set((0..<count).map { _ in "l\(Int.random(in: 0..<90, using: &random))" })
            try test.append(touched.sorted().map { TestEvent(subject: $0, id: "\(round)") })
            written.append(touched)
            positions.append(next(test, positions[round], touching: touched))
            guard round % 20 == 0 || round == 399 else { continue }
            for back in [0, 1, 5, 30, 120, round].filter({ $0 <= round }) {
                let expected = written.suffix(back).reduce(into: Set<String>()) { $0.formUnion($1) }
                let found = try changes(test, since: positions[round + 1 - back])
                #expect(
                    !found.allLearners && Set(names(found)) == expected,
                    "seed \(seed), round \(round), \(back) back"
                )
                #expect(found.commits == positions[round + 1])
            }
        }
        #expect(try changes(test, since: first, limit: 40) == StoreChanges(commits: positions[400], allLearners: true))
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test func `another process's commits count, too`() throws {
        let test = try store(.sqlite)
        let other = try SQLiteStore(path: try #require(test.path), mode: .readWrite)
        defer { other.close() }
        let before = try last(test)
        for (round, store) in [other, test.store, other].enumerated() {
            _ = try store.write { try $0.append([TestEvent(subject: "s\(round)", id: "1")]) }
        }
        let found = try changes(test, since: before)
        #expect(found.commits == [before[0] + 3] && names(found) == ["s0", "s1", "s2"])
    }

    @Test(arguments: [
        "UPDATE meta SET value = x'00' WHERE name = 'recent_changes'",
        "UPDATE meta SET value = 9223372036854775807 WHERE name = 'recent_changes'",
        "UPDATE meta SET value = substr(value, 1, length(value) - 1) WHERE name = 'recent_changes'",
        "DELETE FROM meta WHERE name = 'recent_changes'",
        "UPDATE learners SET changed = 9223372036854775807",
    ])
    func `damage is told, and hides nobody`(sql: String) throws {
        let test = try store(.sqlite)
        try test.append([TestEvent(subject: "ana", id: "2")])
        let path = try #require(test.path)
        try Connection(path: path, flags: 2).execute(sql)
        #expect(try test.store.read { try $0.verify { _, _ in } } != [])
        let before = try last(test)
        try test.append([TestEvent(subject: "bo", id: "2")])
        let found = try changes(test, since: before)
        #expect(found.commits[0] > before[0])
        #expect(found.allLearners || names(found).contains("bo"))
        try test.append([TestEvent(subject: "cy", id: "2")])
        #expect(names(try changes(test, since: found.commits)).contains("cy"))
    }
}
