// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import LaurelProgress
import StoreTesting
import Testing

@testable import LaurelStore

/// The shadow: derived state that is built beside the stored one, then replaces it.
@Suite struct ShadowTests {
    private static let one = DerivedStateTests.projection(seed: 1)
    private static let two = DerivedStateTests.projection(seed: 2, languages: [nil, "fr"])

    /// A store with ana and bo, each with an event and a projection.
    private func store(_ backend: Backend) throws -> (TestStore, ana: Int64, bo: Int64) {
        let test = try backend.make()
        try test.append([.line("1", at: 1000, by: "ana"), .line("1", at: 1000, by: "bo")])
        let ids = try test.store.write { transaction throws in
            let ids = try ["ana", "bo"].map { try transaction.learnerID(for: Array($0.utf8)) }
            for id in ids { try transaction.project(ShadowTests.one, of: id, days: .all) }
            try transaction.saveSnapshot([1, 2], of: ids[0])
            return ids
        }
        return (test, ids[0], ids[1])
    }

    private func projection(_ test: TestStore, _ learner: Int64) throws -> LearnerProjection? {
        try test.store.read { try $0.projection(of: learner) }
    }

    @Test(arguments: Backend.allCases) func `nobody sees it before it is adopted`(backend: Backend) throws {
        let (test, ana, bo) = try store(backend)
        try test.store.withShadow {
            try test.store.write { try $0.beginShadow() }
            try test.store.write { transaction throws in
                try transaction.project(ShadowTests.two, of: ana, days: .all, in: .shadow)
                try transaction.saveSnapshot([3], of: ana, in: .shadow)
            }
            #expect(try projection(test, ana) == ShadowTests.one.normalised)
            #expect(try test.store.read { try $0.snapshot(of: ana) } == [1, 2])
            try test.store.write { try $0.adoptShadow(.everything) }
        }
        try test.reopen()
        var expected = ShadowTests.two.normalised
        // Profiles are stored with the progress of their events, and do not depend on the rules.
        expected.displayName = ShadowTests.one.displayName
        #expect(try projection(test, ana)?.tracks == expected.tracks)
        #expect(try test.store.read { try $0.snapshot(of: ana) } == [3])
        // Nothing of Bo's was in it.
        #expect(try projection(test, bo)?.tracks ?? [] == [])
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test(arguments: Backend.allCases) func `who changes is noted`(backend: Backend) throws {
        let (test, ana, bo) = try store(backend)
        try test.store.withShadow {
            try test.store.write { try $0.beginShadow() }
            #expect(try test.store.write { try $0.learners(where: .changedBesideShadow) } == [])
            try test.store.write { try $0.project(ShadowTests.two, of: bo, days: .all, in: .shadow) }
            try test.append([.line("2", at: 500, by: "bo")])
            // A duplicate changes nothing.
            try test.append([.line("1", at: 1000, by: "ana")])
            #expect(try test.store.write { try $0.learners(where: .changedBesideShadow) } == [bo])
            try test.store.write { try $0.forgetChanges(of: [bo]) }
            #expect(try test.store.write { try $0.learners(where: .changedBesideShadow) } == [])
            try test.append([.line("1", at: 1000, by: "cy")])
            _ = try test.store.write { try $0.erase(subject: Array("ana".utf8)) }
            let changed = try test.store.write { try $0.learners(where: .changedBesideShadow) }
            #expect(changed.count == 2 && changed.contains(ana))
            try test.store.write { try $0.adoptShadow(.everything) }
        }
        // Its data about Bo was removed with the note.
        #expect(try projection(test, bo)?.tracks ?? [] == [])
        try test.append([.line("3", at: 2000, by: "bo")])
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test(arguments: Backend.allCases) func `only those in it, and not their days`(backend: Backend) throws {
        let (test, ana, bo) = try store(backend)
        var without = DerivedStateTests.projection(seed: 7)
        for index in without.tracks.indices { without.tracks[index].days = [] }
        try test.store.withShadow {
            try test.store.write { transaction throws in
                try transaction.beginShadow()
                try transaction.project(without, of: ana, days: .all, in: .shadow)
                try transaction.adoptShadow(.listedLearnersWithoutDays)
            }
        }
        var expected = without.normalised
        for index in expected.tracks.indices { expected.tracks[index].days = ShadowTests.one.tracks[index].days }
        #expect(try projection(test, ana)?.tracks == expected.tracks)
        #expect(try test.store.read { try $0.snapshot(of: ana) } == nil)
        #expect(try projection(test, bo) == ShadowTests.one.normalised)
    }

    @Test(arguments: Backend.allCases) func `what is not adopted goes`(backend: Backend) throws {
        struct Interrupted: Error {}
        let (test, ana, _) = try store(backend)
        for _ in 0..<2 {
            #expect(throws: Interrupted.self) {
                try test.store.withShadow {
                    try test.store.write { transaction throws in
                        try transaction.beginShadow()
                        try transaction.project(ShadowTests.two, of: ana, days: .all, in: .shadow)
                    }
                    throw Interrupted()
                }
            }
            #expect(try projection(test, ana) == ShadowTests.one.normalised)
        }
        // No changes are noted any more.
        try test.append([.line("2", at: 2000, by: "ana")])
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test(arguments: Backend.allCases) func `who has progress in an achievement`(backend: Backend) throws {
        let (test, ana, bo) = try store(backend)
        var plain = ShadowTests.two
        for index in plain.tracks.indices {
            plain.tracks[index].achievements.removeAll { $0.id == "x" }
            plain.tracks[index].achievements.append(AchievementProjection(id: "x"))
        }
        let cy = try test.store.write { transaction throws in
            let cy = try transaction.learnerID(for: Array("cy".utf8))
            try transaction.project(plain, of: cy, days: .all)
            return cy
        }
        let found = try test.store.write { try $0.learners(where: .snapshotOrProgress(in: ["x"])) }
        let unlocked = ShadowTests.one.tracks.contains { $0.achievements[0].tier > 0 }
        try #require(unlocked)
        // Ana also has a snapshot; Cy has no progress in the shadow.
        #expect(found == [ana, bo] && !found.contains(cy))
        #expect(try test.store.write { try $0.learners(where: .snapshotOrProgress(in: ["nowhere"])) } == [ana])
    }

    @Test(arguments: Backend.allCases) func `hiding what is stored`(backend: Backend) throws {
        let (test, ana, _) = try store(backend)
        try test.store.write { try $0.setHidden(["y": true]) }
        let rows = try #require(try projection(test, ana)).tracks.flatMap(\.achievements)
        #expect(rows.contains { $0.id == "y" })
        #expect(rows.allSatisfy { $0.isHidden == ($0.id == "y") })
    }

    // MARK: Files

    @Test func `two at once are refused`() throws {
        let (test, _, _) = try store(.sqlite)
        let other = try SQLiteStore(path: try #require(test.path), mode: .readWrite)
        defer { other.close() }
        try test.store.withShadow {
            let error = #expect(throws: StoreError.self) { try other.withShadow {} }
            #expect(error?.code == .busy)
            #expect(error?.message.contains("the store's rules are being changed by process \(getpid())") ?? false)
        }
        try other.withShadow {}
    }

    /// The state after a killed process: no lock, but tables.
    @Test func `later writes clear what was left, bit by bit`() throws {
        let (test, ana, _) = try store(.sqlite)
        let path = try #require(test.path)
        var options = StoreOptions()
        options.sweptRows = 1
        try test.store.write { transaction throws in
            try transaction.beginShadow()
            for learner in ana..<ana + 5 { try transaction.saveSnapshot([1], of: learner, in: .shadow) }
        }
        let later = try SQLiteStore(path: path, mode: .readWrite, options: options)
        defer { later.close() }
        var writes = 0
        while try tables(path).contains(where: { $0.hasPrefix("shadow_") }) {
            try later.write { _ in }
            writes += 1
            try #require(writes < 50)
        }
        #expect(writes > 5)
        #expect(try projection(test, ana) == ShadowTests.one.normalised)
        #expect(try later.read { try $0.verify { _, _ in } } == [])
    }

    /// An erased learner is removed from the shadow, and from the state that it has replaced.
    @Test func `erased from every copy`() throws {
        let (test, ana, _) = try store(.sqlite)
        let path = try #require(test.path)
        let secret = "a-name-that-nobody-else-has"
        var telling = ShadowTests.two
        telling.tracks[0].numbers.xpByBucket = [NamedNumber(name: secret, value: 1)]
        try test.store.withShadow {
            try test.store.write { transaction throws in
                try transaction.beginShadow()
                try transaction.project(telling, of: ana, days: .all, in: .shadow)
            }
            #expect(try contents(path).contains(secret) || contents(path + "-wal").contains(secret))
            _ = try test.store.write { try $0.erase(subject: Array("ana".utf8)) }
            #expect(try !contents(path).contains(secret) && !contents(path + "-wal").contains(secret))
        }
    }

    @Test func `what cannot be swept is told to whoever tidies up`() throws {
        let (test, _, _) = try store(.sqlite)
        let path = try #require(test.path)
        try test.store.withShadow {
            try test.store.write { try $0.beginShadow() }
            // Nothing more can be written to a file that was moved.
            try #require(rename(path, path + "-away") == 0)
        }
        #expect(storeError { try test.store.runDeferredWork() }?.code == .ioError)
        try test.store.runDeferredWork()
        try #require(rename(path + "-away", path) == 0)
        while try tables(path).contains(where: { $0.hasPrefix("shadow_") }) { try test.store.write { _ in } }
        try test.store.runDeferredWork()
    }

    private func tables(_ path: String) throws -> [String] {
        // Read only.
        let connection = try Connection(path: path, flags: 1)
        let statement = try connection.newStatement("SELECT name FROM sqlite_schema WHERE type = 'table'")
        var names: [String] = []
        while try statement.step() { names.append(statement.string(0)) }
        return names
    }
}

extension TestEvent {
    fileprivate static func line(_ id: String, at milliseconds: Int64, by subject: String) -> TestEvent {
        TestEvent(subject: subject, id: id, milliseconds: milliseconds)
    }
}

private func contents(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[0..<count] }
    // Latin-1, which keeps every byte.
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}
