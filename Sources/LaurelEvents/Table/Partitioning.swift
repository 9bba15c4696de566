// SPDX-License-Identifier: Apache-2.0

extension Range<Int> {
    /// The first index from which a condition holds, given that it then holds to the end; the end where it never does.
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
