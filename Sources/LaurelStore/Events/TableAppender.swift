// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Copies rows of other tables into one table. The results of look-ups are cached for later rows of the same table. Use
/// it from one thread at a time.
package final class TableAppender {
    /// For each text, type and field of another table, its index in the table that rows are copied into; 0 if the index
    /// is not known yet.
    private struct Indexes {
        var texts: [UInt32] = []
        var types: [UInt32] = []
        var fields: [UInt32] = []

        init() {}

        init(_ table: EventTable) {
            texts = Array(repeating: 0, count: table.texts.count)
            types = Array(repeating: 0, count: table.types.count)
            fields = Array(repeating: 0, count: table.fields.count)
        }
    }

    @exclusivity(unchecked) package private(set) var table: EventTable
    @exclusivity(unchecked) private var current = Indexes()

    package init(_ table: EventTable = EventTable()) { self.table = table }

    /// Prepares for rows of another table.
    package func begin(_ other: EventTable) { current = Indexes(other) }

    /// Appends a row of the table passed to ``begin(_:)``.
    package func append(_ row: Int, of other: EventTable) {
        for value in other.values(of: row) {
            var copy = value
            copy.field = field(value.field, other)
            if ValueColumn.isText(value.kind) {
                copy.payload = UInt64(text(UInt32(truncatingIfNeeded: value.payload), other))
            }
            table.append(value: copy)
        }
        var identifier = other.identifiers[row]
        identifier.prefix =
            identifier.style == EventIdentifier.whole
            ? appended(identifier.prefix, other) : text(identifier.prefix, other)
        var copy = EventTable.Row(
            milliseconds: other.milliseconds[row],
            offset: other.offsets[row],
            flags: other.flags[row],
            type: type(other.type[row], other),
            subject: text(other.subject[row], other),
            source: text(other.source[row], other),
            identifier: identifier
        )
        copy.language = text(other.language[row], other)
        copy.session = text(other.session[row], other)
        copy.timezone = text(other.timezone[row], other)
        copy.extensions = text(other.extensions[row], other)
        table.append(copy)
    }

    /// Replaces subjects of the rows appended so far.
    /// - Parameter names: for each subject to replace, the new subject.
    package func renameSubjects(_ names: [[UInt8]: [UInt8]]) { table.renameSubjects(names) }

    private func text(_ index: UInt32, _ other: EventTable) -> UInt32 {
        guard index != 0 else { return 0 }
        let mapped = current.texts[Int(index)]
        if mapped != 0 { return mapped }
        let new = other.texts.bytes.withUnsafeBufferPointer {
            table.intern(text: UnsafeBufferPointer(rebasing: $0[other.texts.range(index)]))
        }
        current.texts[Int(index)] = new
        return new
    }

    /// The same as ``text(_:_:)``, for a text that occurs only once, such as a whole id.
    private func appended(_ index: UInt32, _ other: EventTable) -> UInt32 {
        guard index != 0 else { return 0 }
        return other.texts.bytes.withUnsafeBufferPointer {
            table.append(text: UnsafeBufferPointer(rebasing: $0[other.texts.range(index)]))
        }
    }

    private func type(_ index: UInt32, _ other: EventTable) -> UInt32 {
        if current.types[Int(index)] == 0 {
            current.types[Int(index)] = Array(other.types[index]).withUnsafeBufferPointer { table.intern(type: $0) }
        }
        return current.types[Int(index)]
    }

    private func field(_ index: UInt32, _ other: EventTable) -> UInt32 {
        if current.fields[Int(index)] == 0 {
            current.fields[Int(index)] = Array(other.fields[index]).withUnsafeBufferPointer { table.intern(field: $0) }
        }
        return current.fields[Int(index)]
    }
}
