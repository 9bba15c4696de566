// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// The local days on which a rule acts. The first and the last day are included.
package struct Period: Sendable, Hashable {
    /// The first day; nil if the period has no start.
    package var from: LocalDay?
    /// The last day; nil if the period has no end.
    package var through: LocalDay?

    package init(from: LocalDay? = nil, through: LocalDay? = nil) {
        self.from = from
        self.through = through
    }

    /// Every day.
    package static let always = Period()

    /// The position of a day relative to the period: before, within or after.
    package func place(of day: LocalDay) -> Place {
        if let from, day < from { return .before(from) }
        if let through, day > through { return .after(through) }
        return .within
    }

    package enum Place: Sendable, Equatable {
        case before(LocalDay)
        case within
        case after(LocalDay)

        /// A phrase for explanations, such as "not before 2026-12-24" or "not after 2026-12-26"; nil if the day is
        /// within the period.
        package var obstacle: String? {
            switch self {
            case .before(let first): "not before \(first)"
            case .within: nil
            case .after(let last): "not after \(last)"
            }
        }
    }
}

extension RuleSet {
    /// The XP rules, awards, achievements and goals that have a period, in the order of the file.
    package var periods: [(phrase: String, period: Period, part: RulePart?)] {
        let xp = xpRules.enumerated().filter { $0.element.period != .always }.map { index, rule in
            (periodPart(.xpRule(index))?.phrase ?? "", rule.period, periodPart(.xpFrom(index), .xpThrough(index)))
        }
        let achieved = achievements.enumerated().filter { $0.element.period != .always }.map { index, rule in
            ("the achievement `\(rule.id)`", rule.period, periodPart(.from(index), .through(index)))
        }
        let reached = goals.enumerated().filter { $0.element.period != .always }.map { index, rule in
            ("the goal `\(rule.id)`", rule.period, periodPart(.goalFrom(index), .goalThrough(index)))
        }
        return xp + achieved + reached
    }

    private func periodPart(_ kinds: RulePart.Kind...) -> RulePart? { parts.first { kinds.contains($0.kind) } }
}
