// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A learner's completions of a goal.
struct GoalState: Sendable, Equatable {
    /// A completion: its window, and its time in milliseconds since 1970.
    struct Completion: Sendable, Equatable {
        var window: GoalWindow
        var at: Int64

        /// True if the completion was in a window. Seasons with equal names are the same window, even if their dates
        /// differ.
        func isIn(_ other: GoalWindow) -> Bool {
            window.first == other.first || window.season != nil && window.season == other.season
        }
    }

    /// The number of completions.
    private(set) var times = 0
    /// The latest completions, ascending.
    private(set) var latest: [Completion] = []
    /// The number of completions that are kept. A reader's local day is at most two days before that of the last event,
    /// so older completions are never shown.
    private static let kept = 4

    init() {}

    init(times: Int, latest: [Completion]) { (self.times, self.latest) = (times, latest) }

    /// True if the goal may be completed in a window: it was not completed in that window or a later one.
    func isOpen(in window: GoalWindow) -> Bool {
        latest.last.map { $0.window.first < window.first && !$0.isIn(window) } ?? true
    }

    mutating func complete(in window: GoalWindow, at instant: Int64) {
        times += 1
        if latest.count == GoalState.kept { latest.removeFirst() }
        latest.append(Completion(window: window, at: instant))
    }

    /// The time of the completion in a window, in milliseconds since 1970; nil if there was none.
    func completion(in window: GoalWindow) -> Int64? { latest.last { $0.isIn(window) }?.at }
}
