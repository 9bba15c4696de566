// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// How much of what only odd events have a block takes; events with more in all are written as several blocks.
///
/// An event alone always has room: its data, of 64 KiB at most, cannot hold as many values.
enum BlockRoom {
    /// Less than ``BlockFormat/largestValueCount``, which would take a gibibyte to read.
    private static let values = 1 << 22
    /// Different fields: less than ``BlockFormat/largestNameCount``, for each is a column, whoever is read.
    private static let names = 1 << 14

    /// - Parameter events: all with one dictionary.
    /// - Complexity: O(1) unless the dictionary holds a shape, or names, of unusual number.
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
