package import LaurelEvents
import LaurelRules

/// An event table with the plan's look-ups by its type and field indexes, made once for all its learners.
package final class BoundTable {
    package let table: EventTable
    /// Per type of the table: index into the plan's types.
    let typePlans: [Int]
    /// Per type of the table, per field of the table: where a value goes. Empty for types that load nothing.
    let targets: [[FieldTarget]]
    /// Whether the table holds a correction at all.
    let hasCorrections: Bool

    package init(_ table: EventTable, plan: FoldPlan) {
        self.table = table
        let fieldNames = (0..<table.fields.count).map { table.fields.string(UInt32($0)) }
        var typePlans: [Int] = []
        var targets: [[FieldTarget]] = []
        var hasCorrections = false
        for index in 0..<table.types.count {
            let planIndex = plan.typeIndex[table.types.string(UInt32(index))] ?? 0
            let typePlan = plan.types[planIndex]
            typePlans.append(planIndex)
            hasCorrections = hasCorrections || typePlan.kind == .eventRetracted || typePlan.kind == .sessionDiscarded
            let loads = Dictionary(uniqueKeysWithValues: typePlan.loads.map { ($0.name, $0) })
            guard typePlan.kind != .other || !loads.isEmpty else {
                targets.append([])
                continue
            }
            targets.append(
                fieldNames.map { name in
                    FieldTarget(load: loads[name], role: typePlan.kind == .other ? nil : plan.roleOfField[name])
                })
        }
        self.typePlans = typePlans
        self.targets = targets
        self.hasCorrections = hasCorrections
    }
}

/// Where the value of a field goes: into a slot that expressions read, and to the fold itself.
struct FieldTarget {
    /// −1: no expression reads it.
    let slot: Int32
    let isText: Bool
    let isBoolean: Bool
    /// −1: the fold does not read it.
    let role: Int32

    init(load: FieldLoad?, role: FieldRole?) {
        slot = Int32(load?.slot ?? -1)
        isText = load?.type == .text
        isBoolean = load?.type == .boolean
        self.role = Int32(role?.rawValue ?? -1)
    }
}
