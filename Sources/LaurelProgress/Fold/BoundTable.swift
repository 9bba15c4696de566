package import LaurelEvents
import LaurelRules

/// An event table with the plan's look-ups by its type and field indexes, made once for all its learners.
package final class BoundTable {
    package let table: EventTable
    /// Whether the table holds a correction at all.
    let hasCorrections: Bool
    /// What the fold looks up per event. Good as long as the table that it is of.
    let look: TableLook
    private let memory = PlanMemory()
    /// Owns what `look` points into.
    private let plan: FoldPlan

    package init(_ table: EventTable, plan: FoldPlan) {
        self.table = table
        self.plan = plan
        let fieldNames = (0..<table.fields.count).map { table.fields.string(UInt32($0)) }
        let types = (0..<table.types.count).map { table.types.string(UInt32($0)) }
        let planIndexes = types.map { plan.typeIndex[$0] ?? 0 }
        let kinds = planIndexes.map { plan.types[$0].kind }
        hasCorrections = kinds.contains(where: EventKind.corrections.contains)
        let targets = zip(types, kinds).flatMap { name, kind in
            let uses = plan.rules.layout.fields(for: name)
            return fieldNames.map { field in
                FieldTarget(
                    uses.first { $0.field.name == field }?.field,
                    role: kind == .other ? nil : plan.role(ofField: field, kind)
                )
            }
        }
        look = TableLook(
            typePlans: memory.keep(planIndexes.map { plan.types.baseAddress! + $0 }),
            targets: memory.keep(targets),
            fieldCount: fieldNames.count,
            typeNames: memory.keep(BoundTable.typeNames(table, memory))
        )
    }

    private static func typeNames(_ table: EventTable, _ memory: PlanMemory) -> [TextSlice] {
        (0..<table.types.count).map { index in
            let name = memory.keep(Array(table.types[UInt32(index)]))
            return TextSlice(start: name.baseAddress, count: name.count)
        }
    }

    func kind(_ row: Int) -> EventKind { look.typePlans[Int(table.type[row])].pointee.kind }
}

/// A bound table's look-ups as plain pointers.
struct TableLook {
    /// Per type of the table: what its events touch.
    let typePlans: UnsafeBufferPointer<UnsafePointer<TypePlan>>
    /// Per type of the table, `fieldCount` each: where the value of a field goes.
    let targets: UnsafeBufferPointer<FieldTarget>
    let fieldCount: Int
    let typeNames: UnsafeBufferPointer<TextSlice>
}

/// Where the value of a field goes: into a slot that expressions read, and to the fold itself.
struct FieldTarget {
    /// −1: no expression reads it.
    let slot: Int32
    /// −1: the fold does not read it.
    let role: Int32
    let isText: Bool
    let isBoolean: Bool

    init(_ field: FrameLayout.FieldSlot?, role: FieldRole?) {
        slot = Int32(field?.slot ?? -1)
        isText = field?.type == .text
        isBoolean = field?.type == .boolean
        self.role = Int32(role?.rawValue ?? -1)
    }
}
