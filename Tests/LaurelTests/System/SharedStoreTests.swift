// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Laurel
import LaurelEvents
import LaurelPostgreSQL
import LaurelStore
import Testing

/// Engines with cached learners, while others write to the same store. The store is a file, or a database with only two
/// partitions. So each write changes a partition of which another engine has cached learners.
@Suite struct SharedStoreTests {
    enum Place: CaseIterable { case file, database }

    private static let places = Place.allCases.filter { $0 == .file || DatabaseServer.shared != nil }
    private static let learners = (0..<8).map { "learner-\($0)" }

    private func stores(_ count: Int, _ place: Place, _ folder: TemporaryFolder) throws -> [any EventStore] {
        guard place == .database else {
            return try (0..<count).map { _ in try SQLiteStore(path: folder.file("laurel.db"), mode: .readWrite) }
        }
        let location = try #require(DatabaseServer.shared).newLocation()
        try PostgreSQLStore.create(location, partitions: 2)
        return try (0..<count).map { _ in try PostgreSQLStore(location, mode: .readWrite) }
    }

    private func line(_ number: Int, _ minutes: Int, by learner: String) -> String {
        LaurelTests.line("\(number)", at: Timestamp.utc(1_767_225_600_000 + Int64(minutes) * 600_000), by: learner)
    }

    /// Each node's answers about every learner, cached or not, equal those of a single engine.
    private func expectAgreement(_ nodes: [ProgressEngine], _ whole: ProgressEngine, _ comment: Comment) throws {
        for id in Self.learners {
            let instant = Timestamp(milliseconds: Bench.now)
            let expected = try whole.progress(of: id, language: nil, at: instant)
            for node in nodes {
                #expect(try node.progress(of: id, language: nil, at: instant) == expected, comment)
            }
        }
    }

    /// Nodes that are started with the same rules file.
    @Test(arguments: places) func `rules that several give to a new store are all of theirs`(place: Place) throws {
        let folder = try TemporaryFolder()
        let nodes = try stores(3, place, folder).map {
            try ProgressEngine(store: $0, rules: Bench.load(ClassRules.base), clock: Bench.now)
        }
        defer { for node in nodes { node.close() } }
        let whole = try Bench(.memory, rules: ClassRules.base)
        let lines = Self.learners.enumerated().map { line($0, $0, by: $1) }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        for engine in [nodes[0], whole.engine] {
            #expect(try engine.ingest(bytes, now: Bench.now).stored == 8)
            _ = try engine.apply(
                Rules(Bench.load(ClassRules.changed[0].rules)),
                options: ApplyOptions(appliedAt: Bench.date)
            )
        }
        // These have not written anything yet.
        try expectAgreement(nodes, whole.engine, "under other rules")
        let more = Array(line(100, 100, by: "learner-1").utf8)
        #expect(try nodes[2].ingest(more, now: Bench.now).stored == whole.ingest(more).stored)
        try expectAgreement(nodes, whole.engine, "after a write")
        #expect(try nodes[1].fingerprint() == whole.engine.fingerprint())
    }

    @Test(arguments: places) func `rules of a new store are not those that another gave before`(place: Place) throws {
        let folder = try TemporaryFolder()
        let nodes = try zip(stores(2, place, folder), [ClassRules.base, ClassRules.changed[0].rules]).map {
            try ProgressEngine(store: $0, rules: Bench.load($1), clock: Bench.now)
        }
        defer { for node in nodes { node.close() } }
        #expect(try nodes[0].ingest(Array(line(1, 1, by: "ana").utf8), now: Bench.now).stored == 1)
        let error = #expect(throws: StoreError.self) {
            try nodes[1].ingest(Array(line(2, 2, by: "ana").utf8), now: Bench.now)
        }
        #expect(error?.code == .otherRules)
    }

    @Test(arguments: places, [51, 52, 53] as [UInt64])
    func `each knows what the others write`(place: Place, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let nodes = try stores(3, place, folder).map {
            try ProgressEngine(store: $0, rules: Bench.load(ClassRules.base), clock: Bench.now)
        }
        defer { for node in nodes { node.close() } }
        let whole = try Bench(.memory, rules: ClassRules.base)
        for step in 0..<60 {
            let node = nodes[Int.random(in: 0..<3, using: &random)]
            let comment: Comment = "seed \(seed), step \(step)"
            switch Int.random(in: 0..<24, using: &random) {
            case 0:
                let learner = Self.learners.randomElement(using: &random)!
                #expect(try node.erase(learner: learner) == whole.engine.erase(learner: learner), comment)
            case 1:
                #expect(try node.replay().fingerprint == whole.engine.replay().fingerprint, comment)
            case 2...5: try expectAgreement([node], whole.engine, comment)
            default:
                // Some events are late, and some repeated.
                let lines = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    let number = Int.random(in: 0..<150, using: &random)
                    return line(number, number * 7 % 150, by: Self.learners.randomElement(using: &random)!)
                }
                let bytes = Array(lines.joined(separator: "\n").utf8)
                #expect(
                    try node.ingest(bytes, now: Bench.now).stored == whole.ingest(bytes).stored,
                    comment
                )
            }
        }
        try expectAgreement(nodes, whole.engine, "seed \(seed), at the end")
        #expect(try nodes[0].check().differences == [], "seed \(seed)")
        #expect(try nodes[0].fingerprint() == whole.engine.fingerprint(), "seed \(seed)")
        #expect(try nodes[0].verify().problems == [], "seed \(seed)")
    }
}
