package import LaurelEvents
import LaurelRules

/// An event table with the plan's look-ups by its type and field indexes, made once for all its learners.
package final class BoundTable {
    package let table: EventTable
    private let plan: FoldPlan
    /// Per type of the table.
    private let kinds: [EventKind]
    /// Per version, once a row was folded under it.
    private var versions: [BoundVersion?]

    package init(_ table: EventTable, plan: FoldPlan) {
        self.table = table
        self.plan = plan
        kinds = (0..<table.types.count).map { EventKind(rawValue: table.types.string(UInt32($0))) ?? .other }
        versions = Array(repeating: nil, count: plan.versions.count)
    }

    func kind(_ row: Int) -> EventKind { kinds[Int(table.type[row])] }

    /// Visits the rows of a kind that has one type.
    func forEachRow(of kind: EventKind, _ rows: Range<Int>, _ body: (Int) -> Void) {
        guard let type = kinds.firstIndex(of: kind) else { return }
        let wanted = UInt32(type)
        table.type.withUnsafeBufferPointer { types in
            for row in rows where types[row] == wanted { body(row) }
        }
    }

    /// What the fold looks up per event under a version. Good as long as the table.
    func look(_ version: Int) -> TableLook {
        if let known = versions[version] { return known.look }
        let bound = BoundVersion(table, plan.versions[version])
        versions[version] = bound
        return bound.look
    }
}

/// A table bound to one version.
private final class BoundVersion {
    let look: TableLook
    private let memory = PlanMemory()
    /// Owns what `look` points into.
    private let plan: VersionPlan

    init(_ table: EventTable, _ plan: VersionPlan) {
        self.plan = plan
        let types = (0..<table.types.count).map { plan.typeIndex[table.types.string(UInt32($0))] ?? 0 }
        let fields = (0..<table.fields.count).map { plan.targets.place(ofField: table.fields.string(UInt32($0))) }
        var targets: [FieldTarget] = []
        targets.reserveCapacity(types.count * fields.count)
        for type in types {
            for field in fields { targets.append(plan.targets[type, field]) }
        }
        look = TableLook(
            typePlans: memory.keep(types.map { plan.types.baseAddress! + $0 }),
            targets: memory.keep(targets),
            fieldCount: fields.count,
            typeNames: memory.keep(BoundVersion.typeNames(table, memory))
        )
    }

    private static func typeNames(_ table: EventTable, _ memory: PlanMemory) -> [TextSlice] {
        let names = (0..<table.types.count).map { table.types[UInt32($0)] }
        let bytes = memory.keep(names.flatMap { $0 })
        var start = 0
        return names.map { name in
            defer { start += name.count }
            return TextSlice(start: bytes.baseAddress.map { $0 + start }, count: name.count)
        }
    }

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
