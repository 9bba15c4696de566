// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules

extension ProgressReader {
    /// The achievements of some tracks, each track's in the order of the rules; hidden ones from when they are unlocked.
    /// - Parameter locale: the reader's, for names and descriptions.
    func achievements(
        _ state: LearnerState,
        of id: String,
        in tracks: [String?],
        at instant: Timestamp,
        locale: String?
    ) -> [Achievement] {
        // Those that only the version in force at the instant has are listed, too.
        let known = state.plan.rules.achievements + plan.version(at: instant).rules.achievements
        let rules = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        return tracks.flatMap { language in
            let progress = progress(state, subject: id, language: language, at: instant)
            let today = localDay(of: instant, state, language: language)
            return (progress?.achievements ?? []).map { achievement in
                let rule = rules[achievement.id]
                return Achievement(
                    id: achievement.id,
                    name: achievement.names.text(for: locale),
                    description: rule?.descriptions.text(for: locale) ?? "",
                    category: rule?.category,
                    language: language,
                    tier: achievement.tier,
                    tiers: achievement.tiers,
                    unlockedAt: achievement.unlockedAt.map(Date.init(milliseconds:)),
                    progress: achievement.progress,
                    period: rule?.period.active(on: today)
                )
            }
        }
    }
}

extension Period {
    /// nil for one without bounds.
    /// - Parameter day: nil if there is no day yet.
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
