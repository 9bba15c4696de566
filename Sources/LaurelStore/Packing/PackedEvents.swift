// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// New events that wait in memory until they are written to blocks. They are packed to about 30 bytes each.
///
/// Rows of an ``EventTable`` take about four times as much, in columns that are far apart in memory. Here the data of
/// an event are contiguous, and data that neighbouring events share are stored once. Each event has a time, and a
/// record:
///
///     index in ``contexts``, shape (varints)
///     id           by the context's style: 16 bytes of a UUID; length and bytes of another whole id; else its number
///     values       by the shape: booleans one byte, doubles eight, integers in zigzag and indexes of texts as varints
final class PackedEvents: Sendable {
    /// The data that an event shares with other events of its session.
    struct Context: BitwiseCopyable, Equatable {
        var source: UInt32
        /// The prefix of the id; 0 for an id that is stored whole.
        var prefix: UInt32
        /// The style of the id: ``EventIdentifier/style``, or ``BlockFormat/uuidStyle``.
        var style: UInt8
        var flags: UInt8
        var offset: Int16
        var language: UInt32
        var session: UInt32
        var timezone: UInt32
        var extensions: UInt32
    }

    let dictionary: PackingDictionary
    /// The times, in milliseconds since 1970, as in ``EventTable``.
    let milliseconds: [Int64]
    let contexts: [Context]
    /// The offset of each event's record in `bytes`.
    let starts: [UInt32]
    let bytes: [UInt8]
    /// The length of all texts in values and extensions, in bytes. A text that occurs repeatedly is counted each time.
    let textBytes: Int

    var count: Int { milliseconds.count }

    /// The approximate memory of the events in bytes, without the dictionary.
    var byteCount: Int {
        count * (MemoryLayout<Int64>.stride + MemoryLayout<UInt32>.stride) + bytes.count
            + contexts.count * MemoryLayout<Context>.stride
    }

    /// Packs rows of some tables.
    /// - Parameter rows: the rows to pack, in order.
    init(_ rows: [TableRow], of tables: [EventTable], dictionary: PackingDictionary) {
        var packer = EventPacker(tables, dictionary, count: rows.count)
        for row in rows { packer.append(row) }
        self.dictionary = dictionary
        milliseconds = packer.milliseconds
        contexts = packer.contexts
        starts = packer.starts
        bytes = Array(packer.records.written)
        textBytes = packer.textBytes
    }

    /// A row's context, and a cursor at the row's shape.
    @inline(__always)
    func record(_ row: Int) -> (context: Context, rest: PackedCursor) {
        var cursor = PackedCursor(bytes.addressWhileAlive + Int(starts[row]))
        return (contexts[Int(cursor.index())], cursor)
    }

    /// The number of a row's shape in the dictionary.
    func shape(of row: Int) -> Int {
        var (_, cursor) = record(row)
        return Int(cursor.varint())
    }
}
