// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Finds the index of a language in a list to which elements are only appended. Short lists are searched, long lists
/// use a dictionary.
struct TrackLookup {
    /// The indexes of the first ``known`` elements, used for long lists.
    private var places: [[UInt8]: Int] = [:]
    private var known = 0
    private static let short = 16

    /// Returns the index of a language; nil if the list does not contain it.
    /// - Parameter name: returns the language at an index of the list; nil if the element has no language.
    /// - Complexity: O(1) on average.
    mutating func place(
        of language: UnsafeBufferPointer<UInt8>,
        among count: Int,
        _ name: (Int) -> [UInt8]?
    ) -> Int? {
        guard count > TrackLookup.short else {
            return (0..<count).first { place in
                name(place)?.withUnsafeBufferPointer { $0.hasSameBytes(as: language) } ?? false
            }
        }
        for place in known..<count {
            if let name = name(place) { places[name] = place }
        }
        known = count
        return places[Array(language)]
    }

    mutating func removeAll() {
        places.removeAll()
        known = 0
    }
}
