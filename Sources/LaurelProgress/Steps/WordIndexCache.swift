// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelSystem

/// A cache of the indexes of words in vocabularies. The key is the index of the word's text in a table. A learner
/// reviews the same words repeatedly, and without the cache each search takes a hash and a comparison.
struct WordIndexCache: ~Copyable {
    private struct Entry {
        /// Identifies the table and the vocabulary; 0 for an empty entry.
        var key: UInt64
        var index: Int
    }

    private var entries: UnsafeMutablePointer<Entry>?
    private var capacity = 0

    deinit { free(entries) }

    /// Allocates entries for a table with `texts` texts. Entries of previous tables stay, but their keys no longer
    /// match.
    mutating func reserve(_ texts: Int) {
        guard texts > capacity else { return }
        free(entries)
        capacity = texts
        // The system zeroes the memory of `calloc` page by page on first use, which is faster for a large table.
        entries = calloc(texts, MemoryLayout<Entry>.stride)?.assumingMemoryBound(to: Entry.self)
    }

    /// The index of the word with a text. If the index is not cached, `find` is called to find it.
    @inline(__always)
    func index(ofText text: UInt32, _ key: UInt64, find: () -> Int) -> Int {
        guard let entries else { return find() }
        let entry = entries + Int(text)
        if entry.pointee.key != key { entry.initialize(to: Entry(key: key, index: find())) }
        return entry.pointee.index
    }
}
