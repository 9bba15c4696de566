// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The columns of a block before they are encoded. One instance is used for many blocks, so that its memory is reused.
struct BlockContent: ~Copyable {
    /// The time of each learner's first event, in milliseconds since 1970. For each other event, `timeSteps` has the
    /// milliseconds since the previous event.
    private(set) var firstTimes: [Int64] = []
    private(set) var timeSteps: [Int64] = []
    /// The context of each event.
    private(set) var contexts: [PackedEvents.Context] = []
    private(set) var shapes = ShapeColumns()
    private(set) var identifiers = IdentifierColumns()

    /// Replaces the content by that of another block.
    /// - Parameters:
    ///   - rows: the rows of the events, grouped by learner, each group in the learner's order.
    ///   - learners: ascending, each with the number of its rows.
    ///   - events: events that share one dictionary.
    mutating func fill(_ rows: [TableRow], of events: [PackedEvents], learners: [(learner: Int64, count: Int)]) {
        removeAll()
        shapes.begin(events[0].dictionary)
        var position = 0
        events.withUnsafeBufferPointer { events in
            for (_, count) in learners {
                identifiers.beginLearner()
                var last: Int64?
                for row in rows[position..<position + count] {
                    let (events, row) = (events[Int(row.table)], Int(row.row))
                    let time = events.milliseconds[row]
                    if let last { timeSteps.append(time - last) } else { firstTimes.append(time) }
                    last = time
                    append(events, row)
                }
                identifiers.endLearner()
                position += count
            }
        }
    }

    private mutating func removeAll() {
        firstTimes.removeAll(keepingCapacity: true)
        timeSteps.removeAll(keepingCapacity: true)
        contexts.removeAll(keepingCapacity: true)
        identifiers.removeAll()
    }

    @inline(__always)
    private mutating func append(_ events: PackedEvents, _ row: Int) {
        var (context, rest) = events.record(row)
        contexts.append(context)
        let shape = Int(rest.varint())
        identifiers.append(context, &rest)
        shapes.append(shape, &rest)
    }
}

/// The values of one field, in the order of events. The memory grows as needed.
struct ValueList {
    private(set) var count = 0
    private var capacity = 0
    /// The kind and the payload of each value.
    private var kinds = UnsafeMutablePointer<EventValue.Kind>.allocate(capacity: 0)
    private var payloads = UnsafeMutablePointer<UInt64>.allocate(capacity: 0)

    @inline(__always)
    mutating func append(_ kind: EventValue.Kind, _ payload: UInt64) {
        if count == capacity { grow() }
        kinds[count] = kind
        payloads[count] = payload
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let (oldKinds, oldPayloads) = (kinds, payloads)
        capacity = max(256, capacity * 2)
        kinds = .allocate(capacity: capacity)
        payloads = .allocate(capacity: capacity)
        kinds.update(from: oldKinds, count: count)
        payloads.update(from: oldPayloads, count: count)
        oldKinds.deallocate()
        oldPayloads.deallocate()
    }

    mutating func removeAll() { count = 0 }

    func deallocate() {
        kinds.deallocate()
        payloads.deallocate()
    }

    var allKinds: UnsafeBufferPointer<EventValue.Kind> { UnsafeBufferPointer(start: kinds, count: count) }

    /// The common kind of all values; nil if the values have different kinds, or there are no values.
    var onlyKind: EventValue.Kind? {
        // Compares bytes, because comparing the kinds would call a function of another module.
        let raw = UnsafeRawBufferPointer(allKinds)
        guard let first = raw.first, raw.allSatisfy({ $0 == first }) else { return nil }
        return kinds[0]
    }

    /// The values that are integers or doubles.
    var numbers: [EventValue] {
        select(ValueColumn.isNumber) { EventValue(field: 0, kind: $0, payload: $1) }
    }

    /// For each value that is a text, JSON or a spelled number, the index of its text.
    var texts: [UInt32] {
        select(ValueColumn.isText) { UInt32(truncatingIfNeeded: $1) }
    }

