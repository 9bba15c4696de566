// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules

extension ProgressReader {
    /// The achievements of a track, in the order of the rules. Hidden achievements are included once unlocked.
    /// - Parameters:
    ///   - progress: the track's progress as of the instant.
    ///   - locale: the reader's locale, for names and descriptions.
    func achievements(
        _ progress: FoldedProgress,
        _ state: LearnerState,
        at instant: Timestamp,
        locale: String?
    ) -> [Achievement] {
        // Achievements that only the version in force at the instant has are also listed.
        let known = state.plan.rules.achievements + plan.version(at: instant).rules.achievements
        let rules = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        let today = localDay(of: instant, state, language: progress.language)
        return progress.achievements.map { achievement in
            let rule = rules[achievement.id]
            return Achievement(
                id: achievement.id,
                name: achievement.names.text(for: locale),
                description: rule?.descriptions.text(for: locale) ?? "",
                category: rule?.category,
                language: progress.language,
                tier: achievement.tier,
                tiers: achievement.tiers,
                unlockedAt: achievement.unlockedAt.map(Date.init(milliseconds:)),
                progress: achievement.progress,
                period: rule?.period.active(on: today)
            )
        }
    }
}

extension Period {
    /// The period, and the number of the day in it; nil for a period without bounds.
    /// - Parameter day: the day; nil if there is no day yet.
    func active(on day: LocalDay?) -> ActivePeriod? {
        guard self != .always else { return nil }
        let place = day.map(place) ?? .within
        return ActivePeriod(from: from, through: through, place: ActivePeriod.Place(place))
    }
}

extension ActivePeriod.Place {
    init(_ place: Period.Place) {
        switch place {
        case .before: self = .ahead
        case .within: self = .within
        case .after: self = .over
        }
    }
}
