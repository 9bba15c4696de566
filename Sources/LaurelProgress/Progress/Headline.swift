// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

extension LearnerState {
    /// The time of the last folded event; nil before the first event.
    package var lastEvent: Timestamp? {
        tracks[0].counts.events > 0 ? Timestamp(milliseconds: tracks[0].counts.lastEventAt) : nil
    }

    /// The time of the last folded event that could make a day active; nil before the first such event.
    package var lastPractice: Timestamp? { tracks[0].lastPractice.map { Timestamp(milliseconds: $0.at) } }

    package var displayName: String? { profile.displayName }
    package var cohort: String? { profile.cohort }
    package var isOnLeaderboards: Bool { profile.isOnLeaderboards }
}
