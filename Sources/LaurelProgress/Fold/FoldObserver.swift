// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelRules

/// Told what the fold does while it does it. Explanations and session histories are observers; the fold itself does not
/// depend on any.
package protocol FoldObserver: AnyObject {
    /// Before the next event is folded under another version of the rules: the indexes of rules, buckets and achievements
    /// that follow are that version's.
    func didGoOver(to plan: VersionPlan)
    /// Before the first track folds the event.
    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext)
    /// A correction voids the event: it takes no part.
    func didPassOver(_ table: EventTable, _ row: Int, _ reason: VoidReason)
    /// After a word event changed its word.
    func didChangeWord(_ word: WordOutcome)
    /// Before a track's day is judged, with what `streak.when` sees; also where the day is active already.
    func willJudgeDay(_ language: [UInt8]?, _ frame: Frame)
    /// An XP rule awarded `amount` after floor and caps; `computed` is what the expression gave.
    func didAward(rule: Int, computed: Double, amount: Double, _ frame: Frame)
    /// An XP rule's `when` did not hold.
    func didWithhold(rule: Int, _ frame: Frame)
    /// An XP rule's period kept it from acting.
    func didRest(rule: Int, _ frame: Frame)
    /// `xp.declared`: what the track it is about lacked of the total; 0 where it has as much.
    func didDeclare(total: Double, lacking: Double)
    /// XP reached a track; the language is nil for the overall one.
    func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double)
    /// Before a locked achievement is evaluated: what its `when` and value see, and which of its `requires` are missing.
    func willEvaluate(achievement: Int, missing: [Int], _ language: [UInt8]?, _ frame: Frame)
    /// - Parameter tiers: those that were locked; they count from 1.
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

/// Which correction voids an event.
package enum VoidReason: String, Sendable {
    case retracted
    case sessionDiscarded
}
