// SPDX-License-Identifier: Apache-2.0

import LaurelRules

typealias Window = FrameLayout.Window

/// The slots of a track's numbers, computed once. The windows come first. Each contains the metrics in file order,
/// followed by XP. Numbers outside windows follow. The slots are those of ``FrameLayout``.
struct TrackLayout: Sendable {
    /// The number of slots per window.
    let stride: Int
    let count: Int
    /// The number of slots in all windows, which come first.
    let windowCount: Int
    /// The first slots of two windows.
    let total: Int
    let session: Int
    let currentStreak: Int
    let longestStreak: Int
    /// The slot of `streak.days_since_active`; nil if no expression reads the number.
    let daysSinceActive: Int?
    let level: Int
    let wordsKnown: Int
    let wordsLearned: Int
    let wordsMastered: Int
    /// The slots of XP, each the last slot of its window.
    let xpSlots: (total: Int, session: Int, day: Int, week: Int)

    /// The slot of the season's XP; nil if the rules have no seasons.
    let seasonXP: Int?

    init(_ layout: FrameLayout) {
        stride = layout.windowWidth
        count = layout.trackNumberCount
        windowCount = layout.windowSlotCount
        total = layout.start(of: .total)
        session = layout.start(of: .session)
        currentStreak = layout.slot(of: .streakCurrent)!
        longestStreak = layout.slot(of: .streakLongest)!
        daysSinceActive = layout.slot(of: .daysSinceActive)
        level = layout.slot(of: .level)!
        wordsKnown = layout.slot(of: .wordsKnown)!
        wordsLearned = layout.slot(of: .wordsLearned)!
        wordsMastered = layout.slot(of: .wordsMastered)!
        seasonXP = layout.windows.contains(.season) ? layout.slotOfXP(in: .season) : nil
        let last = stride - 1
        let (day, week) = (layout.start(of: .day), layout.start(of: .week))
        xpSlots = (total + last, session + last, day + last, week + last)
    }

    /// The first slot of a window.
    func start(of window: Window) -> Int { window.rawValue * stride }
    /// The slots of the session's window.
    var sessionRegion: Range<Int> { session..<session + stride }
}
