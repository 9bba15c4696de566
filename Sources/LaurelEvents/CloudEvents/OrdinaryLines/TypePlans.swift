// SPDX-License-Identifier: Apache-2.0

/// What is known of a field that an ordinary line has: how it is checked, and where the table at hand keeps its name.
struct PlannedField: BitwiseCopyable {
    /// nil where the catalogue does not name the field.
    let rule: FieldRule?
    /// Among those of the type.
    let ruleIndex: Int
    let ruleBit: UInt64
    /// Index into ``EventTable/fields`` of the table of that number.
    var field: UInt32 = 0
    var table: UInt32 = 0
    /// Of that table, texts that were found to be among those to choose from.
    var options = InlineArray<4, UInt32>(repeating: 0)

    init(_ rule: FieldRule?, index: Int) {
        self.rule = rule
        ruleIndex = index
        ruleBit = rule == nil ? 0 : 1 << UInt64(index)
    }

    static var none: PlannedField { PlannedField(nil, index: -1) }

    /// Where an option may be among ``options``.
    @inline(__always)
    static func place(of text: UnsafeBufferPointer<UInt8>) -> Int { (text.count &+ Int(text[0])) & 3 }
}

/// How the ordinary events of a type are read.
struct TypePlan {
    /// A copy of its own.
    let name: UnsafeBufferPointer<UInt8>
    /// Index of its ``TypeShape``.
    let shape: Int
    /// The attributes that must be there, as bits.
    let attributes: UInt64
    /// The rules whose fields must be there, as bits.
    let fields: UInt64
    let keys = KnownKeys<PlannedField>(.none)
    /// Index into ``EventTable/types`` of the table of that number.
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

/// The plans of the types that were met. Copies share their memory.
struct TypePlans {
    private let plans = UnsafeMutablePointer<TypePlan>.allocate(capacity: TypePlans.capacity)
    private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    /// The plan found last for a name of such length, beginning and end, plus one.
    private let found = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)

    /// Strangers may send any number of types. Those beyond are read in the other way.
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

    /// nil where there is none.
    /// - Parameter name: not empty.
    @inline(__always)
    func plan(of name: UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<TypePlan>? {
        let place = TypeShapes.hint(name)
        let last = Int(found[place])
        if last > 0, plans[last - 1].name.isEqual(to: name) { return plans + (last - 1) }
        return search(name, place)
    }

    @inline(never)
    private func search(_ name: UnsafeBufferPointer<UInt8>, _ place: Int) -> UnsafeMutablePointer<TypePlan>? {
        for index in 0..<count.pointee where plans[index].name.isEqual(to: name) {
            found[place] = UInt8(index + 1)
            return plans + index
        }
        return nil
    }

    /// nil where there is no room for one more.
    func add(_ plan: @autoclosure () -> TypePlan) -> UnsafeMutablePointer<TypePlan>? {
        guard count.pointee < Self.capacity else { return nil }
        let place = plans + count.pointee
        place.initialize(to: plan())
        count.pointee += 1
        return place
    }
}
