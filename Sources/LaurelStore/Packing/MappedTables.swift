// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The texts and names of several tables, each stored once.
final class CommonTexts {
    var texts = TextTable()
    var types = TextTable()
    var fields = TextTable()
}

/// Maps the texts and names of several tables to common indexes, and caches each mapping.
final class MappedTables {
    /// A table as plain pointers. For each text, type and field of the table, it has the common index; 0 if the common
    /// index is not known yet.
    struct Source: BitwiseCopyable {
        let columns: EventColumns
        let flags: UnsafePointer<UInt8>
        let subject: UnsafePointer<UInt32>
        let source: UnsafePointer<UInt32>
        let extensions: UnsafePointer<UInt32>
        let identifiers: UnsafePointer<EventIdentifier>
        fileprivate let texts: UnsafeMutablePointer<UInt32>
        fileprivate let types: UnsafeMutablePointer<UInt32>
        fileprivate let fields: UnsafeMutablePointer<UInt32>
    }

    let common: CommonTexts
    private let tables: [EventTable]
    private(set) var sources: [Source] = []
    private var owned: [UnsafeMutablePointer<UInt32>] = []

    init(_ tables: [EventTable], common: CommonTexts) {
        self.tables = tables
        self.common = common
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

    @inline(__always)
    func text(_ index: UInt32, of source: Source) -> UInt32 {
        guard index != 0 else { return 0 }
        let mapped = source.texts[Int(index)]
        return mapped != 0 ? mapped : newText(index, of: source)
    }

    /// The common index of a type. In `source.types`, 0 means that the common index is not known yet.
    @inline(__always)
    func type(_ index: UInt32, of source: Source, _ position: Int) -> UInt32 {
        let mapped = source.types[Int(index)]
        return mapped != 0 ? mapped : newType(index, of: source, position)
    }

    @inline(__always)
    func field(_ index: UInt32, of source: Source, _ position: Int) -> UInt32 {
        let mapped = source.fields[Int(index)]
        return mapped != 0 ? mapped : newField(index, of: source, position)
    }

    @inline(never)
    private func newText(_ index: UInt32, of source: Source) -> UInt32 {
        let new = common.texts.intern(source.columns.text(index))
        source.texts[Int(index)] = new
        return new
    }

    @inline(never)
    private func newType(_ index: UInt32, of source: Source, _ position: Int) -> UInt32 {
        let new = common.types.intern(tables[position].types[index])
        source.types[Int(index)] = new
        return new
    }

    @inline(never)
    private func newField(_ index: UInt32, of source: Source, _ position: Int) -> UInt32 {
        let new = common.fields.intern(tables[position].fields[index])
        source.fields[Int(index)] = new
        return new
    }
}

extension EventTable {
    /// The columns. They are valid while the table is retained and unchanged.
    fileprivate var columnsWhileAlive: EventColumns { withColumns { $0 } }
}
