// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
package import LaurelResults
import LaurelRules

extension ProgressEngine {
    /// The achievements of every track, the overall one first, each in the order of the rules; hidden ones from when they are
    /// unlocked. nil for an unknown learner.
    /// - Parameter language: the tracks' language; nil for all of them, and the overall track.
    package func achievements(
        of id: String,
        language: String?,
        at instant: Timestamp
    ) throws -> [Achievement]? {
        try withState(of: id, at: instant) { state, plan in
            let reader = ProgressReader(plan: plan)
            // Those that only the version in force at the instant has are listed, too.
            let known = state.plan.rules.achievements + plan.version(at: instant).rules.achievements
            let rules = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
            let tracks = language.map { [$0] } ?? [nil] + reader.languages(state)
            return tracks.flatMap { language in
                let progress = reader.progress(state, subject: id, language: language, at: instant)
                let today = reader.localDay(of: instant, state, language: language)
                return (progress?.achievements ?? []).map { achievement in
                    let rule = rules[achievement.id]
                    return Achievement(
                        id: achievement.id,
                        name: rule?.name ?? achievement.id,
                        description: rule?.description ?? "",
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
