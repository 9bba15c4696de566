import LaurelEvents
import LaurelProgress
package import LaurelRules
import LaurelStore

/// How rules are to be applied.
package struct ApplyOptions: Sendable {
    /// When, in milliseconds since 1970.
    package var clock: Int64
    /// Records what learners would lose as `achievement.granted` events.
    package var keepsAchievements = false

    package init(clock: Int64) { self.clock = clock }
}

/// What applying rules did.
package struct ApplyReport: Sendable {
    /// How progress was brought under the rules.
    package enum Method: String, Sendable {
        /// The rules are the store's already.
        case nothing
        /// No number depends on what changed.
        case listings
        /// Learners with progress in the achievements whose thresholds changed were folded again.
        case thresholds
        case replay
    }

    package var version = 0
    package var method = Method.nothing
    package var learners = 0
    package var events = 0
    /// `achievement.granted` events that were recorded.
    package var granted = 0
    package var seconds = 0.0

    init() {}

    /// Nothing was to be done.
    package init(inForce version: Int) { self.version = version }
}

extension ProgressEngine {
    /// Replaces the store's rules: computes all progress under the new ones beside the old, in which readers go on and
    /// writers take turns, follows what they change meanwhile, and swaps at once. Whatever interrupts it, the old rules
    /// and progress stand until then.
    /// - Throws: ``StoreError`` of code `rulesChanged` where another process gives the store other rules meanwhile.
    /// - Complexity: O(events), on all cores; less where it can be proved that no more can change
    ///   (``ApplyReport/Method``). The store needs room for all derived tables twice.
    package func apply(
        _ rules: RuleSet,
        options: ApplyOptions,
        observe: (ReplayProgress) -> Void = { _ in }
    ) throws -> ApplyReport {
        let start = ContinuousClock.now
        let old = try store.read { try self.plan(for: $0) }
        if let stored = try rulesInForce(), stored.hash == rules.contentHash {
            return ApplyReport(inForce: stored.version)
        }
        let application = RulesApplication(
            store: store,
            old: old,
            new: FoldPlan(rules: rules),
            clock: options.clock,
            keepsAchievements: options.keepsAchievements
        )
        var report = try application.run(observe)
        let elapsed = (ContinuousClock.now - start).components
        report.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
        return report
    }
}

/// One application of rules to a store.
final class RulesApplication: Sendable {
    let store: any EventStore
    let old: FoldPlan
    let new: FoldPlan
    private let clock: Int64
    let keepsAchievements: Bool
    let comparison: RulesComparison

    init(store: any EventStore, old: FoldPlan, new: FoldPlan, clock: Int64, keepsAchievements: Bool) {
        self.store = store
        self.old = old
        self.new = new
        self.clock = clock
        self.keepsAchievements = keepsAchievements
        comparison = RulesComparison(old.rules, new.rules)
    }

    func run(_ observe: (ReplayProgress) -> Void) throws -> ApplyReport {
        switch comparison.impact {
        case .listings:
            return try store.write { transaction in
                var report = ApplyReport()
                report.method = .listings
                try transaction.setHidden(comparison.hidden)
                report.version = try setRules(in: transaction)
                return report
            }
        case .thresholds where keepsAchievements, .everything:
            // A grant may bring a reward with it, and is an event that counts.
            return try store.withShadow { try ShadowBuild(self, .everything).run(observe) }
        case .thresholds(let achievements):
            return try store.withShadow { try ShadowBuild(self, .thresholds(of: achievements)).run(observe) }
        }
    }

    /// - Returns: the version.
    func setRules(in transaction: any StoreTransaction) throws -> Int {
        let last = try rulesThatStand(in: transaction)
        let record = RulesRecord(new.rules, after: last, at: clock)
        try transaction.setRules(record)
        return record.version
    }

    /// The store's rules, which must still be those that are being replaced.
    @discardableResult
    func rulesThatStand(in reader: any StoreReader) throws -> RulesRecord? {
        let stored = try reader.rules()
        guard let stored, stored.hash != old.rules.contentHash else { return stored }
        throw StoreError(
            .rulesChanged,
            "meanwhile the store was given other rules, version \(stored.version) (“\(stored.name)”); nothing was"
                + " changed. See what these would change, and apply them again"
        )
    }
}
