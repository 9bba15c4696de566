// SPDX-License-Identifier: Apache-2.0

/// The check of a field in ordinary lines, and the index of its name in the current table.
struct PlannedField: BitwiseCopyable {
    /// The field's rule; nil if the catalogue does not name the field.
    let rule: FieldRule?
    /// Index among the type's rules.
    let ruleIndex: Int
    let ruleBit: UInt64
    /// Index into ``EventTable/fields`` of the table with the number ``table``.
    var field: UInt32 = 0
    var table: UInt32 = 0
    /// Indexes into that table's texts: texts found to be allowed for the field.
    var options = InlineArray<4, UInt32>(repeating: 0)

    init(_ rule: FieldRule?, index: Int) {
        self.rule = rule
        ruleIndex = index
        ruleBit = rule == nil ? 0 : 1 << UInt64(index)
    }

    static var none: PlannedField { PlannedField(nil, index: -1) }

    /// The index in ``options`` where an allowed text may be.
    @inline(__always)
    static func slot(of text: UnsafeBufferPointer<UInt8>) -> Int { (text.count &+ Int(text[0])) & 3 }
}

/// The way to read ordinary events of a type.
struct TypePlan {
    /// The type's name, in memory that the plan owns.
    let name: UnsafeBufferPointer<UInt8>
    /// Index of the type's ``TypeShape``.
    let shape: Int
    /// The required attributes, as bits.
    let attributes: UInt64
    /// The rules of required fields, as bits.
    let fields: UInt64
    let keys = KnownKeys<PlannedField>(.none)
    /// Index into ``EventTable/types`` of the table with the number ``table``.
    var type: UInt32 = 0
    var table: UInt32 = 0

    init(_ name: UnsafeBufferPointer<UInt8>, shape: Int, _ known: TypeShape) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.count)
        _ = copy.initialize(from: name)
        self.name = UnsafeBufferPointer(copy)
        self.shape = shape
        attributes =
            OrdinaryEvent.everyEvent | (known.needsLanguage ? OrdinaryEvent.bit(.language) : 0)
            | (known.needsSession ? OrdinaryEvent.bit(.session) : 0)
        fields = known.required
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

/// The plans of the types met so far. Copies share their memory.
struct TypePlans {
    private let plans = UnsafeMutablePointer<TypePlan>.allocate(capacity: TypePlans.capacity)
    private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    /// One plus the index of the latest plan found for names of the same length, beginning and end.
    private let found = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)

    /// The maximum number of plans, since senders may make up types. Further types are left to the general parser.
    private static let capacity = 250

    init() {
        found.initialize(repeating: 0, count: 64)
        count.initialize(to: 0)
    }

    func deallocate() {
        for index in 0..<count.pointee { plans[index].deallocate() }
        plans.deallocate()
        count.deallocate()
        found.deallocate()
    }

    /// The plan of a type; nil if there is none.
    /// - Parameter name: not empty.
    @inline(__always)
    func plan(of name: UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<TypePlan>? {
        let slot = TypeShapes.hint(name)
        let last = Int(found[slot])
        if last > 0, plans[last - 1].name.isEqual(to: name) { return plans + (last - 1) }
        return search(name, slot)
    }

    @inline(never)
    private func search(_ name: UnsafeBufferPointer<UInt8>, _ slot: Int) -> UnsafeMutablePointer<TypePlan>? {
        for index in 0..<count.pointee where plans[index].name.isEqual(to: name) {
            found[slot] = UInt8(index + 1)
            return plans + index
        }
        return nil
    }

    /// Adds a plan; nil if there is no room.
    func add(_ plan: @autoclosure () -> TypePlan) -> UnsafeMutablePointer<TypePlan>? {
        guard count.pointee < Self.capacity else { return nil }
        let slot = plans + count.pointee
        slot.initialize(to: plan())
        count.pointee += 1
        return slot
    }
}
