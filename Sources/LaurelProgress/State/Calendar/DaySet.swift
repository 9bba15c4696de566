// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// A set of days, stored as ascending runs of consecutive days. Active days are usually consecutive, and a long run
/// needs no more memory than one day.
package struct DaySet: Sendable, Equatable {
    /// The runs: ascending, neither overlapping nor adjacent.
    package private(set) var runs: [ClosedRange<Int32>] = []

    package init() {}

    /// - Precondition: the runs are ascending, neither overlapping nor adjacent.
    init(runs: [ClosedRange<Int32>]) { self.runs = runs }

    /// Removes all days, but does not free the memory.
    mutating func removeAll() { runs.removeAll(keepingCapacity: true) }

    package var first: LocalDay? { runs.first.map { LocalDay(number: $0.lowerBound) } }
    package var last: LocalDay? { runs.last.map { LocalDay(number: $0.upperBound) } }

    /// - Complexity: O(log runs); O(1) for days in or after the last run.
    package func contains(_ day: LocalDay) -> Bool {
        let index = firstRun(endingAtOrAfter: day.number)
        return index < runs.count && runs[index].lowerBound <= day.number
    }

    /// The last day before another day; nil if there is none.
    /// - Complexity: O(log runs).
    func last(before day: LocalDay) -> LocalDay? {
        let index = firstRun(endingAtOrAfter: day.number)
        if index < runs.count, runs[index].lowerBound < day.number { return LocalDay(number: day.number - 1) }
        return index > 0 ? LocalDay(number: runs[index - 1].upperBound) : nil
    }

    /// Adds a day. Returns true if the day is new.
    @discardableResult
    package mutating func insert(_ day: LocalDay) -> Bool {
        let number = day.number
        let index = firstRun(endingAtOrAfter: number)
        if index < runs.count, runs[index].lowerBound <= number { return false }
        let touchesPrevious = index > 0 && runs[index - 1].upperBound == number - 1
        let touchesNext = index < runs.count && runs[index].lowerBound == number + 1
        switch (touchesPrevious, touchesNext) {
        case (true, true):
            runs[index - 1] = runs[index - 1].lowerBound...runs[index].upperBound
            runs.remove(at: index)
        case (true, false): runs[index - 1] = runs[index - 1].lowerBound...number
        case (false, true): runs[index] = number...runs[index].upperBound
        case (false, false): runs.insert(number...number, at: index)
        }
        return true
    }

    /// Adds days. Returns true if at least one is new.
    @discardableResult
    mutating func insert(_ days: ClosedRange<Int32>) -> Bool {
        var isNew = false
        for number in days where insert(LocalDay(number: number)) { isNew = true }
        return isNew
    }

    private func firstRun(endingAtOrAfter number: Int32) -> Int {
        if let last = runs.last, last.upperBound < number { return runs.count }
        return runs.indices.partitioningIndex { runs[$0].upperBound >= number }
    }
}
