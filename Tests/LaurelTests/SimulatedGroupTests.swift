// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelSimulation
import StoreTesting
import Testing

/// A simulated class with friends, teams and cheats, under the rules of a whole game.
@Suite struct SimulatedGroupTests {
    private static let project = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

    @Test(arguments: [3, 4] as [UInt64]) func `has streaks of groups, and flagged events`(seed: UInt64) throws {
        let game = String(decoding: try contents(Self.project + "/Rules/gamification.yaml"), as: UTF8.self)
        let limits = "plausible: {line.spoken: {at_most: 40, per: minute}, review.graded: {at_most: 60, per: minute}}\n"
        let bench = try Bench(.memory, rules: game + limits)
        let lines = simulated(learners: 40, days: 60, seed: seed, together: true)
        try bench.ingest(lines)

        let end = try Timestamp("2026-03-06T00:00:00Z").date
        let groups = try bench.engine.groups(at: end)
        for (kind, need) in [("friends", "all"), ("team", "any")] {
            let streaks = groups.filter { $0.kind == kind }.compactMap(\.streak)
            #expect(!streaks.isEmpty && streaks.allSatisfy { $0.need == need }, "seed \(seed)")
            let longest = streaks.map(\.longest).max() ?? 0
            #expect((3...60).contains(longest), "seed \(seed): \(kind), \(streaks)")
        }
        let flagged = try bench.engine.flaggedLearners()
        #expect(flagged.count == 1 && flagged.allSatisfy { $0.events > 60 }, "seed \(seed): \(flagged)")
    }
}
