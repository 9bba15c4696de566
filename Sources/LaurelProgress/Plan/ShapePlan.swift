// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// The plan for events of one type that have the same fields.
struct ShapePlan {
    let type: UnsafePointer<TypePlan>
    let isFoldedSeparately: Bool
    let typeName: TextSlice
    /// The values of the event that expressions read, with their slots.
    let loads: UnsafeBufferPointer<ReadValue>
    /// The values of the event that are stored with the learner: see ``TypePlan/learnerFields``.
    let learnerLoads: UnsafeBufferPointer<ReadValue>
    /// The fields that expressions read and that the event does not have: numbers, then texts.
    let absentNumbers: UnsafeBufferPointer<ReadField>
    let absentTexts: UnsafeBufferPointer<ReadField>
    /// For each ``FieldRole``, the index of its value among the event's values; −1 if the fold does not read the field.
    private let roles: UnsafePointer<Int32>

    /// - Parameter fields: the fields of the event's values, in their order; nil for fields that are not read.
    init(
        _ type: UnsafePointer<TypePlan>,
        typeName: TextSlice,
        fields: [KnownField?],
        wordDetails: UnsafeBufferPointer<WordDetailPlan>,
        _ memory: PlanStorage
    ) {
        (self.type, self.typeName) = (type, typeName)
        isFoldedSeparately = type.pointee.isFoldedSeparately
        var roles = [Int32](repeating: -1, count: FieldRole.allCases.count)
        var loads: [ReadValue] = []
        var learnerLoads: [ReadValue] = []
        for (index, field) in fields.enumerated() {
            guard let field else { continue }
            if let load = type.pointee.load(of: field) { loads.append(ReadValue(value: index, field: load)) }
            if let stored = type.pointee.learnerFields.first(where: { $0.index == field.index }) {
                learnerLoads.append(ReadValue(value: index, field: stored))
            }
            if let role = field.role, type.pointee.kind.reads(role, wordDetails) { roles[role.rawValue] = Int32(index) }
        }
        func absent(_ fields: UnsafeBufferPointer<ReadField>) -> UnsafeBufferPointer<ReadField> {
            let absent = fields.filter { field in !loads.contains { $0.field.index == field.index } }
            return absent.isEmpty ? UnsafeBufferPointer(start: nil, count: 0) : memory.keep(absent)
        }
        absentNumbers = absent(type.pointee.numberLoads)
        absentTexts = absent(type.pointee.textLoads)
        self.loads = memory.keep(loads)
        self.learnerLoads =
            learnerLoads.isEmpty ? UnsafeBufferPointer(start: nil, count: 0) : memory.keep(learnerLoads)
        self.roles = memory.keep(roles).baseAddress!
    }

    /// The index of a field's value among the event's values; nil if the field is absent.
    @inline(__always)
    func index(of role: FieldRole) -> Int? {
        let index = Int(roles[role.rawValue])
        return index < 0 ? nil : index
    }
}

/// A value of the event that expressions read.
struct ReadValue {
    /// The index among the event's values.
    let value: Int
    let field: ReadField
}

/// One field of `data` that expressions may read at events of a type.
struct ReadField {
    /// The slot among the event's texts if the type is text, else among its numbers.
    let slot: Int
    let type: ValueType
    /// The number that replaces an absent field; NaN stands for null.
    let absent: Double
    /// The field's ``KnownField/index``; −1 if events of the type do not have the field.
    let index: Int
    /// The field's role in the fold itself; nil if only expressions read the field.
    let role: FieldRole?

    /// - Parameter use: the field's use by events of the type; nil if they do not have the field.
    init(_ field: FrameLayout.FieldSlot, _ use: FrameLayout.FieldUse?, _ fields: [String: KnownField]) {
        (slot, type) = (field.slot, field.type)
        absent = use?.defaultNumber ?? .nan
        index = use.flatMap { fields[$0.field.name]?.index } ?? -1
        role = use.flatMap { FieldRole.named[$0.field.name] }
    }

    /// Creates a field that only the fold itself reads.
    init(slot: Int, type: ValueType, index: Int) {
        (self.slot, self.type, self.index) = (slot, type, index)
        (absent, role) = (.nan, nil)
    }
}

/// A field of `data` that the fold or an expression reads.
struct KnownField {
    /// A number that identifies the field.
    let index: Int
    let role: FieldRole?

    /// The known fields, by name.
    static func all(_ names: Set<String>) -> [String: KnownField] {
        Dictionary(
            uniqueKeysWithValues: names.enumerated().map { index, name in
                (name, KnownField(index: index, role: FieldRole.named[name]))
            }
        )
    }
}

extension TypePlan {
    fileprivate func load(of field: KnownField) -> ReadField? {
        numberLoads.first { $0.index == field.index } ?? textLoads.first { $0.index == field.index }
    }
}

extension EventKind {
    /// True if the fold itself reads the field with a role from events of this kind. Details of words are read only if
    /// expressions use the details.
    fileprivate func reads(_ role: FieldRole, _ wordDetails: UnsafeBufferPointer<WordDetailPlan>) -> Bool {
        guard self != .other, reads(role) else { return false }
        guard WordDetailPlan.all.contains(where: { $0.role == role }) else { return true }
        return concernsWord && wordDetails.contains { $0.role == role }
    }
}
