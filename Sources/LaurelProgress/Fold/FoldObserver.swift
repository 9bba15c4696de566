// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelRules

/// Receives each step of the fold. Explanations and session histories are observers; the fold itself depends on none.
package protocol FoldObserver: AnyObject {
    /// Called before the next event is folded under another version of the rules. Later indexes of rules, buckets and
    /// achievements are that version's.
    func didGoOver(to plan: VersionPlan)
    /// Called before the first track folds the event.
    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext)
    /// Called for an event that a correction voids, and that is skipped.
    func didPassOver(_ table: EventTable, _ row: Int, _ reason: VoidReason)
    /// Called after a word event changed its word.
    func didChangeWord(_ word: WordOutcome)
    /// Called before a track's day is judged, with the values that `streak.when` reads, even if the day is active
    /// already.
    func willJudgeDay(_ language: [UInt8]?, _ frame: Frame)
    /// Called after an XP rule awarded `amount`, after rounding and caps; `computed` is the expression's value.
    func didAward(rule: Int, computed: Double, amount: Double, _ frame: Frame)
    /// Called when an XP rule's `when` did not hold.
    func didWithhold(rule: Int, _ frame: Frame)
    /// Called when an XP rule did not act because of its period.
    func didRest(rule: Int, _ frame: Frame)
    /// Called for `xp.declared`, with the difference between the total and the track's XP; 0 if the track has as much.
    func didDeclare(total: Double, lacking: Double)
    /// Called when XP reached a track; the language is nil for the overall one.
    func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double)
    /// Called before a locked achievement is evaluated, with the values that its `when` and value read, and the indexes
    /// of its locked `requires`.
    func willEvaluate(achievement: Int, missing: [Int], _ language: [UInt8]?, _ frame: Frame)
    /// Called after tiers of an achievement were unlocked.
    /// - Parameter tiers: the tiers that were locked before, from 1.
    func didUnlock(achievement: Int, tiers: ClosedRange<Int>, _ language: [UInt8]?)
    func didRevoke(achievement: Int, given: Double, _ language: [UInt8]?)
}

extension FoldObserver {
    package func didGoOver(to plan: VersionPlan) {}
    package func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {}
    package func didPassOver(_ table: EventTable, _ row: Int, _ reason: VoidReason) {}
    package func didChangeWord(_ word: WordOutcome) {}
    package func willJudgeDay(_ language: [UInt8]?, _ frame: Frame) {}
    package func didAward(rule: Int, computed: Double, amount: Double, _ frame: Frame) {}
    package func didWithhold(rule: Int, _ frame: Frame) {}
    package func didRest(rule: Int, _ frame: Frame) {}
    package func didDeclare(total: Double, lacking: Double) {}
    package func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double) {}
    package func willEvaluate(achievement: Int, missing: [Int], _ language: [UInt8]?, _ frame: Frame) {}
    package func didUnlock(achievement: Int, tiers: ClosedRange<Int>, _ language: [UInt8]?) {}
    package func didRevoke(achievement: Int, given: Double, _ language: [UInt8]?) {}
}

/// The correction that voids an event.
package enum VoidReason: String, Sendable {
    case retracted
    case sessionDiscarded
}
