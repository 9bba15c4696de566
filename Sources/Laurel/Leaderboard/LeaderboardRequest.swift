// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelResults

/// The selection and the order of a leaderboard.
package struct LeaderboardRequest: Sendable {
    /// A day of the week whose XP counts; nil for all time.
    package var week: LocalDay?
    /// The language; nil for the overall track.
    package var language: String?
    /// The cohort; only learners whose latest `learner.updated` has it are listed.
    package var cohort: String?
    package var part = LeaderboardPart.top(nil)
    /// The instant up to which events count.
    package var instant: Timestamp

    package init(week: LocalDay?, instant: Timestamp) {
        self.week = week
        self.instant = instant
    }
}
