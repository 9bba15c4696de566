// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Where languages stand in a list that grows at its end: looked through while it is short, found by their hashes once it
/// is long.
struct TrackLookup {
    /// Of the first ``known`` of a long list.
    private var places: [[UInt8]: Int] = [:]
    private var known = 0
    private static let short = 16

    /// - Parameter name: of the language at a place of the list; nil if none stands there.
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
