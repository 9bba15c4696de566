// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

extension ProgressEngine {
    /// Changes the store's list of rules; see ``apply(_:from:options:observe:)``.
    func change(
        _ change: RulesChangeRun.Change,
        _ old: FoldPlan,
        _ new: FoldPlan,
        _ options: ApplyOptions,
        _ observe: (ReplayProgress) -> Void
    ) throws -> RulesApplication {
        let start = ContinuousClock.now
        let stored = try store.read { try $0.rules() }
        if !stored.isEmpty, RulesKey.key(stored) == new.key {
            return RulesApplication(inForce: stored[stored.count - 1].version)
        }
        let swap = RulesChangeRun(store: store, change: change, old: old, new: new, options: options)
        var report = try swap.run(observe)
        let present = try store.read { try $0.rules() }
        if !present.isEmpty { try adoptRules(present) }
        let elapsed = (ContinuousClock.now - start).components
        report.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
        return report
    }

    /// The version to be withdrawn. It starts on the given day.
    func upcomingVersion(from day: LocalDay, in plan: FoldPlan, at clock: Int64) throws(StoreError) -> VersionPlan {
        guard let version = plan.versions.first(where: { $0.from == day }) else {
            let known = plan.versions.compactMap { $0.from?.description }
            let hint =
                known.isEmpty ? "there is one version alone" : "versions begin on \(known.joined(separator: ", "))"
            throw StoreError(.notWithdrawable, "no version of the rules is in force from \(day): \(hint)")
        }
        guard clock < version.begins else {
            throw StoreError(
                .notWithdrawable,
                "the version from \(day) is in force already where clocks are ahead; apply other rules from a later day"
            )
        }
        return version
    }
}

extension VersionPlan {
    /// The instant at which the version's first day begins in the earliest time zone (UTC+14), in milliseconds since
    /// 1970.
    package var begins: Int64 { from.map { Int64($0.number) * 86_400_000 - 14 * 3_600_000 } ?? .min }
}

extension FoldPlan {
    /// A plan of these versions and one more.
    func adding(_ rules: RuleSet, from day: LocalDay?) -> FoldPlan {
        guard let day else { return FoldPlan(rules: rules) }
        let kept = versions.filter { $0.from.map { $0 < day } ?? true }
        return FoldPlan(versions: kept.map { ($0.rules, $0.from) } + [(rules, day)])
    }

    /// A plan of the same versions, under which every learner is in the given variant of an experiment.
    /// - Throws: ``EngineError`` if no version has the variant.
    func assuming(_ assumed: AssumedVariant) throws -> FoldPlan {
        let experiments = versions.flatMap(\.rules.experiments)
        let variants = experiments.filter { $0.name == assumed.experiment }.flatMap(\.variants).map(\.name)
        guard variants.contains(assumed.variant) else {
            let (what, name, known) =
                variants.isEmpty
                ? ("the rules have no experiment", assumed.experiment, experiments.map(\.name))
                : ("the experiment `\(assumed.experiment)` has no variant", assumed.variant, variants)
            let nearest = nearestName(to: name, among: known)
            let list = known.isEmpty ? "" : "; use \(known.joined(separator: ", "))"
            let help = nearest == nil ? list : didYouMean(code: nearest)
            throw EngineError(.invalidRequest, "\(assumed): \(what) `\(name)`\(help)")
        }
        return FoldPlan(
            versions: versions.map {
                ($0.rules.assigningEveryone(to: assumed.variant, of: assumed.experiment), $0.from)
            }
        )
    }

    func removing(_ version: VersionPlan) -> FoldPlan {
        FoldPlan(versions: versions.filter { $0 !== version }.map { ($0.rules, $0.from) })
    }
}

/// A change of a store's list of rules, while it is carried out.
final class RulesChangeRun: Sendable {
    enum Change: Sendable {
        case apply(RuleSet, LocalDay?)
        case withdraw(LocalDay)
    }

