// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Texts and names of several tables, each once.
final class CommonTexts {
    var texts = TextTable()
    var types = TextTable()
    var fields = TextTable()
}

/// Tables whose texts and names are brought into common ones; what was looked up of a table once is remembered.
final class MappedTables {
    /// A table as plain pointers, and the common indexes of its texts, types and fields: 0 where not yet known.
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
        let known = source.texts[Int(index)]
        return known != 0 ? known : newText(index, of: source)
    }

    /// No name of a type or field has index 0.
    @inline(__always)
    func type(_ index: UInt32, of source: Source, _ place: Int) -> UInt32 {
        let known = source.types[Int(index)]
        return known != 0 ? known : newType(index, of: source, place)
    }

    @inline(__always)
    func field(_ index: UInt32, of source: Source, _ place: Int) -> UInt32 {
        let known = source.fields[Int(index)]
        return known != 0 ? known : newField(index, of: source, place)
    }

    @inline(never)
    private func newText(_ index: UInt32, of source: Source) -> UInt32 {
        let new = common.texts.intern(source.columns.text(index))
        source.texts[Int(index)] = new
        return new
    }

    @inline(never)
    private func newType(_ index: UInt32, of source: Source, _ place: Int) -> UInt32 {
        let new = common.types.intern(tables[place].types[index])
        source.types[Int(index)] = new
        return new
    }

    @inline(never)
    private func newField(_ index: UInt32, of source: Source, _ place: Int) -> UInt32 {
        let new = common.fields.intern(tables[place].fields[index])
        source.fields[Int(index)] = new
        return new
    }
}

extension EventTable {
    /// Its columns, for as long as it is kept and not changed.
    fileprivate var columnsWhileAlive: EventColumns { withColumns { $0 } }
}
