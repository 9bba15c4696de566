// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import StoreTesting
import Testing

/// Long histories have checkpoints, from which a late event is folded. Only the time may show it.
@Suite struct CheckpointTests {
    private static let rules = ClassRules.base
    private static let history = LongHistory(events: 16_500, seed: 31)

    private func bench(_ lines: [String] = CheckpointTests.history.lines, _ backend: Backend = .sqlite) throws -> Bench
    {
        let bench = try Bench(backend, rules: CheckpointTests.rules)
        try bench.ingest(lines)
        return bench
    }

    private func fresh(_ lines: [String]) throws -> String {
        let bench = try bench(lines)
        return try bench.engine.fingerprint()
    }

    private func learner(_ bench: Bench) throws -> Int64 {
        try bench.store.read { try #require(try $0.learner(named: Array(LongHistory.learner.utf8))).id }
    }

    private func points(_ bench: Bench) throws -> [CheckpointPoint] {
        let id = try learner(bench)
        return try bench.store.read { try $0.checkpoints(of: id) }
    }

    @Test(arguments: [1] as [UInt64])
    func `late events around every checkpoint, in any order`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bench = try bench()
        let points = try points(bench)
        try #require(points.count >= 2)
        // The instant of the checkpoint, before and after its event in the order of sources.
        var late: [String] = []
        for point in points {
            for (offset, source) in [(-1, "app"), (0, "a"), (0, "z"), (1, "app")] as [(Int64, String)] {
                let id = "late\(late.count)"
                late.append(LongHistory.event(id, at: point.milliseconds + offset, source: source, &random))
            }
        }
        for number in [0, 5_000, 12_000, 16_490, 16_501] {
            let instant = CheckpointTests.history.instant(number) - 1
            late.append(LongHistory.event("late\(late.count)", at: instant, &random))
        }
        late.shuffle(using: &random)
        for (index, event) in late.enumerated() {
            // Some by an engine with cached states, some by a new engine.
            if index % 4 == 3 { try bench.use(rules: CheckpointTests.rules) }
            try bench.ingest([event])
            if index % 5 == 0 { #expect(try bench.engine.check().differences == [], "seed \(seed), \(event)") }
        }
        let fingerprint = try bench.soundFingerprint()
        #expect(try fingerprint == fresh(CheckpointTests.history.lines + late), "seed \(seed)")
        _ = try bench.engine.replay()
        #expect(try bench.soundFingerprint() == fingerprint, "seed \(seed)")
        #expect(try !self.points(bench).isEmpty)
    }

    /// A history that grows batch by batch also keeps few checkpoints, more of them near its end.
    @Test func `a history that grows`() throws {
        let bench = try Bench(.sqlite, rules: CheckpointTests.rules)
        let lines = LongHistory(events: 26_000, seed: 32).lines
        for start in stride(from: 0, to: lines.count, by: 1300) { try bench.ingest(lines[start..<start + 1300]) }
        let events = try points(bench).map(\.events)
        #expect(events.count >= 2 && events.count <= 5, "\(events)")
        #expect(events == events.sorted() && events.last! > 26_000 - 3 * 4096, "\(events)")
        #expect(try bench.soundFingerprint() == fresh(lines))
    }

    @Test func `a retraction, and late events after it`() throws {
        let history = CheckpointTests.history
        let bench = try bench()
        let victim = line(
            "gone",
            "event.retracted",
            at: Timestamp.utc(history.instant(16_600)),
            by: LongHistory.learner,
            data: #"{"source":"app","id":"e3000"}"#
        )
        var random = SeededGenerator(seed: 5)
        let late = [16_000, 9_000, 4_500].enumerated().map { index, number in
            LongHistory.event("late\(index)", at: history.instant(number) + 1, &random)
        }
        try bench.ingest([victim])
        for event in late { try bench.ingest([event]) }
        #expect(try bench.soundFingerprint() == fresh(history.lines + [victim] + late))
    }

    private enum Damage: CaseIterable {
        case snapshotLost, snapshotCorrupt, checkpointsLost, checkpointsCorrupt, allLost
    }

    @Test(arguments: Damage.allCases) private func `states that are lost or damaged are made again`(damage: Damage)
        throws
    {
        let history = CheckpointTests.history
        let bench = try bench()
        let id = try learner(bench)
        let points = try points(bench)
        try bench.store.writeAll { transaction in
            switch damage {
            case .snapshotLost: try transaction.saveSnapshot(nil, of: id)
            case .snapshotCorrupt: try transaction.saveSnapshot([1, 2, 3], of: id)
            case .checkpointsLost: try transaction.dropCheckpoints(of: id, at: points)
            case .checkpointsCorrupt:
                for point in points {
                    let checkpoint = Checkpoint(point: point, snapshot: [9, 9])
                    try transaction.saveCheckpoint(checkpoint, of: id, in: .stored)
                }
            case .allLost:
                try transaction.saveSnapshot(nil, of: id)
                try transaction.dropCheckpoints(of: id, at: points)
            }
        }
        var random = SeededGenerator(seed: 6)
        let late = [16_501, 13_000, 16_502].enumerated().map { index, number in
            LongHistory.event("late\(index)", at: history.instant(number), &random)
        }
        for event in late { try bench.ingest([event]) }
        #expect(try bench.soundFingerprint() == fresh(history.lines + late), "\(damage)")
    }

    /// `replay --check` finds a checkpoint that differs from its events.
    @Test func `a wrong checkpoint is found`() throws {
        let bench = try bench()
        let id = try learner(bench)
        let points = try points(bench)
        try bench.store.writeAll { transaction in
            let other = try #require(try transaction.checkpoint(of: id, before: points[1].milliseconds))
            try transaction.saveCheckpoint(Checkpoint(point: points[1], snapshot: other), of: id, in: .stored)
        }
        let differences = try bench.engine.check().differences
        #expect(differences.count == 1 && differences[0].contains("checkpoint"), "\(differences)")
    }
}
