// SPDX-License-Identifier: Apache-2.0

/// Many events, column by column. A parsed file, a decoded block and the fold all use this form.
///
/// Attributes are parallel arrays, one element per event (a *row*). The fields of `data` are a flat list of values in
/// the order written; row r has the values `valueStarts[r] ..< valueStarts[r + 1]`. Texts are indexes into ``texts``.
/// Names of types and fields are indexes into two small tables. So binding a rule set to a table needs one look-up per
/// name.
package struct EventTable: Sendable {
    package private(set) var texts = TextTable()
    package private(set) var types = TextTable()
    package private(set) var fields = TextTable()

    /// Milliseconds since 1970-01-01T00:00:00Z.
    package private(set) var milliseconds: [Int64] = []
    /// ``WrittenOffset/code`` of each row.
    package private(set) var offsets: [Int16] = []
    /// ``Timestamp/Spelling/code``, combined with ``hasVersion`` and ``hasData``.
    package private(set) var flags: [UInt8] = []
    /// Index into ``types``.
    package private(set) var type: [UInt32] = []
    /// Indexes into ``texts``; 0 if absent.
    package private(set) var subject: [UInt32] = []
    package private(set) var source: [UInt32] = []
    package private(set) var language: [UInt32] = []
    package private(set) var session: [UInt32] = []
    package private(set) var timezone: [UInt32] = []
    /// Unknown attributes as one minified JSON object; 0 if there are none.
    package private(set) var extensions: [UInt32] = []
    package private(set) var identifiers: [EventIdentifier] = []

    package private(set) var valueStarts: [UInt32] = [0]
    package private(set) var values: [EventValue] = []

    /// The index into ``shapes``. Both arrays are empty unless the table was decoded from a block.
    package private(set) var shape: [UInt32] = []
    package private(set) var shapes: [EventShape] = []

    /// The prefix of the previous identifier. The next identifier usually has the same prefix.
    private var recentPrefix: UInt32 = 0

    package init() {}

    package var count: Int { milliseconds.count }

    package static let hasVersion: UInt8 = 16
    package static let hasData: UInt8 = 32

    package mutating func reserve(events: Int, values valueCount: Int) {
        milliseconds.reserveCapacity(events)
        offsets.reserveCapacity(events)
        flags.reserveCapacity(events)
        type.reserveCapacity(events)
        subject.reserveCapacity(events)
        source.reserveCapacity(events)
        language.reserveCapacity(events)
        session.reserveCapacity(events)
        timezone.reserveCapacity(events)
        extensions.reserveCapacity(events)
        identifiers.reserveCapacity(events)
        valueStarts.reserveCapacity(events + 1)
        values.reserveCapacity(valueCount)
    }
}

/// An event's type and the fields of its values, in order.
package struct EventShape: Sendable, Hashable {
    /// Index into ``EventTable/types``.
    package let type: UInt32
    /// Indexes into ``EventTable/fields``.
    package let fields: [UInt32]

    package init(type: UInt32, fields: [UInt32]) { (self.type, self.fields) = (type, fields) }
}

/// An event's id. Most devices number their events. Such an id is stored as a prefix and a number, in very few bytes.
package struct EventIdentifier: Sendable, Hashable {
    /// The index into ``EventTable/texts``: the text before the number, or the whole id if `style` is `.whole`.
    package var prefix: UInt32
    package var number: UInt64
    /// The form of the number. For 0, there is no number, and `prefix` is the whole id. For 255, the number has no
    /// padding. Any other value is the number of digits to which zeros pad the number; there is at least one such zero.
    /// So each id has only one form.
    package var style: UInt8

    package static let whole: UInt8 = 0
    package static let natural: UInt8 = 255

    package init(prefix: UInt32, number: UInt64 = 0, style: UInt8 = EventIdentifier.whole) {
        self.prefix = prefix
        self.number = number
        self.style = style
    }

    /// Splits an id into the text before its last digits, and the number that these digits form. At most 18 digits
    /// are used. A UUID is not split, because its last digits are random.
    package static func split(_ id: UnsafeBufferPointer<UInt8>) -> (prefix: Int, number: UInt64, style: UInt8) {
        if id.count == 36, id[8] == UInt8(ascii: "-"), id[13] == UInt8(ascii: "-") { return (id.count, 0, whole) }
        var start = id.count
        var (number, unit): (UInt64, UInt64) = (0, 1)
        while start > 0, id.count - start < 18, id[start - 1] &- 48 < 10 {
            start -= 1
            number &+= UInt64(id[start] &- 48) &* unit
            unit &*= 10
        }
        guard start < id.count else { return (id.count, 0, whole) }
        let padded = id[start] == UInt8(ascii: "0") && id.count - start > 1
        return (start, number, padded ? UInt8(id.count - start) : natural)
    }

    /// Splits an id that ends in one to seven digits, eight bytes at a time; nil for other ids, and for numbers that
    /// begin with 0.
    /// - Parameter id: not empty. At least 7 readable bytes precede it, and the last of them is not a digit.
    @inline(__always)
    static func splitNatural(_ id: UnsafeBufferPointer<UInt8>) -> (prefix: Int, number: UInt64)? {
        let last = UnsafeRawPointer(id.baseAddress! + id.count) - 8
        // The last character is in the highest byte. A digit is represented by its value.
        var digits = UInt64(littleEndian: last.loadUnaligned(as: UInt64.self)) ^ 0x3030_3030_3030_3030
        let sum = (digits & 0x7F7F_7F7F_7F7F_7F7F) + 0x7676_7676_7676_7676
        let count = ((digits | sum) & 0x8080_8080_8080_8080).leadingZeroBitCount >> 3
        guard 1...7 ~= count, count <= id.count, id.count != 36, count == 1 || id[id.count - count] != UInt8(ascii: "0")
        else { return nil }
        let others = UInt64(64 - 8 * count)
        digits = (digits >> others) << others
        // Pairs of digits are combined first, then groups of four, then all digits.
        digits = (digits &* 10 &+ (digits >> 8)) & 0x00FF_00FF_00FF_00FF
        digits = (digits &* 100 &+ (digits >> 16)) & 0x0000_FFFF_0000_FFFF
        return (id.count - count, (digits &* 10_000 &+ (digits >> 32)) & 0xFFFF_FFFF)
    }
}

