/// What the decoder remembers of an event type: how its fields are checked, and where the tables keep their names.
///
/// Devices send the fields of a type in the same order over and over, so the n-th field is most likely what it was last
/// time: one comparison instead of a hash and a look-up. Every hint is verified against the table, so that it may be
/// used with any.
struct TypeShape {
    let name: [UInt8]
    /// nil where the catalogue does not know the type.
    let type: EventType?
    let rules: [FieldRule]
    private let ruleNames: [[UInt8]]
    /// Which rules' fields must be there, as bits.
    let required: UInt64

    var tableType: UInt32 = 0
    private var slots: [Slot] = []

    private struct Slot {
        /// Index into ``EventTable/fields``.
        var field: UInt32
        /// Index into `rules`; −1 where the catalogue does not name the field.
        var rule: Int32
    }

    init(_ type: EventType?) {
        self.type = type
        name = type.map { Array($0.name.utf8) } ?? []
        let fields = type?.fields ?? []
        precondition(fields.count <= 64, "a type has at most 64 fields, one bit each")
        rules = fields.map(FieldRule.init)
        ruleNames = fields.map { Array($0.name.utf8) }
        required = fields.indices.reduce(0) { $0 | (fields[$1].isRequired ? 1 << UInt64($1) : 0) }
    }

    /// The table's index and the rule of the field that stands at a position.
    @inline(__always)
    mutating func slot(
        at position: Int, _ key: UnsafeBufferPointer<UInt8>, _ table: inout EventTable
    ) -> (field: UInt32, rule: Int) {
        if position < slots.count, table.fields.equals(slots[position].field, key) {
            return (slots[position].field, Int(slots[position].rule))
        }
        return look(up: key, at: position, &table)
    }

    private mutating func look(
        up key: UnsafeBufferPointer<UInt8>, at position: Int, _ table: inout EventTable
    ) -> (field: UInt32, rule: Int) {
        let field = table.intern(field: key)
        let rule = ruleNames.firstIndex { $0.elementsEqual(key) } ?? -1
        if position < slots.count {
            slots[position] = Slot(field: field, rule: Int32(rule))
        } else if position == slots.count, position < TypeShape.hints {
            slots.append(Slot(field: field, rule: Int32(rule)))
        }
        return (field, rule)
    }

    private static let hints = 32
}

/// The shapes of all types of the catalogue, and one for all it does not know.
struct TypeShapes {
    var all: [TypeShape]
    private var byName: TextTable
    private var last = 0

    init() {
        all = [TypeShape(nil)] + Catalogue.types.map(TypeShape.init)
        byName = TextTable()
        // Interned in order, so that the text's index is the shape's.
        for type in Catalogue.types { _ = byName.intern(type.name) }
    }

    /// Index into `all`; 0 for a type that the catalogue does not know.
    @inline(__always)
    mutating func index(of name: UnsafeBufferPointer<UInt8>) -> Int {
        if all[last].name.withUnsafeBufferPointer({ $0.isEqual(to: name) }) { return last }
        guard let index = byName.find(name) else { return 0 }
        last = Int(index)
        return last
    }
}
