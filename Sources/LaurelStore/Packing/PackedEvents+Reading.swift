// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Reads single events before they are in blocks. Each is unpacked into a table, which is slow.
extension PackedEvents: OrderedEvents {
    /// An event whose texts and names are indexes of the dictionary.
    private struct Unpacked {
        var context: Context
        var type: UInt32
        /// The number in the id; 0 for an id that is kept whole.
        var number: UInt64 = 0
        var wholeID: [UInt8] = []
        var values: [EventValue] = []
    }

    func isBefore(_ row: Int, _ other: PackedEvents, _ otherRow: Int) -> Bool {
        table(row..<row + 1).isBefore(0, other.table(otherRow..<otherRow + 1), 0)
    }

    /// The length of all texts in a row's values and extensions, in bytes.
    func textBytes(of row: Int) -> Int {
        let event = unpack(row)
        let texts = event.values.filter { ValueColumn.isText($0.kind) }.map { UInt32(truncatingIfNeeded: $0.payload) }
        return (texts + [event.context.extensions]).reduce(0) { $0 + dictionary.texts.range($1).count }
    }

    /// Some rows as a table of their own. It does not hold the learner.
    func table(_ rows: some Sequence<Int>) -> EventTable {
        var table = EventTable()
        for row in rows { append(unpack(row), milliseconds[row], to: &table) }
        return table
    }

    private func unpack(_ row: Int) -> Unpacked {
        var (context, cursor) = record(row)
        let shape = dictionary.shapes[Int(cursor.varint())]
        var event = Unpacked(context: context, type: shape.type)
        switch context.style {
        case BlockFormat.uuidStyle:
            event.wholeID = CanonicalUUID.text(cursor.word(), cursor.word())
            context.style = EventIdentifier.whole
            event.context = context
        case EventIdentifier.whole: event.wholeID = Array(cursor.text(count: Int(cursor.varint())))
        default: event.number = cursor.varint()
        }
        for member in dictionary.members[shape.first..<shape.end] {
            let (kind, payload) = cursor.value(member.kind)
            event.values.append(EventValue(field: member.field, kind: kind, payload: payload))
        }
        return event
    }

    private func append(_ event: Unpacked, _ milliseconds: Int64, to table: inout EventTable) {
        func text(_ index: UInt32) -> UInt32 {
            index == 0 ? 0 : dictionary.texts.withTexts { table.intern(text: $0(index)) }
        }
        for value in event.values {
            var copy = value
            copy.field = dictionary.common.fields.withTexts { table.intern(field: $0(value.field)) }
            if ValueColumn.isText(value.kind) { copy.payload = UInt64(text(UInt32(truncatingIfNeeded: value.payload))) }
            table.append(value: copy)
        }
        let context = event.context
        let isWhole = context.style == EventIdentifier.whole
        let wholeID = event.wholeID.withUnsafeBufferPointer { $0.isEmpty ? 0 : table.append(text: $0) }
        var row = EventTable.Row(
            milliseconds: milliseconds,
            offset: context.offset,
            flags: context.flags,
            type: dictionary.common.types.withTexts { table.intern(type: $0(event.type)) },
            subject: 0,
            source: text(context.source),
            identifier: EventIdentifier(
                prefix: isWhole ? wholeID : text(context.prefix),
                number: event.number,
                style: context.style
            )
        )
        row.language = text(context.language)
        row.session = text(context.session)
        row.timezone = text(context.timezone)
        row.extensions = text(context.extensions)
        table.append(row)
    }
}
