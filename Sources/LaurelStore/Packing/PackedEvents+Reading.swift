// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Reads single events before they are in blocks. Each event is unpacked into a table, which is slow.
extension PackedEvents: OrderedEvents {
    func isBefore(_ row: Int, _ other: PackedEvents, _ otherRow: Int) -> Bool {
        table(row..<row + 1).isBefore(0, other.table(otherRow..<otherRow + 1), 0)
    }

    /// The length of all texts in a row's values and extensions, in bytes.
    func textBytes(of row: Int) -> Int {
        let event = table(CollectionOfOne(row))
        let texts = event.values.filter { ValueColumn.isText($0.kind) }.map { UInt32(truncatingIfNeeded: $0.payload) }
        return (texts + event.extensions).reduce(0) { $0 + event.texts.range($1).count }
    }

    /// Some rows as a separate table, without the learner.
    func table(_ rows: some Sequence<Int>) -> EventTable {
        var unpacker = EventUnpacker(dictionary, isForMany: false)
        for row in rows { unpacker.append(row, of: self, subject: 0) }
        return unpacker.table
    }
}
