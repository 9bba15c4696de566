// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The event fields that rules can name: the catalogue's fields, and those that the rules declare.
struct EventFields {
    struct Field {
        let name: String
        let type: FieldType
        var defaultNumber: Double?
    }

    private(set) var fieldsByType: [String: [Field]] = [:]
    /// All types, the catalogue's first, in a fixed order.
    private(set) var typeNames: [String] = []

    init(declared: [String: [String: FieldType]]) {
        for type in Catalogue.types {
            typeNames.append(type.name)
            fieldsByType[type.name] = type.fields.map {
                Field(name: $0.name, type: $0.type, defaultNumber: $0.defaultValue.number)
            }
        }
        for (name, fields) in declared.sorted(by: { $0.key < $1.key }) {
            if fieldsByType[name] == nil { typeNames.append(name) }
            let known = Set(fieldsByType[name, default: []].map(\.name))
            fieldsByType[name, default: []] += fields.sorted { $0.key < $1.key }.filter { !known.contains($0.key) }
                .map { Field(name: $0.key, type: $0.value) }
        }
    }

    func field(_ name: String, of type: String) -> Field? {
        fieldsByType[type]?.first { $0.name == name }
    }

    /// The event types that have a field, with the field's type. If `types` is nil, all types are searched.
    ///
    /// If `types` is nil and the field has several types, administrators' event types are left out. Otherwise a new
    /// field in the catalogue could break rules about an app's own events.
    func occurrences(of field: String, in types: [String]?) -> [(type: String, field: Field)] {
        let all = (types ?? typeNames).compactMap { type in self.field(field, of: type).map { (type: type, field: $0) }
        }
        guard types == nil, Set(all.map(\.field.type.valueType)).count > 1 else { return all }
        let others = all.filter { Catalogue.type(named: $0.type)?.isAdministered != true }
        return others.isEmpty ? all : others
    }

    /// The names of the fields of `types`; of all types if nil.
    func names(in types: [String]?) -> [String] {
        (types ?? typeNames).flatMap { fieldsByType[$0]?.map(\.name) ?? [] }
    }
}

extension Field.Default {
    fileprivate var number: Double? {
        switch self {
        case .none: nil
        case .number(let number): number
        case .boolean(let boolean): boolean ? 1 : 0
        }
    }
}
