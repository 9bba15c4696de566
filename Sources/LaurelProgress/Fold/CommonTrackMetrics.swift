// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Metrics that are evaluated once for two tracks.
///
/// Most learners learn one language. As long as an event's two tracks agree in what metrics read, metrics take the same
/// steps in both: then they are evaluated in the overall track alone, and what has become of them is brought over to the
/// language's at the end of the stretch.
struct CommonTrackMetrics {
    /// True if it can ever be done: metrics and `streak.when` read neither XP nor what keeps keys, of which tracks have
    /// their own, nor `streak.when` the streak, and no language's achievement reads what is brought over later.
    let isPossible: Bool
    /// True if what a stretch earns may be credited at its end: no expression reads XP or the level.
    let creditsLater: Bool
    /// The numbers that are brought over, and whether they may differ before.
    private let slots: UnsafeBufferPointer<SharedSlot>
    /// Those that must be the same besides.
    private let equalSlots: UnsafeBufferPointer<Int>

    private struct SharedSlot {
        let slot: Int
        /// Nothing reads it, it counts, and not for a session: what it differs by stays.
        let isPlainCount: Bool
    }

    init(_ rules: RuleSet, _ parts: PlanParts, _ layout: TrackLayout, memory: PlanStorage) {
        let metrics = rules.metrics.flatMap { [$0.filter, $0.expression, $0.key] }
        let readByDays = CommonTrackMetrics.read(by: [rules.streak?.when])
        let read = CommonTrackMetrics.read(by: metrics).union(readByDays)
        let ofLanguages = parts.achievements.indices.filter { parts.achievements[$0].isPerLanguage }
        let own = Set(parts.metrics.indices.filter { rules.metrics[$0].isKeptApart })
        let xp = layout.xpSlots
        let forbidden = [xp.total, xp.session, xp.day, xp.week, layout.level]
        isPossible =
            read.isDisjoint(with: forbidden)
            && readByDays.isDisjoint(with: [layout.currentStreak, layout.longestStreak])
            && read.allSatisfy { $0 >= layout.windowCount || !own.contains($0 % layout.stride) }
            && ofLanguages.allSatisfy { parts.achievementInputs[$0].metrics.isEmpty }
        creditsLater = CommonTrackMetrics.read(by: rules.foldedPrograms).isDisjoint(with: forbidden)
        let shared = parts.metrics.indices.filter { !own.contains($0) }
        slots = memory.keep(
            shared.flatMap { index in
                parts.metrics[index].slots.all(true).map { slot in
                    SharedSlot(
                        slot: slot,
                        // A session that ends with the stretch begins at zero again.
                        isPlainCount: parts.metrics[index].isCount && !read.contains(slot)
                            && !layout.sessionRegion.contains(slot)
                    )
                }
            }
        )
        equalSlots = memory.keep(read.filter { $0 >= layout.windowCount }.sorted())
    }

    private static func read(by programs: [Program?]) -> Set<Int> {
        Set(programs.compactMap(\.self).flatMap(\.usedSlots).compactMap(\.trackSlot))
    }

    /// True if two tracks take the same steps from here on. Notes in `differences` by how much counts differ.
    func agree(
        _ one: UnsafePointer<Double>,
        _ other: UnsafePointer<Double>,
        _ differences: inout [(slot: Int, difference: Double)]
    ) -> Bool {
        // There are few: to remove all of them at once takes longer.
        while differences.popLast() != nil {}
        for shared in slots where one[shared.slot] != other[shared.slot] {
            guard shared.isPlainCount else { return false }
            differences.append((shared.slot, other[shared.slot] - one[shared.slot]))
        }
        return equalSlots.allSatisfy { one[$0] == other[$0] }
    }

    /// Brings over from one track to the other what the steps have made of the metrics.
    func bringOver(
        _ one: UnsafePointer<Double>,
        to other: UnsafeMutablePointer<Double>,
        _ differences: [(slot: Int, difference: Double)]
    ) {
        for shared in slots { other[shared.slot] = one[shared.slot] }
        for (slot, difference) in differences { other[slot] += difference }
    }
}

extension Metric {
    /// True if each track keeps more of it than its number.
    fileprivate var isKeptApart: Bool { keyProgram != nil || aggregate.isKeptApart }
}

extension NamedSlot {
    fileprivate var trackSlot: Int? { if case .track(let slot) = slot { slot } else { nil } }
}
