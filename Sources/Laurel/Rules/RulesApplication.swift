package import LaurelEvents
package import LaurelProgress
package import LaurelRules
import LaurelStore

/// How rules are to be applied.
package struct ApplyOptions: Sendable {
    /// When, in milliseconds since 1970.
    package var clock: Int64
    /// Records what learners would lose as `achievement.granted` events.
    package var keepsAchievements = false
    /// Records what losing tracks showed as `xp.declared` events.
    package var keepsXP = false
    package var pace = ApplyPace()

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
    /// `xp.declared` events that were recorded.
    package var declared = 0
    package var seconds = 0.0

    init() {}

    /// Nothing was to be done.
    package init(inForce version: Int) { self.version = version }
}

extension ProgressEngine {
    /// Applies rules: without a day they replace all versions, from a day on those that are in force from it or later. Computes
    /// all progress under the new list beside the old, in which readers go on and writers take turns, follows what they
    /// change meanwhile, and swaps at once. Whatever interrupts it, the old rules and progress stand until then.
    /// - Parameter day: The local day from which the rules are in force; nil for the whole of time.
    /// - Throws: ``StoreError`` of code `rulesChanged` where another process gives the store other rules meanwhile.
    /// - Complexity: O(events), on all cores; less where it can be proved that no more can change
    ///   (``ApplyReport/Method``). The store needs room for all derived tables twice.
    package func apply(
        _ rules: RuleSet,
        from day: CivilDay? = nil,
        options: ApplyOptions,
        observe: (ReplayProgress) -> Void = { _ in }
    ) throws -> ApplyReport {
        let old = try store.read { try self.plan(for: $0) }
        return try change(.apply(rules, day), old, old.adding(rules, from: day), options, observe)
    }

    /// Takes back a version that is in force nowhere yet.
    /// - Throws: ``StoreError`` of code `notWithdrawable` where no version is in force from that day, or somewhere it is that day.
    /// - Complexity: As ``apply(_:from:options:observe:)``.
    package func withdraw(
        from day: CivilDay,
        options: ApplyOptions,
        observe: (ReplayProgress) -> Void = { _ in }
    ) throws -> ApplyReport {
        let old = try store.read { try self.plan(for: $0) }
        guard let version = old.versions.first(where: { $0.from == day }) else {
            let known = old.versions.compactMap { $0.from?.description }
            let hint =
                known.isEmpty ? "there is one version alone" : "versions begin on \(known.joined(separator: ", "))"
            throw StoreError(.notWithdrawable, "no version of the rules is in force from \(day): \(hint)")
        }
        guard options.clock < version.begins else {
            throw StoreError(
                .notWithdrawable,
                "the version from \(day) is in force already where clocks are ahead; apply other rules from a later day"
            )
        }
        return try change(.withdraw(day), old, old.removing(version), options, observe)
    }

    private func change(
        _ change: RulesApplication.Change,
        _ old: FoldPlan,
        _ new: FoldPlan,
        _ options: ApplyOptions,
        _ observe: (ReplayProgress) -> Void
    ) throws -> ApplyReport {
        let start = ContinuousClock.now
        let stored = try store.read { try $0.rules() }
        if !stored.isEmpty, RulesKey.key(stored) == new.key {
            return ApplyReport(inForce: stored[stored.count - 1].version)
        }
        let application = RulesApplication(store: store, change: change, old: old, new: new, options: options)
        var report = try application.run(observe)
        let present = try rulesInForce()
        if !present.isEmpty { try takeOver(present) }
        let elapsed = (ContinuousClock.now - start).components
        report.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
        return report
    }
}

extension VersionPlan {
    /// The instant at which its first day begins on the clocks that are furthest ahead (UTC+14), in milliseconds since 1970.
    package var begins: Int64 { from.map { Int64($0.number) * 86_400_000 - 14 * 3_600_000 } ?? .min }
}

extension FoldPlan {
    /// These versions with another.
    func adding(_ rules: RuleSet, from day: CivilDay?) -> FoldPlan {
        guard let day else { return FoldPlan(rules: rules) }
        let kept = versions.filter { $0.from.map { $0 < day } ?? true }
        return FoldPlan(versions: kept.map { ($0.rules, $0.from) } + [(rules, day)])
    }

    func removing(_ version: VersionPlan) -> FoldPlan {
        FoldPlan(versions: versions.filter { $0 !== version }.map { ($0.rules, $0.from) })
    }
}

/// One change of a store's list of rules.
final class RulesApplication: Sendable {
    enum Change: Sendable {
        case apply(RuleSet, CivilDay?)
        case withdraw(CivilDay)
    }

    let store: any EventStore
    private let change: Change
    let old: FoldPlan
    let new: FoldPlan
    private let options: ApplyOptions
    var keepsAchievements: Bool { options.keepsAchievements }
    var keepsXP: Bool { options.keepsXP }
    var clock: Int64 { options.clock }
    var pace: ApplyPace { options.pace }
    /// Of the versions for the latest days.
    let comparison: RulesComparison

    init(store: any EventStore, change: Change, old: FoldPlan, new: FoldPlan, options: ApplyOptions) {
        self.store = store
        self.change = change
        self.old = old
        self.new = new
        self.options = options
        comparison = RulesComparison(old.latest.rules, new.latest.rules)
    }

    func run(_ observe: (ReplayProgress) -> Void) throws -> ApplyReport {
        switch try impact() {
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

    /// What an older fold computed, or one with other time zone data, and what several versions give, is computed anew.
    private func impact() throws -> RulesImpact {
        let isCurrent = try store.read { reader in
            let zones = TimeZoneDatabase.shared.version
            return try reader.foldVersion() == StateFormat.version && reader.timeZones() ?? zones == zones
        }
        return isCurrent && old.versions.count == 1 && new.versions.count == 1 ? comparison.impact : .everything
    }

    /// - Returns: the version.
    func setRules(in transaction: any StoreTransaction) throws -> Int {
        let stored = try rulesThatStand(in: transaction)
        switch change {
        case .apply(let rules, let day):
            if stored.isEmpty, day != nil {
                // What is in force until then was the store's without having been said.
                let first = try RulesRecord(old.versions[0].rules, from: nil, in: transaction, at: options.clock)
                try transaction.setRules(first)
            }
            try transaction.setRules(RulesRecord(rules, from: day, in: transaction, at: options.clock))
        case .withdraw(let day): try transaction.withdrawRules(from: day)
        }
        try transaction.setFoldVersion(StateFormat.version)
        return try transaction.rules().last?.version ?? 0
    }

    /// The store's rules, which must still be those that are being replaced.
    @discardableResult
    func rulesThatStand(in reader: any StoreReader) throws -> [RulesRecord] {
        let stored = try reader.rules()
        guard let last = stored.last, RulesKey.key(stored) != old.key else { return stored }
        throw StoreError(
            .rulesChanged,
            "meanwhile the store was given other rules, version \(last.version) (“\(last.name)”); nothing was"
                + " changed. See what these would change, and apply them again"
        )
    }
}
