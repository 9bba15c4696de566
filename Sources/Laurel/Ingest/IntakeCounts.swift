// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Counts stored events by source and type. Use it from one thread at a time.
package final class IntakeCounts: @unchecked Sendable {
    /// The source and the type of an event.
    package struct Kind: Hashable, Sendable {
        package var source: String
        package var type: String
    }

    /// The number of events of each kind.
    package private(set) var events: [Kind: Int] = [:]

    package init() {}

    /// Counts some rows of a table.
    func count(_ rows: some Sequence<Int>, of table: EventTable) {
        var counts: [UInt64: Int] = [:]
        for row in rows { counts[UInt64(table.source[row]) << 32 | UInt64(table.type[row]), default: 0] += 1 }
        for (key, count) in counts {
            let (source, type) = (UInt32(truncatingIfNeeded: key >> 32), UInt32(truncatingIfNeeded: key))
            let kind = Kind(source: table.texts.string(source), type: table.types.string(type))
            events[kind, default: 0] += count
        }
    }
}