    let store: any EventStore
    private let change: Change
    let old: FoldPlan
    let new: FoldPlan
    private let options: ApplyOptions
    var keepsAchievements: Bool { options.keepsAchievements }
    var keepsXP: Bool { options.keepsXP }
    /// The time of the change, in milliseconds since 1970.
    var clock: Int64 { options.appliedAt.milliseconds }
    var pace: ApplyPace { options.pace }
    /// The comparison of the latest version before the change with the latest version after it.
    let comparison: RulesComparison

    init(store: any EventStore, change: Change, old: FoldPlan, new: FoldPlan, options: ApplyOptions) {
        self.store = store
        self.change = change
        self.old = old
        self.new = new
        self.options = options
        comparison = RulesComparison(old.latest.rules, new.latest.rules)
    }

    func run(_ observe: (ReplayProgress) -> Void) throws -> RulesApplication {
        switch try impact() {
        case .listings:
            return try store.writeAll { transaction in
                var report = RulesApplication(inForce: 0)
                report.method = .listings
                try transaction.setHidden(comparison.hidden)
                report.version = try setRules(in: transaction)
                return report
            }
        case .thresholds where keepsAchievements, .everything:
            // Everything is recomputed, because a grant counts as an event and may bring a reward.
            return try store.withShadow { try ShadowBuild(self, .everything).run(observe) }
        case .thresholds(let achievements):
            return try store.withShadow { try ShadowBuild(self, .thresholds(of: achievements)).run(observe) }
        }
    }

    /// The impact of the change. All progress is recomputed in three cases: an older fold or other time zone data
    /// computed it, or there are several versions.
    private func impact() throws -> RulesImpact {
        let isCurrent = try store.read { reader in
            let zones = TimeZoneDatabase.shared.version
            return try reader.foldVersion() == StateFormat.version && reader.timeZones() ?? zones == zones
        }
        return isCurrent && old.versions.count == 1 && new.versions.count == 1 ? comparison.impact : .everything
    }

    /// Stores the new list of rules.
    /// - Returns: the number of the version.
    func setRules(in transaction: any StoreAdministration) throws -> Int {
        let stored = try unchangedRules(in: transaction)
        switch change {
        case .apply(let rules, let day):
            if stored.isEmpty, day != nil {
                // The default rules were in force until now, but no record of them was stored.
                let first = try RulesRecord(old.versions[0].rules, from: nil, in: transaction, at: clock)
                try transaction.setRules(first)
            }
            try transaction.setRules(RulesRecord(rules, from: day, in: transaction, at: clock))
        case .withdraw(let day): try transaction.withdrawRules(from: day)
        }
        try transaction.setFoldVersion(StateFormat.version)
        let version = try transaction.rules().last?.version ?? 0
        try transaction.write(auditNote(version, in: transaction))
        return version
    }

    private func auditNote(_ version: Int, in reader: any StoreReader) throws -> AuditNote? {
        guard let actor = options.actor else { return nil }
        switch change {
        case .apply(let rules, let day):
            let hash = try reader.rules().first { $0.from == day }?.hash
            return AuditNote(
                .rulesApplied,
                by: actor,
                target: "\(version)",
                details: ["name": rules.name, "hash": hash, "from": day.map { "\($0)" }]
            )
        case .withdraw(let day):
            return AuditNote(.rulesWithdrawn, by: actor, target: "\(version)", details: ["from": "\(day)"])
        }
    }

    /// The store's rules. They must not have changed since the start of this change.
    @discardableResult
    func unchangedRules(in reader: any StoreReader) throws -> [RulesRecord] {
        let stored = try reader.rules()
        guard let last = stored.last, RulesKey.key(stored) != old.key else { return stored }
        throw StoreError(
            .rulesChanged,
            "meanwhile the store was given other rules, version \(last.version) (“\(last.name)”); nothing was"
                + " changed. See what these would change, and apply them again"
        )
    }
}
