package import LaurelRules
package import LaurelStore
import LaurelYAML

/// A version of the rules as it was applied, and what it changed.
package struct AppliedRules: Sendable {
    package var record: RulesRecord
    /// In what it differs from the version before it; nil for the first, and where either cannot be read any more.
    package var changes: [RulesChange]?
    /// Why this version cannot be read any more.
    package var problem: String?
    /// Whether it is one of the store's present versions: not replaced, and not withdrawn.
    package var isInForce = false
}

extension ProgressEngine {
    /// Every version of the rules that was applied, oldest first.
    package func rulesHistory() throws -> [AppliedRules] {
        var last: RuleSet?
        let (history, present) = try store.read { (try $0.rulesHistory(), try $0.rules().map(\.version)) }
        return history.map { record in
            var applied = AppliedRules(record: record)
            applied.isInForce = present.contains(record.version)
            do throws(RulesError) {
                let rules = try RuleSet(applied: record)
                applied.changes = last.map { RulesComparison($0, rules).changes }
                last = rules
            } catch {
                applied.problem = error.diagnostics.first { $0.severity == .error }?.description
                last = nil
            }
            return applied
        }
    }

    /// The rules of a version that was applied; nil where there is none of that number.
    package func appliedRules(version: Int) throws -> RulesRecord? {
        try store.read { try $0.rulesHistory() }.last { $0.version == version }
    }

    /// The versions of the rules, ascending by the day from which each is in force; empty for a store that was given none yet.
    package func rulesInForce() throws -> [RulesRecord] { try store.read { try $0.rules() } }

    /// Reads, checks and compiles rules that were applied.
    package static func compile(_ record: RulesRecord) throws(RulesError) -> RuleSet { try RuleSet(applied: record) }
}
