package import LaurelEvents
package import LaurelRules

/// Told what the fold does while it does it. Explanations and session histories are observers; the fold itself does not
/// depend on any.
package protocol FoldObserver: AnyObject {
    /// Before the first track folds the event.
    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext)
    /// After a word event changed its word.
    func didChangeWord(_ word: WordOutcome)
    /// An XP rule awarded `amount` after floor and caps; `computed` is what the expression gave.
    func didAward(rule: Int, computed: Double, amount: Double, _ frame: Frame)
    /// An XP rule's `when` did not hold.
    func didWithhold(rule: Int, _ frame: Frame)
    /// XP reached a track; the language is nil for the overall one.
    func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double)
    func didUnlock(achievement: Int, tier: Int, _ language: [UInt8]?)
    func didRevoke(achievement: Int, _ language: [UInt8]?)
}

extension FoldObserver {
    package func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {}
    package func didChangeWord(_ word: WordOutcome) {}
    package func didAward(rule: Int, computed: Double, amount: Double, _ frame: Frame) {}
    package func didWithhold(rule: Int, _ frame: Frame) {}
    package func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double) {}
    package func didUnlock(achievement: Int, tier: Int, _ language: [UInt8]?) {}
    package func didRevoke(achievement: Int, _ language: [UInt8]?) {}
}
