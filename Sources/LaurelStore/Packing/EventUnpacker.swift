// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Unpacks rows of packed events that share a dictionary into one table.
struct EventUnpacker {
    private(set) var table = EventTable()
    private let dictionary: PackingDictionary
    private let shapes: [PackingDictionary.Shape]
    private let members: [PackingDictionary.Member]
    /// For each text, type and field of the dictionary, its index in the table; 0 if the index is not known yet. The
    /// arrays are empty if few rows are unpacked, because looking up each text is faster then.
    private var texts: [UInt32] = []
    private var types: [UInt32] = []
    private var fields: [UInt32] = []

    /// - Parameter isForMany: true if many rows will be unpacked.
    init(_ dictionary: PackingDictionary, isForMany: Bool) {
        self.dictionary = dictionary
        (shapes, members) = (dictionary.shapes, dictionary.members)
        guard isForMany else { return }
        texts = Array(repeating: 0, count: dictionary.common.texts.count)
        types = Array(repeating: 0, count: dictionary.common.types.count)
        fields = Array(repeating: 0, count: dictionary.common.fields.count)
    }

    mutating func reserve(events: Int) { table.reserve(events: events, values: events * 4) }

    /// The index of a subject, for ``append(_:of:subject:)``.
    mutating func subject(_ subject: [UInt8]) -> UInt32 { subject.withUnsafeBufferPointer { table.intern(text: $0) } }

    /// Unpacks a row and appends it to the table.
    /// - Parameter subject: the index of the learner's subject in the table; 0 if the subject is not needed.
    mutating func append(_ row: Int, of events: PackedEvents, subject: UInt32) {
        var (context, cursor) = events.record(row)
        let shape = shapes[Int(cursor.varint())]
        var row = EventTable.Row(
            milliseconds: events.milliseconds[row],
            offset: context.offset,
            flags: context.flags,
            type: type(shape.type),
            subject: subject,
            source: text(context.source),
            identifier: identifier(context, &cursor)
        )
        row.language = text(context.language)
        row.session = text(context.session)
        row.timezone = text(context.timezone)
        row.extensions = text(context.extensions)
        for member in members[shape.first..<shape.end] {
            let (kind, payload) = cursor.value(member.kind)
            let isText = ValueColumn.isText(kind)
            table.append(
                value: EventValue(
                    field: field(member.field),
                    kind: kind,
                    payload: isText ? UInt64(text(UInt32(truncatingIfNeeded: payload))) : payload
                )
            )
        }
        table.append(row)
    }

    private mutating func identifier(_ context: PackedEvents.Context, _ cursor: inout PackedCursor) -> EventIdentifier {
        switch context.style {
        case BlockFormat.uuidStyle:
            let id = CanonicalUUID.text(cursor.word(), cursor.word())
            return EventIdentifier(prefix: id.withUnsafeBufferPointer { table.append(text: $0) })
        case EventIdentifier.whole:
            let id = cursor.text(count: Int(cursor.varint()))
            return EventIdentifier(prefix: id.isEmpty ? 0 : table.append(text: id))
        default:
            return EventIdentifier(prefix: text(context.prefix), number: cursor.varint(), style: context.style)
        }
    }

    private mutating func text(_ index: UInt32) -> UInt32 {
        guard index != 0 else { return 0 }
        guard !texts.isEmpty else { return newText(index) }
        if texts[Int(index)] == 0 { texts[Int(index)] = newText(index) }
        return texts[Int(index)]
    }

    private mutating func type(_ index: UInt32) -> UInt32 {
        guard !types.isEmpty else { return newType(index) }
        if types[Int(index)] == 0 { types[Int(index)] = newType(index) }
        return types[Int(index)]
    }

    private mutating func field(_ index: UInt32) -> UInt32 {
        guard !fields.isEmpty else { return newField(index) }
        if fields[Int(index)] == 0 { fields[Int(index)] = newField(index) }
        return fields[Int(index)]
    }

    private mutating func newText(_ index: UInt32) -> UInt32 {
        dictionary.common.texts.withTexts { table.intern(text: $0(index)) }
    }

    private mutating func newType(_ index: UInt32) -> UInt32 {
        dictionary.common.types.withTexts { table.intern(type: $0(index)) }
    }

    private mutating func newField(_ index: UInt32) -> UInt32 {
        dictionary.common.fields.withTexts { table.intern(field: $0(index)) }
    }
}
