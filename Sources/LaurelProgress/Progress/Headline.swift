// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

extension LearnerState {
    /// When the last folded event was; nil if none was.
    package var lastEvent: Timestamp? {
        tracks[0].events > 0 ? Timestamp(milliseconds: tracks[0].lastEventAt) : nil
    }

    package var displayName: String? { profile.displayName }
    package var cohort: String? { profile.cohort }
}
