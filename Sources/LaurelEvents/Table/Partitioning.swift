// SPDX-License-Identifier: Apache-2.0

extension Range<Int> {
    /// The first index for which a condition holds, or the end. The condition must hold for all later indexes, too.
    /// - Complexity: O(log count).
    @inlinable
    package func partitioningIndex(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