/// One field of one event's `data`.
package struct EventValue: Sendable {
    package enum Kind: UInt8, Sendable {
        case null, no, yes
        /// `payload` is the bit pattern of an Int64.
        case integer
        /// `payload` is the bit pattern of a finite Double.
        case double
        /// `payload` is an index into ``EventTable/texts``.
        case text
        /// `payload` is an index into ``EventTable/texts``. The text is an array or object as minified JSON.
        case json
        /// `payload` is an index into ``EventTable/texts``. The text is a number as spelled, which neither Int64 nor
        /// Double represents exactly.
        case spelled
    }

    /// Index into ``EventTable/fields``.
    package var field: UInt32
    package var kind: Kind
    package var payload: UInt64

    package init(field: UInt32, kind: Kind, payload: UInt64 = 0) {
        self.field = field
        self.kind = kind
        self.payload = payload
    }
}

// MARK: Building

extension EventTable {
    /// The attributes of one event, as indexes of interned texts.
    package struct Row: Sendable {
        package var milliseconds: Int64
        package var offset: Int16
        package var flags: UInt8
        package var type: UInt32
        package var subject: UInt32
        package var source: UInt32
        package var language: UInt32 = 0
        package var session: UInt32 = 0
        package var timezone: UInt32 = 0
        package var extensions: UInt32 = 0
        package var identifier: EventIdentifier

        package init(
            milliseconds: Int64,
            offset: Int16,
            flags: UInt8,
            type: UInt32,
            subject: UInt32,
            source: UInt32,
            identifier: EventIdentifier
        ) {
            self.milliseconds = milliseconds
            self.offset = offset
            self.flags = flags
            self.type = type
            self.subject = subject
            self.source = source
            self.identifier = identifier
        }
    }

    /// Appends a value to the row under construction. ``append(_:)`` ends the row.
    package mutating func append(value: EventValue) { values.append(value) }

    package mutating func append(_ row: Row) {
        milliseconds.append(row.milliseconds)
        offsets.append(row.offset)
        flags.append(row.flags)
        type.append(row.type)
        subject.append(row.subject)
        source.append(row.source)
        language.append(row.language)
        session.append(row.session)
        timezone.append(row.timezone)
        extensions.append(row.extensions)
        identifiers.append(row.identifier)
        valueStarts.append(UInt32(values.count))
    }

    /// Appends many rows, column by column.
    /// - Parameter valueEnds: for each row, the end of its values in `values`.
    mutating func append(
        _ rows: UnsafeBufferPointer<Row>,
        valueEnds: UnsafeBufferPointer<UInt32>,
        values: UnsafeBufferPointer<EventValue>
    ) {
        let valuesBefore = UInt32(self.values.count)
        self.values.append(contentsOf: values)
        valueStarts.append(column: valueEnds) { valuesBefore + $0 }
        milliseconds.append(column: rows) { $0.milliseconds }
        offsets.append(column: rows) { $0.offset }
        flags.append(column: rows) { $0.flags }
        type.append(column: rows) { $0.type }
        subject.append(column: rows) { $0.subject }
        source.append(column: rows) { $0.source }
        language.append(column: rows) { $0.language }
        session.append(column: rows) { $0.session }
        timezone.append(column: rows) { $0.timezone }
        extensions.append(column: rows) { $0.extensions }
        identifiers.append(column: rows) { $0.identifier }
    }

