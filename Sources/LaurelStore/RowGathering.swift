package import LaurelEvents

/// A row of one of several tables.
package struct TableRow: BitwiseCopyable, Sendable {
    /// The table's place among them.
    package var table: Int32
    package var row: Int32

    package init(table: Int32, row: Int32) {
        self.table = table
        self.row = row
    }
}

extension EventTable {
    /// Some rows of some tables as one table, in the order given.
    /// - Complexity: O(rows and their values), and the number of different texts in all the tables.
    package init(gathering rows: [TableRow], of tables: [EventTable]) {
        let gatherer = RowGatherer(tables)
        self = withExtendedLifetime(tables) { gatherer.table(of: rows) }
    }

    /// Some rows of a table as one of their own, in the order given.
    package init(gathering rows: [Int], of table: EventTable) {
        self.init(gathering: rows.map { TableRow(table: 0, row: Int32($0)) }, of: [table])
    }
}

/// Copies column by column: each loop reads one column of the sources, and what was looked up of a source's texts once is
/// remembered.
private final class RowGatherer {
    /// A table as plain pointers, and the new indexes of its texts, types and fields: 0 where not yet known.
    private struct Source: BitwiseCopyable {
        let columns: EventColumns
        let flags: UnsafePointer<UInt8>
        let subject: UnsafePointer<UInt32>
        let source: UnsafePointer<UInt32>
        let extensions: UnsafePointer<UInt32>
        let identifiers: UnsafePointer<EventIdentifier>
        let texts: UnsafeMutablePointer<UInt32>
        let types: UnsafeMutablePointer<UInt32>
        let fields: UnsafeMutablePointer<UInt32>
    }

    private let tables: [EventTable]
    private var sources: [Source] = []
    private var owned: [UnsafeMutablePointer<UInt32>] = []
    private var texts = TextTable()
    private var types = TextTable()
    private var fields = TextTable()

    init(_ tables: [EventTable]) {
        self.tables = tables
        for table in tables {
            sources.append(
                Source(
                    columns: table.columnsWhileAlive,
                    flags: table.flags.addressWhileAlive,
                    subject: table.subject.addressWhileAlive,
                    source: table.source.addressWhileAlive,
                    extensions: table.extensions.addressWhileAlive,
                    identifiers: table.identifiers.addressWhileAlive,
                    texts: zeros(table.texts.count),
                    types: zeros(table.types.count),
                    fields: zeros(table.fields.count)
                )
            )
        }
    }

    deinit { for memory in owned { memory.deallocate() } }

    private func zeros(_ count: Int) -> UnsafeMutablePointer<UInt32> {
        let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
        memory.initialize(repeating: 0, count: count)
        owned.append(memory)
        return memory
    }

    func table(of rows: [TableRow]) -> EventTable {
        let type = column(rows) { self.type($0.columns.type[$1], of: $0, $2) }
        let subject = column(rows) { self.text($0.subject[$1], of: $0) }
        let source = column(rows) { self.text($0.source[$1], of: $0) }
        let language = column(rows) { self.text($0.columns.language[$1], of: $0) }
        let session = column(rows) { self.text($0.columns.session[$1], of: $0) }
        let timezone = column(rows) { self.text($0.columns.timezone[$1], of: $0) }
        let extensions = column(rows) { self.text($0.extensions[$1], of: $0) }
        let identifiers = column(rows) { source, row in
            var identifier = source.identifiers[row]
            identifier.prefix = self.text(identifier.prefix, of: source)
            return identifier
        }
        let starts = valueStarts(rows)
        let values = values(rows, count: Int(starts[rows.count]))
        return EventTable(
            texts: texts,
            types: types,
            fields: fields,
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
        sources.withUnsafeBufferPointer { sources in
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
            let from = sources[Int(row.table)].columns.valueStarts + Int(row.row)
            end += from[1] - from[0]
            starts.append(end)
        }
        return starts
    }

    private func values(_ rows: [TableRow], count: Int) -> [EventValue] {
        [EventValue](unsafeUninitializedCapacity: count) { output, filled in
            for row in rows {
                let source = sources[Int(row.table)]
                let starts = source.columns.valueStarts + Int(row.row)
                for index in Int(starts[0])..<Int(starts[1]) {
                    var value = source.columns.values[index]
                    value.field = self.field(value.field, of: source, Int(row.table))
                    if ValueColumn.isText(value.kind) {
                        value.payload = UInt64(text(UInt32(truncatingIfNeeded: value.payload), of: source))
                    }
                    output.initializeElement(at: filled, to: value)
                    filled += 1
                }
            }
        }
    }

    // MARK: New indexes

    @inline(__always)
    private func text(_ index: UInt32, of source: Source) -> UInt32 {
        guard index != 0 else { return 0 }
        let known = source.texts[Int(index)]
        if known != 0 { return known }
        let new = texts.intern(source.columns.text(index))
        source.texts[Int(index)] = new
        return new
    }

    /// No name of a type or field has index 0.
    @inline(__always)
    private func type(_ index: UInt32, of source: Source, _ place: Int) -> UInt32 {
        if source.types[Int(index)] == 0 {
            source.types[Int(index)] = types.intern(tables[place].types[index])
        }
        return source.types[Int(index)]
    }

    @inline(__always)
    private func field(_ index: UInt32, of source: Source, _ place: Int) -> UInt32 {
        if source.fields[Int(index)] == 0 {
            source.fields[Int(index)] = fields.intern(tables[place].fields[index])
        }
        return source.fields[Int(index)]
    }
}

extension Array {
    /// Where its elements are, for as long as it is kept and not changed.
    fileprivate var addressWhileAlive: UnsafePointer<Element> {
        withUnsafeBufferPointer { $0.baseAddress ?? UnsafePointer(bitPattern: MemoryLayout<Element>.alignment)! }
    }
}

extension EventTable {
    /// Its columns, for as long as it is kept and not changed.
    fileprivate var columnsWhileAlive: EventColumns { withColumns { $0 } }
}
