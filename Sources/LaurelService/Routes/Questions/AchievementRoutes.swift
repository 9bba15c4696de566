// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// The learners who hold an achievement, and those who are near to it.
struct AchievementOverview: Codable {
    /// The achievement's id, as the rules spell it.
    var id: String
    /// The English name.
    var name: String
    /// The English description.
    var description: String
    /// True if learners see the achievement only once it is unlocked.
    var hidden: Bool
    /// The number of learners who have unlocked a tier, in any language.
    var holders: Int
    /// The number of learners who could hold it.
    var learners: Int
    /// The median of the hours from a holder's first event to the latest tier; nil without holders.
    var medianHours: Double?
    /// The learners who are nearest to unlocking it, the nearest first.
    var next: [Candidate]

    /// A learner who does not hold the achievement yet.
    struct Candidate: Codable {
        /// The learner's id.
        var learner: String
        /// The name that others see; nil if no event gave one.
        var displayName: String?
        /// The share of the way to the first tier, 0 … 1.
        var progress: Double
    }

    init(_ statistics: AchievementStatistics) {
        (id, name, description) = (statistics.id, statistics.name, statistics.description)
        (hidden, holders, learners) = (statistics.isHidden, statistics.holders, statistics.learners)
        medianHours = statistics.medianTime.map { Double($0) / 3_600_000 }
        next = statistics.next.map {
            Candidate(learner: $0.learner, displayName: $0.displayName, progress: $0.progress)
        }
    }
}

extension Route {
    static let achievementRoutes = [
        Route(
            "GET",
            "/v1/achievements",
            "The achievements of the rules, with holders, rarity and who is next.",
            access: .scopes([.read]),
            parameters: [.cohort],
            answer: .list(AchievementOverview.self),
            action: .question { service, request in
                let found = try service.engine.achievementStatistics(
                    cohort: request.query.text(.cohort),
                    at: service.options.now()
                )
                return JSONAnswer.response(try JSONAnswer.list(found.map { AchievementOverview($0) }))
            }
        )
    ]
}
