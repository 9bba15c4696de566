// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelSystem

/// Where the words of a table stand in vocabularies, remembered by the indexes of their texts: a learner reviews the same
/// words over and over, and finding one by its name costs a hash and a comparison.
struct WordPlaces: ~Copyable {
    private struct Entry {
        /// Tells the table and the vocabulary; 0 where nothing is known.
        var key: UInt64
        var place: Int
    }

    private var entries: UnsafeMutablePointer<Entry>?
    private var capacity = 0

    deinit { free(entries) }

    /// Makes room for a table's texts. What is known of other tables stays told apart by its keys.
    mutating func reserve(_ texts: Int) {
        guard texts > capacity else { return }
        free(entries)
        capacity = texts
        // Zeroed by the system where it is large, page by page as they are used.
        entries = calloc(texts, MemoryLayout<Entry>.stride)?.assumingMemoryBound(to: Entry.self)
    }

    /// The place of the word that a text names, found anew where it is not known.
    @inline(__always)
    func place(ofText text: UInt32, _ key: UInt64, find: () -> Int) -> Int {
        guard let entries else { return find() }
        let entry = entries + Int(text)
        if entry.pointee.key != key { entry.initialize(to: Entry(key: key, place: find())) }
        return entry.pointee.place
    }
}
