// SPDX-License-Identifier: Apache-2.0

import LaurelRules

typealias Window = FrameLayout.Window

/// The slots of a track's numbers, computed once. The four windows come first. Each contains the metrics in file order,
/// followed by XP. Numbers outside windows follow. The slots are those of ``FrameLayout``.
struct TrackLayout: Sendable {
    /// The number of slots per window.
    let stride: Int
    let count: Int
    /// The first slots of the windows: total, session, day, week.
    let total: Int
    let session: Int
    let day: Int
    let week: Int
    let currentStreak: Int
    let longestStreak: Int
    let level: Int
    let wordsKnown: Int
    let wordsLearned: Int
    let wordsMastered: Int
    /// The slots of XP, each the last slot of its window.
    let xpSlots: (total: Int, session: Int, day: Int, week: Int)

    init(_ layout: FrameLayout) {
        stride = layout.windowWidth
        count = layout.trackNumberCount
        total = layout.start(of: .total)
        session = layout.start(of: .session)
        day = layout.start(of: .day)
        week = layout.start(of: .week)
        currentStreak = layout.slot(of: .streakCurrent)!
        longestStreak = layout.slot(of: .streakLongest)!
        level = layout.slot(of: .level)!
        wordsKnown = layout.slot(of: .wordsKnown)!
        wordsLearned = layout.slot(of: .wordsLearned)!
        wordsMastered = layout.slot(of: .wordsMastered)!
        let last = stride - 1
        xpSlots = (total + last, session + last, day + last, week + last)
    }

    /// The number of slots in all four windows, which come first.
    var windowCount: Int { 4 * stride }
    /// The slots of the session's window.
    var sessionRegion: Range<Int> { session..<session + stride }
}
