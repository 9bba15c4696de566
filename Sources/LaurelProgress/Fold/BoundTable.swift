package import LaurelEvents
import LaurelRules

/// An event table with the plan's look-ups by its type and field indexes, made once for all its learners.
package final class BoundTable {
    package let table: EventTable
    /// Per type of the table: what its events touch.
    let typePlans: [TypePlan]
    /// Per type of the table, per field of the table: where a value goes.
    private(set) var targets: [[FieldTarget]] = []
    /// Whether the table holds a correction at all.
    let hasCorrections: Bool

    package init(_ table: EventTable, plan: FoldPlan) {
        self.table = table
        let fieldNames = (0..<table.fields.count).map { table.fields.string(UInt32($0)) }
        let planIndexes = (0..<table.types.count).map { plan.typeIndex[table.types.string(UInt32($0))] ?? 0 }
        typePlans = planIndexes.map { plan.types[$0] }
        hasCorrections = typePlans.contains { $0.kind == .eventRetracted || $0.kind == .sessionDiscarded }
        targets = planIndexes.indices.map { index in
            let name = table.types.string(UInt32(index))
            let uses = plan.rules.layout.fields(for: name)
            let isKnown = typePlans[index].kind != .other
            guard isKnown || !uses.isEmpty else { return [] }
            return fieldNames.map { field in
                FieldTarget(
                    uses.first { $0.field.name == field }?.field, role: isKnown ? FieldRole.named[field] : nil)
            }
        }
    }
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
