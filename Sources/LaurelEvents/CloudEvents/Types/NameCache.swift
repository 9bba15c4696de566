// SPDX-License-Identifier: Apache-2.0

/// The names of attributes, types and fields that a decoder has read so far, with their checks and indexes.
final class NameCache {
    let attributes = KnownKeys(AttributeKey(attribute: nil))
    let plans = TypePlans()
    /// The number of the current table. Indexes for earlier tables are invalid.
    private(set) var table: UInt32 = 0

    init() {
        for name in Attributes.Name.allCases {
            Array(name.key.utf8).withUnsafeBufferPointer { _ = attributes.add($0, AttributeKey(attribute: name)) }
        }
    }

    deinit {
        attributes.deallocate()
        plans.deallocate()
    }

    /// Begins a table. Call it before lines are read, because the table may differ from the previous one.
    func begin() { table &+= 1 }
}

/// The meaning of a key in an event.
struct AttributeKey: BitwiseCopyable {
    /// The attribute; nil for an extension.
    let attribute: Attributes.Name?
    /// True unless the key is an extension that the catalogue does not know.
    var isKnown = true
}

// The cache never keeps a name that a strict ingest does not allow. So the name is noticed in each event.
extension EventDecoder {
    /// The plan of a type that occurs for the first time; nil if the name is not a valid name of a type.
    @inline(never)
    func meetType(_ name: RawEvent.Text) -> Plan? {
        let shape = shapes.index(of: name)
        guard shape != 0 || name.count <= Limits.type && isTypeName(name) else { return nil }
        let isForbidden = strictNames.map { !$0.knows(UnknownName(.type, name)) } ?? false
        return names.plans.add(TypePlan(name, shape: shape, shapes.all[shape], isForbidden: isForbidden))
    }

    /// A key for a field that occurs for the first time. If the key cannot be kept, it has no bit, and is valid until
    /// the next new field.
    /// - Parameter isPlain: true if the name is written without escapes.
    @inline(never)
    mutating func meetField(
        _ name: RawEvent.Text,
        isPlain: Bool,
        after previous: FieldKey,
        _ plan: Plan,
        _ event: inout RawEvent
    ) -> FieldKey {
        let shape = plan.pointee.shape
        let rule = shapes.all[shape].rule(of: name)
        let field = PlannedField(rule?.rule, index: rule?.index ?? 0, shape: shape)
        if shape != 0, rule == nil { mayHaveMetUnknownField = true }
        if let strictNames {
            let type = String(decoding: plan.pointee.name, as: UTF8.self)
            if !strictNames.knows(UnknownName(.field(of: type), name)) {
                event.hasForbiddenName = true
                return plan.pointee.keys.setSpare(field)
            }
        }
        guard isPlain, let key = plan.pointee.keys.add(name, field) else { return plan.pointee.keys.setSpare(field) }
        previous.pointee.next = key
        return key
    }

    /// Looks up a field's name in the current table.
    @inline(never)
    func bind(_ key: FieldKey, _ name: RawEvent.Text, _ table: inout EventTable, _ number: UInt32) {
        if !table.fields.equals(key.pointee.meaning.field, name) {
            key.pointee.meaning.field = table.intern(field: name)
        }
        key.pointee.meaning.options = InlineArray(repeating: 0)
        key.pointee.meaning.table = number
    }
}
