// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Metrics that are evaluated once for two tracks: the overall track and a language's track.
///
/// Most learners learn one language, so both tracks often have equal values in everything that metrics read. Then
/// every metric changes in the same way in both. The fold evaluates the metrics in the overall track alone, and
/// copies them to the language's track at the end of each stretch of events.
struct CommonTrackMetrics {
    /// True if two tracks can ever share metrics. Four conditions must hold:
    /// - Metrics and `streak.when` read neither XP nor metrics with keys, because each track has its own.
    /// - `streak.when` does not read the streak.
    /// - Metrics and `streak.when` read no balance and no goal, because tracks are folded one after the other.
    /// - No achievement of a language reads a metric, because metrics are copied later.
    let isPossible: Bool
    /// True if XP can be credited at the end of a stretch, because no expression reads XP or the level.
    let creditsLater: Bool
    /// The slots that are copied. Slots that are plain counts may differ between the tracks.
    private let slots: UnsafeBufferPointer<SharedSlot>
    /// The slots outside windows that metrics or `streak.when` read. Metrics can be shared only if both tracks have equal
    /// numbers in them.
    private let equalSlots: UnsafeBufferPointer<Int>

    private struct SharedSlot {
        let slot: Int
        /// True for a count outside the session's window that no metric reads. The two tracks' counts may differ, but
        /// the difference never changes.
        let isPlainCount: Bool
    }

    init(_ rules: RuleSet, _ parts: PlanParts, _ layout: TrackLayout, memory: PlanStorage) {
        let metrics = rules.metrics.flatMap { [$0.filter, $0.expression, $0.key] }
        let readByDays = CommonTrackMetrics.read(by: [rules.streak?.when])
        let read = CommonTrackMetrics.read(by: metrics).union(readByDays)
        let ofLanguages = parts.achievements.indices.filter { parts.achievements[$0].isPerLanguage }
        let own = Set(parts.metrics.indices.filter { rules.metrics[$0].isKeptSeparately })
        let forbidden = Set(rules.layout.windows.map(rules.layout.slotOfXP(in:)) + [layout.level])
        isPossible =
            read.isDisjoint(with: forbidden)
            && readByDays.isDisjoint(with: [layout.currentStreak, layout.longestStreak, layout.daysSinceActive ?? -1])
            && read.isDisjoint(with: parts.learnerSlots)
            && read.allSatisfy { $0 >= layout.windowCount || !own.contains($0 % layout.stride) }
            && ofLanguages.allSatisfy { parts.achievementInputs[$0].metrics.isEmpty }
        creditsLater = CommonTrackMetrics.read(by: rules.foldedPrograms).isDisjoint(with: forbidden)
        let shared = parts.metrics.indices.filter { !own.contains($0) }
        slots = memory.keep(
            shared.flatMap { index in
                parts.metrics[index].slots.all(.everywhere).map { slot in
                    SharedSlot(
                        slot: slot,
                        // A session that ends with the stretch resets its numbers to 0, so their difference does not
                        // stay constant.
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

    /// True if metrics change in the same way in two tracks from now on. `differences` receives, for each plain count,
    /// the difference between the two tracks.
    func agree(
        _ one: UnsafePointer<Double>,
        _ other: UnsafePointer<Double>,
        _ differences: inout [(slot: Int, difference: Double)]
    ) -> Bool {
        // The list is short, so popping its elements is faster than `removeAll`.
        while differences.popLast() != nil {}
        for shared in slots where one[shared.slot] != other[shared.slot] {
            guard shared.isPlainCount else { return false }
            differences.append((shared.slot, other[shared.slot] - one[shared.slot]))
        }
        return equalSlots.allSatisfy { one[$0] == other[$0] }
    }

    /// Copies the metrics from one track to the other, and preserves the differences of plain counts.
    func copyMetrics(
        _ one: UnsafePointer<Double>,
        to other: UnsafeMutablePointer<Double>,
        _ differences: [(slot: Int, difference: Double)]
    ) {
        for shared in slots { other[shared.slot] = one[shared.slot] }
        for (slot, difference) in differences { other[slot] += difference }
    }
}

extension Metric {
    /// True if each track stores more than one number for the metric.
    fileprivate var isKeptSeparately: Bool { keyProgram != nil || aggregate.isKeptSeparately }
}

extension NamedSlot {
    fileprivate var trackSlot: Int? { if case .track(let slot) = slot { slot } else { nil } }
}
