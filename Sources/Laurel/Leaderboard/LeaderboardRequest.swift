// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelResults

/// Which leaderboard is asked for.
package struct LeaderboardRequest: Sendable {
    /// A day of the week whose XP counts; nil for all time.
    package var week: LocalDay?
    /// nil for the overall track.
    package var language: String?
    /// Only learners whose latest `learner.updated` says so.
    package var cohort: String?
    package var part = LeaderboardPart.top(nil)
    /// Only events up to it count.
    package var instant: Timestamp

    package init(week: LocalDay?, instant: Timestamp) {
        self.week = week
        self.instant = instant
    }
}
