// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Finds the index of a language in a list to which elements are only appended. Short lists are searched, long lists
/// use a dictionary.
struct TrackLookup {
    /// The indexes of the first ``indexedCount`` elements, used for long lists.
    private var indexes: [[UInt8]: Int] = [:]
    private var indexedCount = 0
    private static let short = 16

    /// Returns the index of a language; nil if the list does not contain it.
    /// - Parameter name: returns the language at an index of the list; nil if the element has no language.
    /// - Complexity: O(1) on average.
    mutating func index(
        of language: UnsafeBufferPointer<UInt8>,
        among count: Int,
        _ name: (Int) -> [UInt8]?
    ) -> Int? {
        guard count > TrackLookup.short else {
            return (0..<count).first { index in
                name(index)?.withUnsafeBufferPointer { $0.hasSameBytes(as: language) } ?? false
            }
        }
        for index in indexedCount..<count {
            if let name = name(index) { indexes[name] = index }
        }
        indexedCount = count
        return indexes[Array(language)]
    }

    mutating func removeAll() {
        indexes.removeAll()
        indexedCount = 0
    }
}
