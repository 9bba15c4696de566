// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelProgress
import Synchronization

/// The latest rankings of leagues, for questions about single learners. A ranking that took longer than 20
/// milliseconds is used again for twenty times that time, but at most for ten minutes. Other rankings are not kept.
final class LeagueRankings: Sendable {
    private let kept = Mutex<[String: (ranking: LeagueRanking, until: ContinuousClock.Instant)]>([:])

    /// The duration from which a ranking is kept.
    private static let slow = Duration.milliseconds(20)
    private static let longest = Duration.seconds(600)

    /// - Parameter compute: computes the ranking of the week.
    func ranking(of week: LeagueWeek, _ compute: () throws -> LeagueRanking) throws -> LeagueRanking {
        let start = ContinuousClock.now
        if let known = kept.withLock({ $0[week.eventID] }), known.until > start { return known.ranking }
        let ranking = try compute()
        let duration = ContinuousClock.now - start
        kept.withLock { kept in
            kept = kept.filter { $0.value.until > start }
            if duration > LeagueRankings.slow {
                kept[week.eventID] = (ranking, start + min(LeagueRankings.longest, duration * 20))
            }
        }
        return ranking
    }
}
