// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelRules

/// Receives each step of the fold. Explanations and session histories are observers. The fold does not depend on any
/// observer.
package protocol FoldObserver: AnyObject {
    /// Called before the next event is folded under another version of the rules. From then on, indexes of rules,
    /// buckets and achievements refer to that version.
    func didSwitchVersion(to plan: VersionPlan)
    /// Called before the first track folds the event.
    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext)
    /// Called for an event that is skipped because a correction voids it.
    func didSkip(_ table: EventTable, _ row: Int, _ reason: VoidReason)
    /// Called after a word event changed its word.
    func didChangeWord(_ word: WordOutcome)
    /// Called before the fold decides whether a track's day is active, even if the day is active already. `frame`
    /// contains the values that `streak.when` reads.
    func willJudgeDay(_ language: [UInt8]?, _ frame: Frame)
    /// Called after an XP rule awarded XP. `computed` is the value of the rule's expression. `amount` is the awarded
    /// XP, after rounding and caps.
    func didAward(rule: Int, computed: Double, amount: Double, _ frame: Frame)
    /// Called when an XP rule's `when` was not true.
    func didWithhold(rule: Int, _ frame: Frame)
    /// Called when an XP rule was skipped because the day is outside its period.
    func didSkipRule(rule: Int, _ frame: Frame)
    /// Called for `xp.declared`. `lacking` is the declared total minus the track's XP, or 0 if the track already has
    /// the total.
    func didDeclare(total: Double, lacking: Double)
    /// Called when a track received XP; the language is nil for the overall track.
    func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double)
    /// Called before a locked achievement is evaluated. `frame` contains the values that its `when` and value read.
    /// `missing` contains the indexes of its `requires` that are still locked.
    func willEvaluate(achievement: Int, missing: [Int], _ language: [UInt8]?, _ frame: Frame)
    /// Called after tiers of an achievement were unlocked.
    /// - Parameter tiers: the newly unlocked tiers, counted from 1.
    func didUnlock(achievement: Int, tiers: ClosedRange<Int>, _ language: [UInt8]?)
    func didRevoke(achievement: Int, given: Double, _ language: [UInt8]?)
    /// Called after a goal was completed.
    func didComplete(goal: Int)
    /// Called after a balance changed. Refills at a change of the rules' version are not included.
    func didChangeBalance(currency: Int, by amount: Double, _ cause: BalanceCause)
}

extension FoldObserver {
    package func didSwitchVersion(to plan: VersionPlan) {}
    package func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {}
    package func didSkip(_ table: EventTable, _ row: Int, _ reason: VoidReason) {}
    package func didChangeWord(_ word: WordOutcome) {}
    package func willJudgeDay(_ language: [UInt8]?, _ frame: Frame) {}
    package func didAward(rule: Int, computed: Double, amount: Double, _ frame: Frame) {}
    package func didWithhold(rule: Int, _ frame: Frame) {}
    package func didSkipRule(rule: Int, _ frame: Frame) {}
    package func didDeclare(total: Double, lacking: Double) {}
    package func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double) {}
    package func willEvaluate(achievement: Int, missing: [Int], _ language: [UInt8]?, _ frame: Frame) {}
    package func didUnlock(achievement: Int, tiers: ClosedRange<Int>, _ language: [UInt8]?) {}
    package func didRevoke(achievement: Int, given: Double, _ language: [UInt8]?) {}
    package func didComplete(goal: Int) {}
    package func didChangeBalance(currency: Int, by amount: Double, _ cause: BalanceCause) {}
}

/// The cause of a change of a balance, with the index of the rule, goal, achievement or item.
package enum BalanceCause: Sendable {
    case refill
    case award(rule: Int)
    case goal(Int)
    case achievement(Int)
    /// A learner paid for an item.
    case price(item: Int)
    /// A learner bought an item that adds the amount.
    case item(Int)
    case adjustment
}

/// The kind of correction that voids an event.
package enum VoidReason: String, Sendable {
    case retracted
    case sessionDiscarded
}
