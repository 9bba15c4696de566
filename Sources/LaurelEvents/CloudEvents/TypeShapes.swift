// SPDX-License-Identifier: Apache-2.0

import CSimdjson

/// What the decoder remembers of an event type: how its fields are checked, and where the tables keep their names.
///
/// A field's name is looked for where a name of its class was found last: one comparison instead of a hash and a look-up.
/// Every hint is verified against the table, so that it may be used with any.
struct TypeShape: Sendable {
    let name: [UInt8]
    /// nil if the catalogue does not know the type.
    let type: EventType?
    let needsLanguage: Bool
    let needsSession: Bool
    private let rules: [FieldRule]
    /// Per rule, the texts to choose from.
    private let options: [[[UInt8]]]
    private let ruleNames: [[UInt8]]
    /// Which rules' fields must be there, as bits.
    let required: UInt64

    /// Index into ``EventTable/types`` of the table last used.
    private var tableType: UInt32 = 0
    private var slots = [Slot](repeating: Slot(field: 0, rule: -1), count: 64)
    /// Whether an event had a field that the catalogue does not name.
    private(set) var hasMetUnknownField = false

    struct Slot: BitwiseCopyable, Sendable {
        /// Index into ``EventTable/fields``.
        var field: UInt32
        /// Index into `rules`; −1 where the catalogue does not name the field.
        var rule: Int32
    }

    init(_ type: EventType?) {
        self.type = type
        name = type.map { Array($0.name.utf8) } ?? []
        needsLanguage = type?.needsLanguage ?? false
        needsSession = type?.needsSession ?? false
        let fields = type?.fields ?? []
        precondition(fields.count <= 64, "a type has at most 64 fields, one bit each")
        rules = fields.map(FieldRule.init)
        options = fields.map { field in
            if case .oneOf(let names) = field.constraint { names.map { Array($0.utf8) } } else { [] }
        }
        ruleNames = fields.map { Array($0.name.utf8) }
        required = fields.indices.reduce(0) { $0 | (fields[$1].isRequired ? 1 << UInt64($1) : 0) }
    }

    /// The table's index of the type's name, which is given: many unknown types share a shape.
    @inline(__always)
    mutating func index(of name: UnsafeBufferPointer<UInt8>, _ table: inout EventTable) -> UInt32 {
        if !table.types.equals(tableType, name) { tableType = table.intern(type: name) }
        return tableType
    }

    /// Whether a value that is not null may stand where a rule applies.
    @inline(__always)
    func allows(_ field: UnsafePointer<JSONMember>, by rule: Int) -> Bool {
        rules[rule].allows(field.pointee, options: options[rule])
    }

    /// The table's index and the rule of a field.
    @inline(__always)
    mutating func slot(for field: UnsafePointer<JSONMember>, _ table: inout EventTable) -> Slot {
        let hint = Int(field.pointee.key_class)
        let slot = slots[hint]
        let key = field.pointee.keyBytes
        return table.fields.equals(slot.field, key) && isRule(slot.rule, of: key)
            ? slot : look(up: key, hint: hint, &table)
    }

    /// Whether a rule is a field's; −1 is that of fields without any. In another table, another field of the class may have
    /// had the place.
    @inline(__always)
    private func isRule(_ rule: Int32, of key: UnsafeBufferPointer<UInt8>) -> Bool {
        func isNamed(_ index: Int) -> Bool { ruleNames[index].withUnsafeBufferPointer { $0.isEqual(to: key) } }
        return rule >= 0 ? isNamed(Int(rule)) : !ruleNames.indices.contains(where: isNamed)
    }

    @inline(never)
    private mutating func look(
        up key: UnsafeBufferPointer<UInt8>,
        hint: Int,
        _ table: inout EventTable
    ) -> Slot {
        slots[hint] = Slot(field: table.intern(field: key), rule: Int32(index(ofRule: key) ?? -1))
        return slots[hint]
    }

    /// The index of a field's rule; nil where the catalogue does not name the field, which is noted.
    mutating func index(ofRule name: UnsafeBufferPointer<UInt8>) -> Int? {
        let index = ruleNames.firstIndex { $0.elementsEqual(name) }
        hasMetUnknownField = hasMetUnknownField || index == nil
        return index
    }

    /// How a field is checked that is new.
    mutating func plan(of name: UnsafeBufferPointer<UInt8>) -> PlannedField {
        index(ofRule: name).map { PlannedField(rules[$0], index: $0) } ?? .none
    }

    /// Whether a text may stand where a rule applies.
    func allows(_ text: UnsafeBufferPointer<UInt8>, byRule rule: Int) -> Bool {
        rules[rule].allows(text, options: options[rule])
    }
}

/// The shapes of all types of the catalogue, and one for all it does not know.
struct TypeShapes: Sendable {
    var all: [TypeShape]
    private var byName: TextTable
    /// The type found last for a name of such length, beginning and end.
    private var found = InlineArray<64, UInt8>(repeating: 0)

    /// The state before the first event, to be copied: building it anew would cost more than many an event.
    static let fresh = TypeShapes()

    private init() {
        all = [TypeShape(nil)] + Catalogue.types.map(TypeShape.init)
        byName = TextTable()
        // Interned in order, so that the text's index is the shape's.
        for type in Catalogue.types { _ = byName.intern(type.name) }
    }

    /// Index into `all`; 0 for a type that the catalogue does not know.
    @inline(__always)
    mutating func index(of name: UnsafeBufferPointer<UInt8>) -> Int {
        let hint = TypeShapes.hint(name)
        let last = Int(found[hint])
        if all[last].name.withUnsafeBufferPointer({ $0.isEqual(to: name) }) { return last }
        guard let index = byName.find(name) else { return 0 }
        found[hint] = UInt8(index)
        return Int(index)
    }

    /// A hash below 64 that separates most names.
    @inline(__always)
    static func hint(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        guard name.count > 0 else { return 0 }
        return (name.count &* 31 &+ Int(name[0]) &* 7 &+ Int(name[name.count - 1])) & 63
    }
}
