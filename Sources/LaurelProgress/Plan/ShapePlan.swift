// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// What events of one type that tell the same fields touch.
struct ShapePlan {
    let type: UnsafePointer<TypePlan>
    let isFoldedAlone: Bool
    let typeName: TextSlice
    /// Where values go that expressions read.
    let loads: UnsafeBufferPointer<ReadValue>
    /// What expressions read and the event does not tell.
    let absentNumbers: UnsafeBufferPointer<ReadField>
    let absentTexts: UnsafeBufferPointer<ReadField>
    /// Per ``FieldRole`` the place of its value among the event's; −1 where the fold does not read it.
    private let roles: UnsafePointer<Int32>

    /// - Parameter fields: of the values; nil for those that nobody reads.
    init(
        _ type: UnsafePointer<TypePlan>,
        typeName: TextSlice,
        fields: [KnownField?],
        wordDetails: UnsafeBufferPointer<WordDetailPlan>,
        _ memory: PlanStorage
    ) {
        (self.type, self.typeName) = (type, typeName)
        isFoldedAlone = type.pointee.isFoldedAlone
        var roles = [Int32](repeating: -1, count: FieldRole.allCases.count)
        var loads: [ReadValue] = []
        for (place, field) in fields.enumerated() {
            guard let field else { continue }
            if let load = type.pointee.load(of: field) { loads.append(ReadValue(value: place, field: load)) }
            if let role = field.role, type.pointee.kind.reads(role, wordDetails) { roles[role.rawValue] = Int32(place) }
        }
        func absent(_ fields: UnsafeBufferPointer<ReadField>) -> UnsafeBufferPointer<ReadField> {
            let absent = fields.filter { field in !loads.contains { $0.field.place == field.place } }
            return absent.isEmpty ? UnsafeBufferPointer(start: nil, count: 0) : memory.keep(absent)
        }
        absentNumbers = absent(type.pointee.numberLoads)
        absentTexts = absent(type.pointee.textLoads)
        self.loads = memory.keep(loads)
        self.roles = memory.keep(roles).baseAddress!
    }

    /// The place of a field's value among the event's, or nil where it is absent.
    @inline(__always)
    func place(of role: FieldRole) -> Int? {
        let place = Int(roles[role.rawValue])
        return place < 0 ? nil : place
    }
}

/// A value that expressions read.
struct ReadValue {
    /// Its place among the event's.
    let value: Int
    let field: ReadField
}

/// One field of `data` that expressions may read at events of a type.
struct ReadField {
    /// Among the event's texts or its numbers.
    let slot: Int
    let type: ValueType
    /// What a number's slot holds where the field is absent; NaN is null.
    let absent: Double
    /// See ``KnownField/place``; −1 where events of the type do not have the field.
    let place: Int
    /// The fold's own name for the field, if it has one.
    let role: FieldRole?

    /// - Parameter use: nil where events of the type do not have the field.
    init(_ field: FrameLayout.FieldSlot, _ use: FrameLayout.FieldUse?, _ fields: [String: KnownField]) {
        (slot, type) = (field.slot, field.type)
        absent = use?.defaultNumber ?? .nan
        place = use.flatMap { fields[$0.field.name]?.place } ?? -1
        role = use.flatMap { FieldRole.named[$0.field.name] }
    }
}

/// A field of `data` that the fold or an expression reads.
struct KnownField {
    /// Tells fields apart.
    let place: Int
    let role: FieldRole?

    /// By their names.
    static func all(_ names: Set<String>) -> [String: KnownField] {
        Dictionary(
            uniqueKeysWithValues: names.enumerated().map { place, name in
                (name, KnownField(place: place, role: FieldRole.named[name]))
            }
        )
    }
}

extension TypePlan {
    fileprivate func load(of field: KnownField) -> ReadField? {
        numberLoads.first { $0.place == field.place } ?? textLoads.first { $0.place == field.place }
    }
}

extension EventKind {
    /// True if the fold itself reads a field of such events; details of words only where expressions ask for them.
    fileprivate func reads(_ role: FieldRole, _ wordDetails: UnsafeBufferPointer<WordDetailPlan>) -> Bool {
        guard self != .other, reads(role) else { return false }
        guard WordDetailPlan.all.contains(where: { $0.role == role }) else { return true }
        return concernsWord && wordDetails.contains { $0.role == role }
    }
}
