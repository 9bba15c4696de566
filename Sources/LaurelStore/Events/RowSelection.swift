// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// A row in one of several tables.
package struct TableRow: BitwiseCopyable, Sendable {
    /// The table's index among the tables.
    package var table: Int32
    package var row: Int32

    package init(table: Int32, row: Int32) {
        self.table = table
        self.row = row
    }
}

extension EventTable {
    /// Creates one table from rows of several tables, in the given order.
    /// - Complexity: O(rows and their values), and O(different texts of all tables).
    package init(gathering rows: [TableRow], of tables: [EventTable]) {
        let gatherer = RowSelection(tables)
        self = withExtendedLifetime(gatherer) { gatherer.table(of: rows) }
    }

    /// Creates a table from some rows of another table, in the given order.
    package init(gathering rows: [Int], of table: EventTable) {
        self.init(gathering: rows.map { TableRow(table: 0, row: Int32($0)) }, of: [table])
    }
}

/// Copies rows column by column, so that each loop reads one column of the sources.
private struct RowSelection {
    private typealias Source = MappedTables.Source

    private let mapped: MappedTables

    init(_ tables: [EventTable]) { mapped = MappedTables(tables, common: CommonTexts()) }

    func table(of rows: [TableRow]) -> EventTable {
        let type = column(rows) { mapped.type($0.columns.type[$1], of: $0, $2) }
        let subject = column(rows) { mapped.text($0.subject[$1], of: $0) }
        let source = column(rows) { mapped.text($0.source[$1], of: $0) }
        let language = column(rows) { mapped.text($0.columns.language[$1], of: $0) }
        let session = column(rows) { mapped.text($0.columns.session[$1], of: $0) }
        let timezone = column(rows) { mapped.text($0.columns.timezone[$1], of: $0) }
        let extensions = column(rows) { mapped.text($0.extensions[$1], of: $0) }
        let identifiers = column(rows) { source, row in
            var identifier = source.identifiers[row]
            identifier.prefix = mapped.text(identifier.prefix, of: source)
            return identifier
        }
        let starts = valueStarts(rows)
        let values = values(rows, count: Int(starts[rows.count]))
        return EventTable(
            texts: mapped.common.texts,
            types: mapped.common.types,
            fields: mapped.common.fields,
            milliseconds: column(rows) { $0.columns.milliseconds[$1] },
            offsets: column(rows) { $0.columns.offsets[$1] },
            flags: column(rows) { $0.flags[$1] },
            type: type,
            subject: subject,
            source: source,
            language: language,
            session: session,
            timezone: timezone,
            extensions: extensions,
            identifiers: identifiers,
            valueStarts: starts,
            values: values
        )
    }

    @inline(__always)
    private func column<Element>(_ rows: [TableRow], _ element: (Source, Int) -> Element) -> [Element] {
        column(rows) { source, row, _ in element(source, row) }
    }

    @inline(__always)
    private func column<Element>(_ rows: [TableRow], _ element: (Source, Int, Int) -> Element) -> [Element] {
        mapped.sources.withUnsafeBufferPointer { sources in
            [Element](unsafeUninitializedCapacity: rows.count) { output, count in
                for row in rows {
                    let value = element(sources[Int(row.table)], Int(row.row), Int(row.table))
                    output.initializeElement(at: count, to: value)
                    count += 1
                }
            }
        }
    }

    private func valueStarts(_ rows: [TableRow]) -> [UInt32] {
        var starts: [UInt32] = [0]
        starts.reserveCapacity(rows.count + 1)
        var end: UInt32 = 0
        for row in rows {
            let from = mapped.sources[Int(row.table)].columns.valueStarts + Int(row.row)
            end += from[1] - from[0]
            starts.append(end)
        }
        return starts
    }

    private func values(_ rows: [TableRow], count: Int) -> [EventValue] {
        [EventValue](unsafeUninitializedCapacity: count) { output, filled in
            for row in rows {
                let source = mapped.sources[Int(row.table)]
                let starts = source.columns.valueStarts + Int(row.row)
                for index in Int(starts[0])..<Int(starts[1]) {
                    var value = source.columns.values[index]
                    value.field = mapped.field(value.field, of: source, Int(row.table))
                    if ValueColumn.isText(value.kind) {
                        value.payload = UInt64(mapped.text(UInt32(truncatingIfNeeded: value.payload), of: source))
                    }
                    output.initializeElement(at: filled, to: value)
                    filled += 1
                }
            }
        }
    }
}
