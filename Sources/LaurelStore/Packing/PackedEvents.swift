// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Events on their way into blocks, in some 30 bytes each.
///
/// The rows of an ``EventTable`` take four times as much, in columns that lie far apart; here what belongs to an event lies
/// together, and what neighbours have in common is there once. Beside its time, each event has a record:
///
///     place in ``contexts``, shape (varints)
///     id           by the context's style: 16 bytes of a UUID; length and bytes of another whole id; else its number
///     values       as the shape says: booleans a byte, doubles eight, integers in zigzag and indexes of texts as varints
final class PackedEvents: Sendable {
    /// What an event has in common with others of its session.
    struct Context: BitwiseCopyable, Equatable {
        var source: UInt32
        /// Of the id; 0 where it is kept whole.
        var prefix: UInt32
        /// ``EventIdentifier/style``, or ``BlockFormat/uuidStyle``.
        var style: UInt8
        var flags: UInt8
        var offset: Int16
        var language: UInt32
        var session: UInt32
        var timezone: UInt32
        var extensions: UInt32
    }

    let dictionary: PackingDictionary
    /// As those of ``EventTable``.
    let milliseconds: [Int64]
    let contexts: [Context]
    /// Where each event's record begins.
    let starts: [UInt32]
    let bytes: [UInt8]
    /// How long the texts of all values and extensions are, those that are alike counted again.
    let textBytes: Int

    var count: Int { milliseconds.count }

    /// How much memory it takes without the dictionary, about.
    var byteCount: Int {
        count * (MemoryLayout<Int64>.stride + MemoryLayout<UInt32>.stride) + bytes.count
            + contexts.count * MemoryLayout<Context>.stride
    }

    /// - Parameter rows: in the order wanted.
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

    /// A row's context, and a cursor at its shape.
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
