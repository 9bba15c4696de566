// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Counts the stored events of one request by source and type. Used by one thread at a time: the one that stores, and then the
/// one that is told what came of it.
package final class IntakeTally: @unchecked Sendable {
    /// What the events of a device are.
    package struct Kind: Hashable, Sendable {
        package var source: String
        package var type: String
    }

    private var counts: [UInt64: Int] = [:]
    private var kinds: [UInt64: Kind] = [:]

    package init() {}

    /// By source and type.
    package var events: [(kind: Kind, count: Int)] {
        counts.compactMap { key, count in kinds[key].map { ($0, count) } }
    }

    func count(_ row: Int, of table: EventTable) {
        let key = UInt64(table.source[row]) << 32 | UInt64(table.type[row])
        counts[key, default: 0] += 1
        if kinds[key] == nil {
            kinds[key] = Kind(
                source: table.texts.string(table.source[row]),
                type: table.types.string(table.type[row])
            )
        }
    }
}
