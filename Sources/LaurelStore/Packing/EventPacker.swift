// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Packs rows of tables into ``PackedEvents``, one after another.
struct EventPacker: ~Copyable {
    private let mapped: MappedTables
    private let sources: UnsafePointer<MappedTables.Source>
    private let dictionary: PackingDictionary
    private(set) var milliseconds: [Int64] = []
    private(set) var contexts: [PackedEvents.Context] = []
    private(set) var starts: [UInt32] = []
    private(set) var records = PackedWriter()
    private(set) var textBytes = 0
    /// The latest shapes of each event type, at most ``shapesPerType`` per type; see ``PackingDictionary/Shape``.
    private var latest: [RecentShape] = []
    /// The member codes of the shapes in ``latest``.
    private var codes: [UInt32] = []

    private struct RecentShape: BitwiseCopyable {
        /// The shape's number in the dictionary; −1 in an unused element.
        var number = -1
        /// The index of the shape's first member code in `codes`.
        var first = 0
        var count = 0
    }

    /// The number of shapes kept per type. Events of one type usually alternate between a few shapes, which differ in
    /// their optional fields.
    private static let shapesPerType = 4

    /// The maximum number of bytes before an event's id and values: its context, its shape, and the length of the id.
    private static let headBytes = 4 * PackedWriter.longestVarint

    init(_ tables: [EventTable], _ dictionary: PackingDictionary, count: Int) {
        self.dictionary = dictionary
        mapped = MappedTables(tables, common: dictionary.common)
        sources = mapped.sources.addressWhileAlive
        milliseconds.reserveCapacity(count)
        starts.reserveCapacity(count)
    }

    mutating func append(_ row: TableRow) {
        let source = sources[Int(row.table)]
        let position = Int(row.row)
        milliseconds.append(source.columns.milliseconds[position])
        starts.append(UInt32(records.count))
        let id = source.identifiers[position]
        let text = source.columns.text(id.prefix)
        let uuid = id.style == EventIdentifier.whole ? CanonicalUUID.bytes(text) : nil
        let (first, end) = (source.columns.valueStarts[position], source.columns.valueStarts[position + 1])
        let values = UnsafeBufferPointer(start: source.columns.values + Int(first), count: Int(end - first))
        records.reserve(EventPacker.headBytes + text.count + values.count * PackedWriter.longestVarint)
        records.append(varint: UInt64(context(source, position, id, isUUID: uuid != nil)))
        records.append(varint: UInt64(shape(source, row, values)))
        if let (high, low) = uuid {
            records.append(word: high)
            records.append(word: low)
        } else if id.style == EventIdentifier.whole {
            records.append(varint: UInt64(text.count))
            records.append(contentsOf: text)
        } else {
            records.append(varint: id.number)
        }
        for value in values { append(value, of: source) }
    }

    /// The index of the row's context. Usually it is the same as for the previous row.
    @inline(__always)
    private mutating func context(
        _ source: MappedTables.Source,
        _ position: Int,
        _ id: EventIdentifier,
        isUUID: Bool
    ) -> Int {
        let isWhole = id.style == EventIdentifier.whole
        let context = PackedEvents.Context(
            source: mapped.text(source.source[position], of: source),
            prefix: isWhole ? 0 : mapped.text(id.prefix, of: source),
            style: isUUID ? BlockFormat.uuidStyle : id.style,
            flags: source.flags[position],
            offset: source.columns.offsets[position],
            language: mapped.text(source.columns.language[position], of: source),
            session: mapped.text(source.columns.session[position], of: source),
            timezone: mapped.text(source.columns.timezone[position], of: source),
            extensions: mapped.text(source.extensions[position], of: source)
        )
        if source.extensions[position] != 0 { textBytes += source.columns.text(source.extensions[position]).count }
        if contexts.isEmpty || contexts[contexts.count - 1] != context { contexts.append(context) }
        return contexts.count - 1
    }

    @inline(__always)
    private mutating func shape(
        _ source: MappedTables.Source,
        _ row: TableRow,
        _ values: UnsafeBufferPointer<EventValue>
    ) -> Int {
        let type = mapped.type(source.columns.type[Int(row.row)], of: source, Int(row.table))
        func code(_ value: EventValue) -> UInt32 {
            let field = mapped.field(value.field, of: source, Int(row.table))
            return PackingDictionary.Member(field: field, kind: PackingDictionary.Kind(value.kind)).code
        }
        let first = Int(type) * EventPacker.shapesPerType
        while latest.count < first + EventPacker.shapesPerType { latest.append(RecentShape()) }
        for recent in latest[first..<first + EventPacker.shapesPerType]
        where recent.count == values.count && recent.number >= 0 {
            var position = 0
            while position < recent.count, codes[recent.first + position] == code(values[position]) { position += 1 }
            if position == recent.count { return recent.number }
        }
        let signature = [type] + values.map(code)
        let shape = dictionary.shape(signature)
        latest[first..<first + EventPacker.shapesPerType].withContiguousMutableStorageIfAvailable { latest in
            for position in latest.indices.dropFirst().reversed() { latest[position] = latest[position - 1] }
            latest[0] = RecentShape(number: shape, first: codes.count, count: values.count)
        }
        codes += signature.dropFirst()
        return shape
    }

    @inline(__always)
    private mutating func append(_ value: EventValue, of source: MappedTables.Source) {
        switch value.kind {
        case .null: break
        case .no: records.append(byte: 0)
        case .yes: records.append(byte: 1)
        case .integer: records.append(varint: SignedNumbers.zigzag(Int64(bitPattern: value.payload)))
        case .double: records.append(word: value.payload)
        case .text, .json, .spelled:
            let index = UInt32(truncatingIfNeeded: value.payload)
            textBytes += source.columns.text(index).count
            records.append(varint: UInt64(mapped.text(index, of: source)))
        }
    }
}
