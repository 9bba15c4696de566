// SPDX-License-Identifier: Apache-2.0

/// A waiting event: its number, and the position of its JSON.
struct Entry {
    var number: UInt64
    var segment: Int
    var offset: Int
    var length: Int
}

/// Waiting events, ascending by number.
struct EntryQueue {
    private var entries: [Entry]
    private var start = 0
    /// The size of the events' JSON, in bytes.
    private(set) var bytes: Int

    init(_ entries: [Entry] = []) {
        self.entries = entries
        bytes = entries.reduce(0) { $0 + $1.length }
    }

    var count: Int { entries.count - start }
    var all: ArraySlice<Entry> { entries[start...] }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        bytes += entry.length
    }

    /// Removes entries.
    /// - Parameters:
    ///   - count: the number of entries to remove.
    ///   - skipped: the number of entries at the front that are not removed.
    /// - Complexity: O(count) at the front, amortised over the entries; O(waiting) if entries are skipped.
    mutating func remove(_ count: Int, behind skipped: Int = 0) -> [Entry] {
        let removed = Array(all.dropFirst(skipped).prefix(count))
        bytes -= removed.reduce(0) { $0 + $1.length }
        if skipped > 0 {
            entries.removeSubrange(start + skipped..<start + skipped + removed.count)
        } else {
            start += removed.count
            if start > entries.count / 2 {
                entries.removeFirst(start)
                start = 0
            }
        }
        return removed
    }

    /// Sets the new positions of the events' JSON, in the order of the events.
    mutating func relocate(_ locations: [Entry]) { self = EntryQueue(locations) }
}
