// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelProgress

/// Estimates the practice time of a day, for apps that do not report the lengths of sessions. `docs/numbers.md` defines
/// the estimate.
enum PracticeEstimate {
    /// The minimum time in milliseconds for a spoken line and for a review. In sessions of known length, a line takes 7
    /// to 9 seconds, and a review 4 to 6 seconds. These low values make sure that an estimate seldom exceeds the
    /// reported length.
    private static let (line, review): (Int64, Int64) = (6000, ReviewHabits.usualMilliseconds)

    /// The minutes of practice: the reported or the estimated time, whichever is longer.
    static func minutes(of day: DayProjection) -> Double {
        let estimate = Int64(day.lines) * line + Int64(day.reviews) * review
        return Double(max(Int64(day.practiceMilliseconds), estimate)) / 60_000
    }
}
