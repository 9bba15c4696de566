// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelEvents
import LaurelProgress
public import LaurelResults
import LaurelRules
import LaurelStore
public import LaurelWire

/// The settings of a comparison of rules.
public struct DiffOptions: Sendable, Hashable {
    /// The instant at which progress is compared. If the instant has an offset, the offset decides which day is today;
    /// otherwise each learner's own clock decides.
    public var at: Timestamp
    /// The number of learners to compare, at least 1; nil for all. A hash of the id selects them, so the sample is
    /// always the same.
    public var sample: Int?
    /// True to list all learners and languages, also those without any difference.
    public var listsAll = false
    /// The variant of an experiment that every learner gets under the other rules; nil for each learner's own variants.
    public var variant: AssumedVariant?

    /// Creates settings for a comparison as of an instant, with its offset.
    public init(at instant: Timestamp) { at = instant }

    /// - Parameters:
    ///   - date: the instant at which progress is compared.
    ///   - timeZone: decides which day is today; nil for the clock of each learner's events.
    public init(at date: Date = Date(), timeZone: Foundation.TimeZone? = nil) {
        at = Timestamp(date, in: timeZone)
    }
}

/// The settings for applying rules.
public struct ApplyOptions: Sendable {
    /// The time of the change, recorded in ``AppliedRules``. It also decides which versions can still be withdrawn.
    public var appliedAt: Date
    /// True to preserve achievements that learners would lose, by `achievement.granted` events.
    public var keepsAchievements = false
    /// True to preserve XP that learners would lose, by `xp.declared` events with the former XP, overall and per
    /// language.
    public var keepsXP = false
    /// The actor for the audit log; nil for no entry.
    public var actor: AuditActor?
    package var pace = ApplyPace()

    /// Creates settings that only change the rules.
    /// - Parameter appliedAt: the time of the change in the history.
    public init(appliedAt: Date = Date()) { self.appliedAt = appliedAt }
}

/// Compares and applies rules.
extension ProgressEngine {
    /// Compares progress under the store's rules with progress under other rules. Without a day, the other rules
    /// replace the store's rules. With a day, they follow the store's rules from that day on. Writes nothing.
    /// - Parameters:
    ///   - rules: the other rules.
    ///   - day: the local day from which they would be in force; nil for all time.
    ///   - options: the settings of this call.
    ///   - observe: called now and then with the progress so far, on the calling thread.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/invalidRequest`` if the rules do not have the variant of
    ///   the settings.
    /// - Complexity: O(events), on all cores; each block of events is decoded once for both rule sets. A sample decodes
    ///   only the blocks of its learners. Memory for the listed learners.
    public func diff(
        _ rules: Rules,
        from day: LocalDay? = nil,
        options: DiffOptions = DiffOptions(),
        observe: (ReplayProgress) -> Void = { _ in }
    ) throws(EngineError) -> RulesDiff {
        try EngineError.translating {
            try store.readTogether { state in
                let plan = try state.read { try self.plan(for: $0) }
                var new = plan.adding(rules.ruleSet, from: day)
                if let variant = options.variant { new = try new.assuming(variant) }
                return try RulesDiffRun(state: state, old: plan, new: new, options: options).run(observe)
            }
        }
    }

    /// Applies rules. Without a day, they replace all versions. With a day, they replace the versions that begin on
    /// that day or later.
    ///
    /// The new progress is computed while the old progress stays in use. Readers continue, and writers take turns.
    /// Learners who change meanwhile are computed again. Then the new progress replaces the old progress in one step.
    /// After an interruption, the old rules and progress are unchanged.
    /// - Parameters:
    ///   - rules: the rules to apply.
    ///   - day: the local day, by each learner's clock, from which the rules are in force; nil for all time.
    ///   - options: the settings of this call.
    ///   - observe: called now and then with the progress so far, on the calling thread.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/rulesChanged`` if another process applies other rules
    ///   meanwhile.
    /// - Complexity: O(events), on all cores. Less if the change provably affects less (``RulesApplication/Method``).
    ///   The store needs room for a second copy of all derived tables.
    @discardableResult
    public func apply(
        _ rules: Rules,
        from day: LocalDay? = nil,
        options: ApplyOptions = ApplyOptions(),
        observe: (ReplayProgress) -> Void = { _ in }
    ) throws(EngineError) -> RulesApplication {
        try EngineError.translating {
            let old = try store.read { try self.plan(for: $0) }
            let new = old.adding(rules.ruleSet, from: day)
            var report = try change(.apply(rules.ruleSet, day), old, new, options, observe)
            report.from = day
            return report
        }
    }

    /// Cancels a version of the rules that is not in force in any time zone yet.
    /// - Parameters:
    ///   - day: the day from which the version would be in force.
    ///   - options: the settings of this call.
    ///   - observe: called now and then with the progress so far, on the calling thread.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/notWithdrawable`` if no version starts on that day, or
    ///   the day has begun in some time zone.
    /// - Complexity: as for `apply(_:from:options:observe:)`.
    @discardableResult
    public func withdraw(
        from day: LocalDay,
        options: ApplyOptions = ApplyOptions(),
        observe: (ReplayProgress) -> Void = { _ in }
    ) throws(EngineError) -> RulesWithdrawal {
        try EngineError.translating {
            let old = try store.read { try self.plan(for: $0) }
            let version = try upcomingVersion(from: day, in: old, at: options.appliedAt.milliseconds)
            let report = try change(.withdraw(day), old, old.removing(version), options, observe)
            var withdrawal = RulesWithdrawal(withdrawn: day, version: report.version)
            (withdrawal.learners, withdrawal.events) = (report.learners, report.events)
            withdrawal.seconds = report.seconds
            return withdrawal
        }
    }
}

/// The current and former rules of a store.
extension ProgressEngine {
    /// All applied versions of the rules, oldest first.
    /// - Complexity: O(versions): each version is read and compared with the one before.
    public func rulesHistory() throws(EngineError) -> [AppliedRules] {
        try EngineError.translating {
            let (history, present) = try store.read { (try $0.rulesHistory(), try $0.rules().map(\.version)) }
            var last: RuleSet?
            return history.map { record in
                var applied = AppliedRules(
                    version: record.version,
                    name: record.name,
                    hash: record.hash,
                    appliedAt: Date(milliseconds: record.appliedAt)
                )
                (applied.from, applied.isInForce) = (record.from, present.contains(record.version))
                do throws(RulesError) {
                    let rules = try RuleSet(applied: record)
                    applied.changes = last.map { RulesComparison($0, rules).changes.map(RulesChange.init) }
                    last = rules
                } catch {
                    applied.problem = error.diagnostics.first { $0.severity == .error }?.description
                    last = nil
                }
                return applied
            }
        }
    }

    /// The rules of an applied version; nil if there is no version of that number.
    /// - Parameter version: from 1.
    public func appliedRules(version: Int) throws(EngineError) -> AppliedRulesSource? {
        try EngineError.translating {
            try store.read { try $0.rulesHistory() }.last { $0.version == version }.map(AppliedRulesSource.init)
        }
    }

    /// The versions of the rules in force, ascending by their first day; empty for a store without rules.
    public func rulesInForce() throws(EngineError) -> [AppliedRulesSource] {
        try EngineError.translating { try store.read { try $0.rules() }.map(AppliedRulesSource.init) }
    }
}

extension AppliedRulesSource {
    fileprivate init(_ record: RulesRecord) {
        self.init(
            version: record.version,
            name: record.name,
            hash: record.hash,
            appliedAt: Date(milliseconds: record.appliedAt),
            from: record.from,
            source: Data(record.source)
        )
    }
}
