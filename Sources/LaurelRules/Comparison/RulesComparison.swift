// SPDX-License-Identifier: Apache-2.0

/// The differences between two rule sets, in the order of a rules file.
package struct RulesComparison: Sendable {
    package let changes: [RulesComparison.Change]
    package let impact: RulesImpact
    /// The achievements that only one of the rule sets hides. The value is true if the new rule set hides the
    /// achievement.
    package let hidden: [String: Bool]

    /// - Complexity: O(rules).
    package init(_ old: RuleSet, _ new: RuleSet) {
        impact = RulesImpact(old, new)
        hidden = new.achievements.reduce(into: [:]) { hidden, rule in
            guard let before = old.achievements.first(where: { $0.id == rule.id }) else { return }
            if before.isHidden != rule.isHidden { hidden[rule.id] = rule.isHidden }
        }
        var finder = ChangeFinder(old: old, new: new)
        changes = finder.find()
    }
}

private struct ChangeFinder {
    let old: RuleSet
    let new: RuleSet
    private let reach: (old: RulesReach, new: RulesReach)
    private var changes: [RulesComparison.Change] = []

    init(old: RuleSet, new: RuleSet) {
        self.old = old
        self.new = new
        reach = (RulesReach(old), RulesReach(new))
    }

    mutating func find() -> [RulesComparison.Change] {
        let (before, after) = (old.described, new.described)
        for part in RulesComparison.Change.Part.allCases {
            compare(before.filter { $0.part == part }, after.filter { $0.part == part }, part)
        }
        return changes
    }

    private mutating func compare(
        _ before: [DescribedRule],
        _ after: [DescribedRule],
        _ part: RulesComparison.Change.Part
    ) {
        for rule in before where rule.counterpart(in: after) == nil {
            add(part, rule.id, nil, .removed, rule.summary, nil)
        }
        for rule in after {
            if let known = rule.counterpart(in: before) {
                compare(known, rule)
            } else {
                add(part, rule.id, nil, .added, nil, rule.summary)
            }
        }
        let order = before.filter { $0.counterpart(in: after) != nil }.map(\.id)
        if order != after.filter({ $0.counterpart(in: before) != nil }).map(\.id) {
            add(part, nil, nil, .moved, nil, nil)
        }
    }

    private mutating func compare(_ before: DescribedRule, _ after: DescribedRule) {
        if before.part == .levels { return compareLevels(before, after) }
        let keys =
            after.facets.map(\.key)
            + before.facets.map(\.key).filter { key in
                !after.facets.contains { $0.key == key }
            }
        for key in keys {
            let (one, other) = (before.facet(key), after.facet(key))
            guard one?.meaning != other?.meaning else {
                if one?.shown != other?.shown { add(before.part, after.id, key, .reworded, one?.shown, other?.shown) }
                continue
            }
            add(
                before.part,
                after.id,
                key,
                RulesComparison.Change.Kind(one?.number, other?.number),
                one?.shown,
                other?.shown
            )
            if (one ?? other)?.reach != .numbers { annotateLast((one ?? other)!) }
        }
    }

    /// Compares level curves. A message shows the first level that starts at different XP.
    private mutating func compareLevels(_ before: DescribedRule, _ after: DescribedRule) {
        guard zip(before.facets, after.facets).contains(where: { $0.meaning != $1.meaning }) else {
            if before.facet("xp_for")?.shown != after.facet("xp_for")?.shown {
                add(.levels, nil, "xp_for", .reworded, nil, nil)
            }
            return
        }
        let level = (1...LevelCurve.checkedLevels).first { old.levels.start(of: $0) != new.levels.start(of: $0) }
        guard let level else {
            add(.levels, nil, "xp_for", .changed, old.levels.shown, new.levels.shown)
            changes[changes.count - 1].noEffect = "the first 10,000 levels start where they did"
            return
        }
        let (one, other) = (old.levels.start(of: level), new.levels.start(of: level))
        let kind = RulesComparison.Change.Kind(one, other)
        add(.levels, nil, "level \(level)", kind, one.map(\.brief), other.map(\.brief))
    }

    private mutating func annotateLast(_ facet: RuleFacet) {
        changes[changes.count - 1].noEffect =
            switch facet.reach {
            case .listing: "only what is listed differs"
            case .groups: Self.onlyGroups
            case .leagues: "settled results stay, and only later ones can differ"
            case .numbers, .nothing: "nothing is computed from it"
            }
    }

    private static let onlyGroups = "no learner's own numbers depend on groups"

    private mutating func add(
        _ part: RulesComparison.Change.Part,
        _ id: String?,
        _ key: String?,
        _ kind: RulesComparison.Change.Kind,
        _ before: String?,
        _ after: String?
    ) {
        var change = RulesComparison.Change(part: part, id: id, key: key, kind: kind, before: before, after: after)
        if kind != .reworded { change.noEffect = reason(for: change) }
        changes.append(change)
    }

    /// The reason why the change cannot have an effect; nil if it may have one. The reason must be true under both rule
    /// sets.
    private func reason(for change: RulesComparison.Change) -> String? {
        switch change.part {
        case .metric:
            guard let id = change.id else { return nil }
            let isRead = reach.old.readMetrics.contains(id) || reach.new.readMetrics.contains(id)
            return isRead ? nil : "nothing reads the metric"
        case .xp, .award:
            guard let id = change.id else { return nil }
            if change.key == "bucket" { return "only the XP's name in the breakdown differs" }
            return both(change, id, reach.old.idleXPRules, reach.new.idleXPRules)
        case .achievement:
            guard let id = change.id else { return nil }
            return both(change, id, reach.old.unreachable, reach.new.unreachable).map { "out of reach: \($0)" }
        case .group: return Self.onlyGroups
        default: return nil
        }
    }

    /// The reason, if it is true under both rule sets. An added rule is checked under the new rules only, a removed
    /// rule under the old rules only.
    private func both(
        _ change: RulesComparison.Change,
        _ id: String,
        _ before: [String: String],
        _ after: [String: String]
    ) -> String? {
        switch change.kind {
        case .added: after[id]
        case .removed: before[id]
        default: before[id] == nil ? nil : after[id]
        }
    }
}

extension DescribedRule {
    fileprivate func facet(_ key: String) -> RuleFacet? { facets.first { $0.key == key } }

    /// Returns the rule with the same id. Ids are compared as bytes, because Swift's `==` ignores differences in
    /// Unicode normal form.
    fileprivate func counterpart(in rules: [DescribedRule]) -> DescribedRule? {
        rules.first { $0.id.map { Array($0.utf8) } == id.map { Array($0.utf8) } }
    }
}

extension RulesComparison.Change.Kind {
    fileprivate init(_ before: Double?, _ after: Double?) {
        guard let before, let after else {
            self = .changed
            return
        }
        self = after > before ? .raised : .lowered
    }
}
