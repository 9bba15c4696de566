// SPDX-License-Identifier: Apache-2.0

/// The checks of an event type.
struct TypeShape: Sendable {
    /// The catalogue's type; nil if the catalogue does not know it.
    let type: EventType?
    /// The attributes that every event of the type needs, as bits.
    let attributes: UInt64
    private let rules: [FieldRule]
    /// For each rule, the allowed texts.
    private let options: [[[UInt8]]]
    /// The catalogue's fields, one per rule.
    let fields: [Field]
    /// The rules of required fields, as bits.
    let required: UInt64

    init(_ type: EventType?) {
        self.type = type
        attributes =
            RawEvent.required | (type?.needsLanguage == true ? RawEvent.bit(.language) : 0)
            | (type?.needsSession == true ? RawEvent.bit(.session) : 0)
        let fields = type?.fields ?? []
        self.fields = fields
        precondition(fields.count <= 64, "a type has at most 64 fields, one bit each")
        rules = fields.map(FieldRule.init)
        options = fields.map { field in
            if case .oneOf(let names) = field.constraint { names.map { Array($0.utf8) } } else { [] }
        }
        required = fields.indices.reduce(0) { $0 | (fields[$1].isRequired ? 1 << UInt64($1) : 0) }
    }

    /// The rule of a field and its index; nil if the catalogue does not name the field.
    func rule(of name: UnsafeBufferPointer<UInt8>) -> (rule: FieldRule, index: Int)? {
        fields.firstIndex { name.elementsEqual($0.name.utf8) }.map { (rules[$0], $0) }
    }

    /// True if a text is among those that a rule allows.
    func allows(_ text: UnsafeBufferPointer<UInt8>, byRule index: Int) -> Bool {
        options[index].contains { $0.withUnsafeBufferPointer { $0.isEqual(to: text) } }
    }
}

/// The shapes of all types of the catalogue, and one for all unknown types.
struct TypeShapes: Sendable {
    let all: [TypeShape]
    private let byName: TextTable

    /// The shapes for all decoders. Building them takes longer than decoding many events.
    static let shared = TypeShapes()

    private init() {
        all = [TypeShape(nil)] + Catalogue.types.map(TypeShape.init)
        var names = TextTable()
        // The names are interned in order, so that a name's index is also its shape's index.
        for type in Catalogue.types { _ = names.intern(type.name) }
        byName = names
    }

    /// Index into `all`; 0 for a type that the catalogue does not know.
    func index(of name: UnsafeBufferPointer<UInt8>) -> Int { byName.find(name).map(Int.init) ?? 0 }
}
