// SPDX-License-Identifier: Apache-2.0

import CSimdjson

/// The checks of an event type's fields, and the indexes of its names in tables.
///
/// A field's name is first compared with the latest name of the same class: one comparison instead of a hash and a
/// look-up. Every hint is verified against the table, so hints may be used with any table.
struct TypeShape: Sendable {
    let name: [UInt8]
    /// The catalogue's type; nil if the catalogue does not know it.
    let type: EventType?
    let needsLanguage: Bool
    let needsSession: Bool
    private let rules: [FieldRule]
    /// For each rule, the allowed texts.
    private let options: [[[UInt8]]]
    private let ruleNames: [[UInt8]]
    /// The rules of required fields, as bits.
    let required: UInt64

    /// Index into ``EventTable/types`` of the table last used.
    private var tableType: UInt32 = 0
    private var slots = [Slot](repeating: Slot(field: 0, rule: -1), count: 64)
    /// True if an event had a field that the catalogue does not name.
    private(set) var hasMetUnknownField = false

    struct Slot: BitwiseCopyable, Sendable {
        /// Index into ``EventTable/fields``.
        var field: UInt32
        /// Index into `rules`; −1 if the catalogue does not name the field.
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

    /// The index of a type's name in the table. The name is a parameter because all unknown types share one shape.
    @inline(__always)
    mutating func index(of name: UnsafeBufferPointer<UInt8>, _ table: inout EventTable) -> UInt32 {
        if !table.types.equals(tableType, name) { tableType = table.intern(type: name) }
        return tableType
    }

    /// True if a rule allows a value other than null.
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

    /// True if a rule is a field's; −1 is the rule of unknown fields. The slot may have been set by another field of
    /// the class in another table.
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

    /// The index of a field's rule; nil if the catalogue does not name the field, which is noted.
    mutating func index(ofRule name: UnsafeBufferPointer<UInt8>) -> Int? {
        let index = ruleNames.firstIndex { $0.elementsEqual(name) }
        hasMetUnknownField = hasMetUnknownField || index == nil
        return index
    }

    /// The plan of a field that occurs for the first time.
    mutating func plan(of name: UnsafeBufferPointer<UInt8>) -> PlannedField {
        index(ofRule: name).map { PlannedField(rules[$0], index: $0) } ?? .none
    }

    /// True if a rule allows a text.
    func allows(_ text: UnsafeBufferPointer<UInt8>, byRule rule: Int) -> Bool {
        rules[rule].allows(text, options: options[rule])
    }
}

/// The shapes of all types of the catalogue, and one for all unknown types.
struct TypeShapes: Sendable {
    var all: [TypeShape]
    private var byName: TextTable
    /// The latest type found for names of the same length, beginning and end.
    private var found = InlineArray<64, UInt8>(repeating: 0)

    /// The state before the first event, to be copied: building it takes longer than decoding many events.
    static let fresh = TypeShapes()

    private init() {
        all = [TypeShape(nil)] + Catalogue.types.map(TypeShape.init)
        byName = TextTable()
        // Interned in order, so that a text's index equals the shape's.
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
