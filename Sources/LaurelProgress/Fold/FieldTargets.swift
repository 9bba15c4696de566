import LaurelRules

/// Where the value of a field goes: into a slot that expressions read, and to the fold itself.
struct FieldTarget {
    /// −1: no expression reads it.
    let slot: Int32
    /// −1: the fold does not read it.
    let role: Int8
    let type: Slot

    enum Slot: UInt8 {
        case number, boolean, text
    }

    static let nowhere = FieldTarget(nil, role: nil)

    init(_ field: FrameLayout.FieldSlot?, role: FieldRole?) {
        slot = Int32(field?.slot ?? -1)
        type =
            switch field?.type {
            case .text: .text
            case .boolean: .boolean
            default: .number
            }
        self.role = Int8(role?.rawValue ?? -1)
    }
}

/// Where the values of all fields go in events of all types, looked up once for every table.
struct FieldTargets {
    /// By the field's name; no other field goes anywhere.
    private let places: [String: Int]
    /// Per type of the plan, `places.count` each.
    private let targets: [FieldTarget]

    /// - Parameters:
    ///   - types: with their names, in the plan's order.
    ///   - fields: those that the fold or an expression reads.
    init(
        types: some Collection<(name: String, kind: EventKind)>,
        fields: Set<String>,
        layout: FrameLayout,
        wordDetails: UnsafeBufferPointer<WordDetailPlan>
    ) {
        let names = fields.sorted()
        places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
        targets = types.flatMap { name, kind in
            let uses = layout.fields(for: name)
            return names.map { field in
                FieldTarget(
                    uses.first { $0.field.name == field }?.field,
                    role: kind == .other ? nil : FieldTargets.role(ofField: field, kind, wordDetails)
                )
            }
        }
    }

    /// The place of a field among ``subscript(_:_:)``'s; nil where nobody reads it.
    func place(ofField name: String) -> Int? { places[name] }

    /// - Parameter type: the type's index in the plan.
    subscript(type: Int, place: Int?) -> FieldTarget {
        place.map { targets[type * places.count + $0] } ?? .nowhere
    }

    /// What the fold itself reads a field of an event as; details of words only where expressions ask for them.
    private static func role(
        ofField name: String,
        _ kind: EventKind,
        _ wordDetails: UnsafeBufferPointer<WordDetailPlan>
    ) -> FieldRole? {
        guard let role = FieldRole.named[name], kind.reads(role) else { return nil }
        guard WordDetailPlan.all.contains(where: { $0.role == role }) else { return role }
        return kind.concernsWord && wordDetails.contains { $0.role == role } ? role : nil
    }
}
