// SPDX-License-Identifier: Apache-2.0

/// The check of a field, and the index of its name in the current table.
struct PlannedField: BitwiseCopyable {
    /// The field's rule; nil if the catalogue does not have the field.
    let rule: FieldRule?
    /// Index of the type's ``TypeShape``.
    let shape: Int
    /// Index among the type's rules.
    let ruleIndex: Int
    let ruleBit: UInt64
    /// The index into ``EventTable/fields``. It is valid for the table with the number ``table``.
    var field: UInt32 = 0
    var table: UInt32 = 0
    /// Texts that were found to be allowed for the field, as indexes into the texts of the table with the number
    /// ``table``.
    var options = InlineArray<4, UInt32>(repeating: 0)

    init(_ rule: FieldRule?, index: Int, shape: Int) {
        self.rule = rule
        self.shape = shape
        ruleIndex = index
        ruleBit = rule == nil ? 0 : 1 << UInt64(index)
    }

    /// The index in ``options`` where an allowed text may be.
    @inline(__always)
    static func slot(of text: UnsafeBufferPointer<UInt8>) -> Int { (text.count &+ Int(text[0])) & 3 }
}

typealias FieldKey = KnownKeys<PlannedField>.Pointer
typealias Plan = UnsafeMutablePointer<TypePlan>

/// The plan for reading events of a type.
struct TypePlan {
    /// The type's name, in memory that the plan owns.
    let name: UnsafeBufferPointer<UInt8>
    /// Index of the type's ``TypeShape``.
    let shape: Int
    /// The required attributes, as bits.
    let attributes: UInt64
    /// The rules of required fields, as bits.
    let fields: UInt64
    /// True if two fields are the first and the last day of a span.
    let hasSpan: Bool
    /// True if a strict ingest does not allow the type.
    let isForbidden: Bool
    let keys: KnownKeys<PlannedField>
    /// The index into ``EventTable/types``. It is valid for the table with the number ``table``.
    var type: UInt32 = 0
    var table: UInt32 = 0

    init(_ name: UnsafeBufferPointer<UInt8>, shape: Int, _ known: TypeShape, isForbidden: Bool) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.count)
        _ = copy.initialize(from: name)
        self.name = UnsafeBufferPointer(copy)
        self.shape = shape
        attributes = known.attributes
        fields = known.required
        hasSpan = known.type?.span != nil
        self.isForbidden = isForbidden
        keys = KnownKeys(PlannedField(nil, index: 0, shape: shape))
    }

    mutating func bind(to table: inout EventTable, _ number: UInt32) {
        if !table.types.equals(type, name) { type = table.intern(type: name) }
        self.table = number
    }

    func deallocate() {
        name.deallocate()
        keys.deallocate()
    }
}

/// The plans of the types read so far. Copies share their memory.
struct TypePlans {
    private let plans = Plan.allocate(capacity: TypePlans.capacity)
    private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    /// For each ``hint(_:)``, the index of the plan found last, plus one; 0 if there is none.
    private let found = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)

    /// The maximum number of plans. Without it, a sender could fill the memory with invented types.
    private static let capacity = 250

    init() {
        found.initialize(repeating: 0, count: 64)
        count.initialize(to: 0)
    }

    func deallocate() {
        removeAll()
        plans.deallocate()
        count.deallocate()
        found.deallocate()
    }

    /// The plan of a type; nil if there is none.
    @inline(__always)
    func plan(of name: UnsafeBufferPointer<UInt8>) -> Plan? {
        let slot = TypePlans.hint(name)
        let last = Int(found[slot])
        if last > 0, plans[last - 1].name.isEqual(to: name) { return plans + (last - 1) }
        return search(name, slot)
    }

    @inline(never)
    private func search(_ name: UnsafeBufferPointer<UInt8>, _ slot: Int) -> Plan? {
        for index in 0..<count.pointee where plans[index].name.isEqual(to: name) {
            found[slot] = UInt8(index + 1)
            return plans + index
        }
        return nil
    }

    /// A hash below 64, from the name's length, beginning and end. It differs for most names.
    @inline(__always)
    private static func hint(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        guard name.count > 0 else { return 0 }
        return (name.count &* 31 &+ Int(name[0]) &* 7 &+ Int(name[name.count - 1])) & 63
    }

    /// Adds a plan. Other plans may become invalid, because all are removed if there is no room.
    func add(_ plan: TypePlan) -> Plan {
        if count.pointee == Self.capacity { removeAll() }
        let slot = plans + count.pointee
        slot.initialize(to: plan)
        count.pointee += 1
        return slot
    }

    private func removeAll() {
        for index in 0..<count.pointee { plans[index].deallocate() }
        count.pointee = 0
        found.update(repeating: 0, count: 64)
    }
}
