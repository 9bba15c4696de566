internal import LaurelEvents

/// Copies rows of other tables into one. Texts are looked up once per table they come from.
struct RowCopier {
    private(set) var table = EventTable()
    private var texts: [UInt32] = []
    private var types: [UInt32] = []
    private var fields: [UInt32] = []

    init(_ table: EventTable = EventTable()) { self.table = table }

    /// Says that the rows to come are of another table.
    mutating func begin(_ other: EventTable) {
        texts = Array(repeating: 0, count: other.texts.count)
        types = Array(repeating: 0, count: other.types.count)
        fields = Array(repeating: 0, count: other.fields.count)
    }

    /// Appends a row of the table last begun.
    mutating func append(_ row: Int, of other: EventTable) {
        for value in other.values(of: row) {
            var copy = value
            copy.field = field(value.field, other)
            if ValueColumn.isText(value.kind) {
                copy.payload = UInt64(text(UInt32(truncatingIfNeeded: value.payload), other))
            }
            table.append(value: copy)
        }
        var identifier = other.identifiers[row]
        identifier.prefix = text(identifier.prefix, other)
        var copy = EventTable.Row(
            milliseconds: other.milliseconds[row], offset: other.offsets[row], flags: other.flags[row],
            type: type(other.type[row], other), subject: text(other.subject[row], other),
            source: text(other.source[row], other), identifier: identifier)
        copy.language = text(other.language[row], other)
        copy.session = text(other.session[row], other)
        copy.timezone = text(other.timezone[row], other)
        copy.extensions = text(other.extensions[row], other)
        table.append(copy)
    }

    private mutating func text(_ index: UInt32, _ other: EventTable) -> UInt32 {
        guard index != 0 else { return 0 }
        if texts[Int(index)] == 0 {
            texts[Int(index)] = other.texts.bytes.withUnsafeBufferPointer {
                table.intern(text: UnsafeBufferPointer(rebasing: $0[other.texts.range(index)]))
            }
        }
        return texts[Int(index)]
    }

    private mutating func type(_ index: UInt32, _ other: EventTable) -> UInt32 {
        if types[Int(index)] == 0 {
            types[Int(index)] = Array(other.types[index]).withUnsafeBufferPointer { table.intern(type: $0) }
        }
        return types[Int(index)]
    }

    private mutating func field(_ index: UInt32, _ other: EventTable) -> UInt32 {
        if fields[Int(index)] == 0 {
            fields[Int(index)] = Array(other.fields[index]).withUnsafeBufferPointer { table.intern(field: $0) }
        }
        return fields[Int(index)]
    }
}
