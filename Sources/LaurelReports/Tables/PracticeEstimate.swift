// SPDX-License-Identifier: Apache-2.0

import LaurelProgress

/// The estimate of a day's practice, for apps that do not tell how long sessions last: `docs/numbers.md` defines it.
enum PracticeEstimate {
    /// The milliseconds that a spoken line and a review take at least. Told sessions have 7 to 9 seconds a line, and
    /// reviews follow each other after 4 to 6 seconds. Less is assumed, so that an estimate seldom exceeds a told length.
    private static let (line, review): (Int64, Int64) = (6000, 4000)

    /// The minutes of practice: as told, or as estimated if that is more.
    static func minutes(of day: DayProjection) -> Double {
        let estimate = Int64(day.lines) * line + Int64(day.reviews) * review
        return Double(max(Int64(day.practiceMilliseconds), estimate)) / 60_000
    }
}
