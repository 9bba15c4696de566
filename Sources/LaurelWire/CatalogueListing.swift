// SPDX-License-Identifier: Apache-2.0

/// The catalogue as text, for `laurel events` and the documentation.
extension Catalogue {
    /// A paragraph for each type. It has the type's name and summary, and a line for each field.
    public static var listing: String {
        types.map { type in
            var lines = ["\(type.name)  \(type.summary)"]
            if type.isAdministered { lines.append("    \(administered)") }
            for attribute in type.neededAttributes { lines.append("    needs the attribute \(attribute)") }
            let width = type.fields.map(\.name.count).max() ?? 0
            for field in type.fields {
                let name = field.name + String(repeating: " ", count: width - field.name.count)
                lines.append("    \(name)  \(field.sentence)")
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// The note for a type or field that only administrators may send.
    fileprivate static let administered = "for administrators only"

    /// The catalogue as a list of objects, one per type. Each has `name`, `summary`, `administered`, `needs` and
    /// `fields`, and `span` if two of its dates form a span. A field has `name`, `type`, `is`, `required`, `default`
    /// and `administered`, and `bounds` if it is a list of numbers.
    public static var json: JSONValue {
        .array(
            types.map { type in
                var members: [String: JSONValue] = [
                    "name": .string(type.name), "summary": .string(type.summary),
                    "administered": .boolean(type.isAdministered),
                    "needs": .array(type.neededAttributes.map { .string($0) }),
                    "fields": .array(type.fields.map(\.json)),
                ]
                members["span"] = type.span?.json
                return .object(members)
            }
        )
    }
}

extension DateSpan {
    fileprivate var json: JSONValue {
        ["from": .string(from), "through": .string(through), "mostDays": .integer(Int64(mostDays))]
    }
}

extension EventType {
    /// The optional attributes that an event of this type must have.
    public var neededAttributes: [String] {
        (needsLanguage ? ["language"] : []) + (needsSession ? ["session"] : [])
    }
}

extension Field {
    fileprivate var sentence: String {
        var sentence = requirement + (isRequired ? ", required" : "")
        if isAdministered { sentence += ", \(Catalogue.administered)" }
        switch defaultValue {
        case .none: break
        case .number(let number): sentence += ", \(number.plainSpelling) where absent"
        case .boolean(let boolean): sentence += ", \(boolean) where absent"
        }
        return sentence
    }

    fileprivate var json: JSONValue {
        let defaultJSON: JSONValue =
            switch defaultValue {
            case .none: .null
            case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .double(number)
            case .boolean(let boolean): .boolean(boolean)
            }
        var members: [String: JSONValue] = [
            "name": .string(name), "type": .string(type.rawValue), "is": .string(requirement),
            "required": .boolean(isRequired), "default": defaultJSON, "administered": .boolean(isAdministered),
        ]
        if case .numbers(let bounds) = constraint {
            members["bounds"] = .array(bounds.map { .array([.double($0.lowerBound), .double($0.upperBound)]) })
        }
        return .object(members)
    }
}