    package mutating func intern(text: UnsafeBufferPointer<UInt8>) -> UInt32 { texts.intern(text) }
    package mutating func append(text: UnsafeBufferPointer<UInt8>) -> UInt32 { texts.append(text) }
    /// Does the same as ``TextTable/intern(_:_:)``.
    @inline(__always)
    mutating func intern(_ text: UnsafeBufferPointer<UInt8>, _ recent: inout UInt32) -> UInt32 {
        texts.intern(text, &recent)
    }

    package mutating func intern(type: UnsafeBufferPointer<UInt8>) -> UInt32 { types.intern(type) }
    package mutating func intern(field: UnsafeBufferPointer<UInt8>) -> UInt32 { fields.intern(field) }

    package mutating func identifier(_ id: UnsafeBufferPointer<UInt8>) -> EventIdentifier {
        let (prefix, number, style) = EventIdentifier.split(id)
        let text = UnsafeBufferPointer(rebasing: id[0..<prefix])
        // An empty prefix is the empty text, which has index 0. An id that is not split is rarely repeated, so no
        // equal text is searched.
        guard prefix > 0 else { return EventIdentifier(prefix: 0, number: number, style: style) }
        guard style != EventIdentifier.whole else { return EventIdentifier(prefix: texts.append(text)) }
        return EventIdentifier(prefix: texts.intern(text, &recentPrefix), number: number, style: style)
    }

    /// Interns an id of a line.
    /// - Parameter id: the id in the line, after at least 7 readable bytes.
    @inline(__always)
    mutating func identifier(ofLine id: UnsafeBufferPointer<UInt8>) -> EventIdentifier {
        guard let (prefix, number) = EventIdentifier.splitNatural(id) else { return identifier(id) }
        let text = UnsafeBufferPointer(rebasing: id[0..<prefix])
        return EventIdentifier(
            prefix: prefix == 0 ? 0 : texts.intern(text, &recentPrefix),
            number: number,
            style: EventIdentifier.natural
        )
    }

    /// Creates a table from decoded columns. All arrays have the length of `milliseconds`, except that `valueStarts`
    /// has one more element, and `shape` may be empty.
    package init(
        texts: TextTable,
        types: TextTable,
        fields: TextTable,
        milliseconds: [Int64],
        offsets: [Int16],
        flags: [UInt8],
        type: [UInt32],
        subject: [UInt32],
        source: [UInt32],
        language: [UInt32],
        session: [UInt32],
        timezone: [UInt32],
        extensions: [UInt32],
        identifiers: [EventIdentifier],
        valueStarts: [UInt32],
        values: [EventValue],
        shape: [UInt32] = [],
        shapes: [EventShape] = []
    ) {
        let count = milliseconds.count
        precondition(
            [
                offsets.count, flags.count, type.count, subject.count, source.count, language.count, session.count,
                timezone.count, extensions.count, identifiers.count, valueStarts.count - 1,
            ].allSatisfy { $0 == count } && Int(valueStarts[count]) == values.count
                && (shape.isEmpty || shape.count == count)
        )
        self.texts = texts
        self.types = types
        self.fields = fields
        self.milliseconds = milliseconds
        self.offsets = offsets
        self.flags = flags
        self.type = type
        self.subject = subject
        self.source = source
        self.language = language
        self.session = session
        self.timezone = timezone
        self.extensions = extensions
        self.identifiers = identifiers
        self.valueStarts = valueStarts
        self.values = values
        (self.shape, self.shapes) = (shape, shapes)
    }
}

// MARK: Subjects

extension EventTable {
    /// The distinct subjects of all rows.
    package var subjects: [[UInt8]] { Set(subject).map { Array(texts[$0]) } }

    /// Replaces subjects.
    /// - Parameter names: the new subject for each subject to replace.
    package mutating func renameSubjects(_ names: [[UInt8]: [UInt8]]) {
        guard !names.isEmpty else { return }
        var indexes: [UInt32: UInt32] = [:]
        for row in 0..<count {
            let old = subject[row]
            let new =
                indexes[old]
                ?? names[Array(texts[old])].map { name in name.withUnsafeBufferPointer { texts.intern($0) } } ?? old
            indexes[old] = new
            subject[row] = new
        }
    }
}

extension Array {
    /// Appends an element per row.
    @inline(__always)
    fileprivate mutating func append<Row>(column rows: UnsafeBufferPointer<Row>, _ element: (Row) -> Element) {
        append(addingCapacity: rows.count) { column in
            column.withUnsafeMutableBufferPointer { room, count in
                let end = room.baseAddress! + count
                for index in 0..<rows.count { (end + index).initialize(to: element(rows[index])) }
                count += rows.count
            }
        }
    }
}
