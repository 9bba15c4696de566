// SPDX-License-Identifier: Apache-2.0

extension Array where Element: BinaryInteger {
    /// The median of ascending numbers; nil if there are none.
    var medianOfSorted: Double? {
        guard !isEmpty else { return nil }
        let middle = count / 2
        let upper = Double(self[middle])
        return count % 2 == 1 ? upper : (Double(self[middle - 1]) + upper) / 2
    }
}
