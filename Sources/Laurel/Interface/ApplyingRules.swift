// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelEvents
import LaurelProgress
public import LaurelResults
import LaurelRules
import LaurelStore
public import LaurelWire

/// What a comparison of rules is to look at.
public struct DiffOptions: Sendable, Hashable {
    /// Progress is compared as of this instant. Its offset, if it has one, decides which day is today; else each learner's
    /// own clock does.
    public var at: Timestamp
    /// How many learners to fold, from 1, always the same ones: they are chosen by a hash of their ids. nil for all.
    public var sample: Int?
    /// Learners, and their languages, for whom nothing differs are listed, too.
    public var listsAll = false

    /// As of an instant, with its clock.
    public init(at instant: Timestamp) { at = instant }

    /// - Parameters:
    ///   - date: progress is compared as of it.
    ///   - timeZone: decides which day is today; nil: the clock that each learner's events tell.
    public init(at date: Date = Date(), timeZone: Foundation.TimeZone? = nil) {
        at = Timestamp(date, in: timeZone)
    }
}

/// How rules are to be applied.
public struct ApplyOptions: Sendable {
    /// When that is: it stands in ``AppliedRules``, and decides what can be withdrawn yet.
    public var appliedAt: Date
    /// Records what learners would lose of achievements as `achievement.granted` events.
    public var keepsAchievements = false
    /// Records what learners that lose XP had as `xp.declared` events, overall and per language.
    public var keepsXP = false
    /// Noted in the audit log; nil for no entry.
    public var actor: AuditActor?
    package var pace = ApplyPace()

    /// Nothing but the rules is changed.
    /// - Parameter appliedAt: noted in the history.
    public init(appliedAt: Date = Date()) { self.appliedAt = appliedAt }
}

/// Other rules: what they would change, and changing them.
extension ProgressEngine {
    /// What would change for whom if other rules replaced those in force, or were in force from a day on. Nothing is written.
    /// - Parameters:
    ///   - rules: the rules that would be in force, or come into force.
    ///   - day: the local day from which they would be in force; nil for the whole of time.
    ///   - options: the settings of this call.
    ///   - observe: called now and then with the progress so far, on the calling thread.
    /// - Complexity: O(events), on all cores; each block of events is decoded once for both rule sets. A sample decodes the
    ///   blocks in which its learners are. Memory for the learners who are listed.
    public func diff(
        _ rules: Rules,
        from day: LocalDay? = nil,
        options: DiffOptions = DiffOptions(),
        observe: (ReplayProgress) -> Void = { _ in }
    ) throws(EngineError) -> RulesDiff {
        try EngineError.translating {
            try store.readTogether { state in
                let plan = try state.read { try self.plan(for: $0) }
                let new = plan.adding(rules.ruleSet, from: day)
                return try RulesDiffRun(state: state, old: plan, new: new, options: options).run(observe)
            }
        }
    }

    /// Applies rules: without a day they replace all versions, from a day on those that are in force from it or later.
    ///
    /// Computes all progress under the new list beside the old, in which readers go on and writers take turns, follows what
    /// they change meanwhile, and swaps at once. Whatever interrupts it, the old rules and progress stand until then.
    /// - Parameters:
    ///   - rules: the rules that would be in force, or come into force.
    ///   - day: the local day from which the rules are in force, each learner's own; nil for the whole of time.
    ///   - options: the settings of this call.
    ///   - observe: called now and then with the progress so far, on the calling thread.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/rulesChanged`` where another process gives the store other rules
    ///   meanwhile.
    /// - Complexity: O(events), on all cores; less where it can be proved that no more can change
    ///   (``RulesApplication/Method``). The store needs room for all derived tables twice.
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

    /// Takes back a version that is not in force anywhere yet.
    /// - Parameters:
    ///   - day: from which it would be in force.
    ///   - options: the settings of this call.
    ///   - observe: called now and then with the progress so far, on the calling thread.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/notWithdrawable`` where no version is in force from that day, or
    ///   somewhere it is that day already.
    /// - Complexity: as that of `apply(_:from:options:observe:)`.
    @discardableResult
    public func withdraw(
        from day: LocalDay,
        options: ApplyOptions = ApplyOptions(),
        observe: (ReplayProgress) -> Void = { _ in }
    ) throws(EngineError) -> RulesWithdrawal {
        try EngineError.translating {
            let old = try store.read { try self.plan(for: $0) }
            let version = try versionToCome(from: day, in: old, at: options.appliedAt.milliseconds)
            let report = try change(.withdraw(day), old, old.removing(version), options, observe)
            var withdrawal = RulesWithdrawal(withdrawn: day, version: report.version)
            (withdrawal.learners, withdrawal.events) = (report.learners, report.events)
            withdrawal.seconds = report.seconds
            return withdrawal
        }
    }
}

/// The rules that a store has, and had.
extension ProgressEngine {
    /// Every version of the rules that was applied, oldest first.
    /// - Complexity: O(versions): each is read and compared with the one before it.
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

    /// The rules of a version that was applied; nil if there is none of that number.
    /// - Parameter version: from 1.
    public func appliedRules(version: Int) throws(EngineError) -> AppliedRulesSource? {
        try EngineError.translating {
            try store.read { try $0.rulesHistory() }.last { $0.version == version }.map(AppliedRulesSource.init)
        }
    }

    /// The versions of the rules, ascending by the day from which each is in force; empty for a store that was given none yet.
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
