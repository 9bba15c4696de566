// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelRules

/// An event table whose types and fields were looked up in the plan once, for all learners in the table.
package final class PlannedTable {
    package let table: EventTable
    private let plan: FoldPlan
    /// The event kind of each type, by the type's index in the table.
    private let kinds: [EventKind]
    /// The table's bindings to versions. A binding is created when the first row is folded under its version.
    private var versions: [BoundVersion?]
    /// The administrators' events, computed when a discarded session is first encountered.
    private lazy var administered = AdministeredEvents(table, fields: plan.administeredFields)

    package init(_ table: EventTable, plan: FoldPlan) {
        self.table = table
        self.plan = plan
        kinds = (0..<table.types.count).map { EventKind(rawValue: table.types.string(UInt32($0))) ?? .other }
        versions = Array(repeating: nil, count: plan.versions.count)
    }

    func kind(_ row: Int) -> EventKind { kinds[Int(table.type[row])] }

    /// True if an administrator sent the event. A discarded session does not void such an event.
    func isAdministered(_ row: Int) -> Bool { administered.reason(table, row) != nil }

    /// Calls `body` for each row with an event of a kind. The kind must have only one type.
    package func forEachRow(of kind: EventKind, _ rows: Range<Int>, _ body: (Int) -> Void) {
        guard let type = kinds.firstIndex(of: kind) else { return }
        let wanted = UInt32(type)
        table.type.withUnsafeBufferPointer { types in
            for row in rows where types[row] == wanted { body(row) }
        }
    }

    /// The look-ups for events under a version. They are valid as long as this table exists.
    func look(_ version: Int) -> TableLookups {
        if let known = versions[version] { return known.look }
        let bound = BoundVersion(table, plan.versions[version])
        versions[version] = bound
        return bound.look
    }
}

/// The look-ups of a table under one version.
private final class BoundVersion {
    let look: TableLookups
    private let memory = PlanStorage()
    /// The objects that own the memory to which `look` points.
    private let plan: VersionPlan
    private let shape: [UInt32]

    init(_ table: EventTable, _ plan: VersionPlan) {
        self.plan = plan
        let shapes: [EventShape]
        (shape, shapes) = table.shape.count == table.count ? (table.shape, table.shapes) : table.foundShapes
        let fields = (0..<table.fields.count).map { plan.fields[table.fields.string(UInt32($0))] }
        let types = (0..<table.types.count).map { plan.typeIndex[table.types.string(UInt32($0))] ?? 0 }
        let names = BoundVersion.typeNames(table, memory)
        let memory = memory
        let plans = shapes.map { shape in
            ShapePlan(
                plan.types.baseAddress! + types[Int(shape.type)],
                typeName: names[Int(shape.type)],
                fields: shape.fields.map { fields[Int($0)] },
                wordDetails: plan.wordDetails,
                memory
            )
        }
        look = TableLookups(shapePlans: memory.keep(plans).baseAddress!, shape: shape.addressWhileAlive)
    }

    private static func typeNames(_ table: EventTable, _ memory: PlanStorage) -> [TextSlice] {
        let names = (0..<table.types.count).map { table.types[UInt32($0)] }
        let bytes = memory.keep(names.flatMap { $0 })
        var start = 0
        return names.map { name in
            defer { start += name.count }
            return TextSlice(start: bytes.baseAddress.map { $0 + start }, count: name.count)
        }
    }
}

extension EventTable {
    /// The shapes of the events, computed for a table that does not store shapes.
    fileprivate var foundShapes: ([UInt32], [EventShape]) {
        var indexes: [EventShape: UInt32] = [:]
        var shapes: [EventShape] = []
        // The latest shape of each type. Two consecutive events of a type usually have the same shape.
        var latest = [UInt32?](repeating: nil, count: types.count)
        let shape = (0..<count).map { row in
            let (type, values) = (type[row], values(of: row))
            if let index = latest[Int(type)], shapes[Int(index)].fields.elementsEqual(values.lazy.map(\.field)) {
                return index
            }
            let shape = EventShape(type: type, fields: values.map(\.field))
            let index = indexes[shape] ?? UInt32(shapes.count)
            if Int(index) == shapes.count {
                shapes.append(shape)
                indexes[shape] = index
            }
            latest[Int(type)] = index
            return index
        }
        return (shape, shapes)
    }
}

/// The look-ups of a table under one version, as plain pointers.
struct TableLookups {
    private let shapePlans: UnsafePointer<ShapePlan>
    private let shape: UnsafePointer<UInt32>

    init(shapePlans: UnsafePointer<ShapePlan>, shape: UnsafePointer<UInt32>) {
        (self.shapePlans, self.shape) = (shapePlans, shape)
    }

    /// The plan for a row's event.
    @inline(__always)
    subscript(row: Int) -> UnsafePointer<ShapePlan> { shapePlans + Int(shape[row]) }
}
