// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelSystem

/// A cache of the indexes of words in vocabularies, by the indexes of their texts in a table. A learner reviews the
/// same words repeatedly, and finding a word by name takes a hash and a comparison.
struct WordPlaces: ~Copyable {
    private struct Entry {
        /// Identifies the table and the vocabulary; 0 if nothing is known.
        var key: UInt64
        var place: Int
    }

    private var entries: UnsafeMutablePointer<Entry>?
    private var capacity = 0

    deinit { free(entries) }

    /// Makes room for a table's texts. Entries of other tables have other keys.
    mutating func reserve(_ texts: Int) {
        guard texts > capacity else { return }
        free(entries)
        capacity = texts
        // `calloc`, because the system zeroes large memory page by page on first use.
        entries = calloc(texts, MemoryLayout<Entry>.stride)?.assumingMemoryBound(to: Entry.self)
    }

    /// The index of the word with a text, found with `find` if it is not cached.
    @inline(__always)
    func place(ofText text: UInt32, _ key: UInt64, find: () -> Int) -> Int {
        guard let entries else { return find() }
        let entry = entries + Int(text)
        if entry.pointee.key != key { entry.initialize(to: Entry(key: key, place: find())) }
        return entry.pointee.place
    }
}
