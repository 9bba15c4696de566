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

    /// All completions, ascending by window. Later rules may change the goal's windows, so a completion in an early
    /// window may still be read.
    private(set) var completions: [Completion] = []

    init(_ completions: [Completion] = []) { self.completions = completions }

    /// The number of completions.
    var times: Int { completions.count }

    /// The last few completions, ascending. A reader's local day is at most two days before that of the last event.
    /// Readers under the same rules therefore never need older completions.
    var latest: ArraySlice<Completion> { completions.suffix(4) }

    /// True if the goal may be completed in a window. The goal must not have been completed in that window or a later
    /// one.
    func isOpen(in window: GoalWindow) -> Bool {
        guard let last = completions.last else { return true }
        return last.window.first < window.first && (window.season == nil || completion(in: window) == nil)
    }

    mutating func complete(in window: GoalWindow, at instant: Int64) {
        completions.append(Completion(window: window, at: instant))
    }

    /// The time of the completion in a window, in milliseconds since 1970; nil if there was none.
    /// - Complexity: O(completions).
    func completion(in window: GoalWindow) -> Int64? { completions.first { $0.isIn(window) }?.at }
}