    @inline(__always)
    private func select<Element>(
        _ isWanted: (EventValue.Kind) -> Bool,
        _ element: (EventValue.Kind, UInt64) -> Element
    ) -> [Element] {
        // Usually either all values are of this kind, or none is.
        if let kind = onlyKind {
            guard isWanted(kind) else { return [] }
            return [Element](unsafeUninitializedCapacity: count) { elements, filled in
                for position in 0..<count {
                    elements.initializeElement(at: position, to: element(kind, payloads[position]))
                }
                filled = count
            }
        }
        var elements: [Element] = []
        for position in 0..<count where isWanted(kinds[position]) {
            elements.append(element(kinds[position], payloads[position]))
        }
        return elements
    }
}

/// The shapes of a block's events, and their values field by field. A shape is a type with its fields in order.
struct ShapeColumns: ~Copyable {
    /// The shape of each row, as its number in the block.
    private(set) var ofRow: [Int64] = []
    /// The values of each field. Unused lists at the end may remain from an earlier block.
    private var values: [ValueList] = []
    private var types: [UInt32] = []
    private var fields: [UInt32] = []
    /// The index of each type in `types`, and of each field in `fields`.
    private var typeIndexes: [UInt32: Int] = [:]
    private var fieldIndexes: [UInt32: Int] = [:]
    /// The shapes. Each has the index of its type in `types`, followed by the indexes of its fields in `fields`.
    private var shapes: [[Int]] = []
    private var shapeNumbers: [[Int]: Int] = [:]

    private var common = CommonTexts()
    private var packedShapes: [PackingDictionary.Shape] = []
    private var members: [PackingDictionary.Member] = []
    /// For each shape of the dictionary, its number in the block; −1 for a shape that the block does not have yet.
    private var shapeIndexes: [Int] = []
    /// For each member of the dictionary, the index of its field in `fields`.
    private var positions: [Int32] = []

    deinit { for list in values { list.deallocate() } }

    mutating func begin(_ dictionary: PackingDictionary) {
        common = dictionary.common
        (packedShapes, members) = (dictionary.shapes, dictionary.members)
        for position in fields.indices { values[position].removeAll() }
        ofRow.removeAll(keepingCapacity: true)
        (types, fields, shapes, shapeNumbers) = ([], [], [], [:])
        (typeIndexes, fieldIndexes) = ([:], [:])
        shapeIndexes = Array(repeating: -1, count: dictionary.shapes.count)
        positions = Array(repeating: 0, count: dictionary.members.count)
    }

    /// - Parameter record: a cursor at the values of the event.
    @inline(__always)
    mutating func append(_ shape: Int, _ record: inout PackedCursor) {
        if shapeIndexes[shape] < 0 { meet(shape) }
        ofRow.append(Int64(shapeIndexes[shape]))
        let range = packedShapes[shape]
        let (members, positions) = (members.addressWhileAlive, positions.addressWhileAlive)
        values.withUnsafeMutableBufferPointer { values in
            for index in range.first..<range.end {
                let (kind, payload) = record.value(members[index].kind)
                values[Int(positions[index])].append(kind, payload)
            }
        }
    }

    private mutating func meet(_ shape: Int) {
        let range = packedShapes[shape]
        let type = ShapeColumns.position(of: range.type, in: &types, &typeIndexes)
        for index in range.first..<range.end {
            positions[index] = Int32(ShapeColumns.position(of: members[index].field, in: &fields, &fieldIndexes))
        }
        if values.count < fields.count {
            for _ in values.count..<fields.count { values.append(ValueList()) }
        }
        // The dictionary has a separate shape for each combination of kinds. The block has one shape for all of them.
        let key = [type] + positions[range.first..<range.end].map { Int($0) }
        shapeIndexes[shape] = shapeNumbers[key] ?? shapes.count
        if shapeIndexes[shape] == shapes.count {
            shapeNumbers[key] = shapes.count
            shapes.append(key)
        }
    }

    private static func position(of name: UInt32, in names: inout [UInt32], _ positions: inout [UInt32: Int]) -> Int {
        if let position = positions[name] { return position }
        positions[name] = names.count
        names.append(name)
        return names.count - 1
    }

    var columns: ArraySlice<ValueList> { values[..<fields.count] }

    func write(to directory: inout [UInt8]) {
        directory.append(varint: types.count)
        for type in types { directory.append(text: common.types[type]) }
        directory.append(varint: fields.count)
        for field in fields { directory.append(text: common.fields[field]) }
        directory.append(varint: shapes.count)
        for shape in shapes {
            directory.append(varint: shape[0])
            directory.append(varint: shape.count - 1)
            for field in shape.dropFirst() { directory.append(varint: field) }
        }
    }
}
