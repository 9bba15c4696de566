// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The maximum numbers of values and fields in one block. More events are split into several blocks.
///
/// A single event always fits, since its data of at most 64 KiB has fewer values.
enum BlockLimits {
    /// The maximum number of values. Reading a block with ``BlockFormat/largestValueCount`` values would take a
    /// gibibyte.
    private static let values = 1 << 22
    /// The largest number of fields, below ``BlockFormat/largestNameCount``. Each field is a column, which every reader
    /// must skip or read.
    private static let names = 1 << 14

    /// True if the events fit into one block.
    /// - Parameter events: events that share one dictionary.
    /// - Complexity: O(1), unless an event has very many values, or the dictionary has very many fields.
    static func isEnough(for rows: [TableRow], of events: [PackedEvents]) -> Bool {
        let dictionary = events[0].dictionary
        if dictionary.widest * rows.count <= values, dictionary.common.fields.count <= names { return true }
        var (shapes, count) = (Set<Int>(), 0)
        for row in rows {
            let shape = events[Int(row.table)].shape(of: Int(row.row))
            shapes.insert(shape)
            count += dictionary.shapes[shape].count
        }
        guard count <= values else { return false }
        var fields: Set<UInt32> = []
        for shape in shapes {
            let range = dictionary.shapes[shape]
            for member in dictionary.members[range.first..<range.end] { fields.insert(member.field) }
        }
        return fields.count <= names
    }
}
