// SPDX-License-Identifier: Apache-2.0

/// The catalogue in words, for `laurel events` and the documentation.
extension Catalogue {
    /// A paragraph per type: its name and summary, then a line per field.
    public static var listing: String {
        types.map { type in
            var lines = ["\(type.name)  \(type.summary)"]
            for attribute in type.neededAttributes { lines.append("    needs the attribute \(attribute)") }
            let width = type.fields.map(\.name.count).max() ?? 0
            for field in type.fields {
                let name = field.name + String(repeating: " ", count: width - field.name.count)
                lines.append("    \(name)  \(field.sentence)")
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// A list of objects: `name`, `summary`, `needs`, and `fields` with `name`, `type`, `is`, `required` and `default`.
    public static var json: JSONValue {
        .array(
            types.map { type in
                [
                    "name": .string(type.name), "summary": .string(type.summary),
                    "needs": .array(type.neededAttributes.map { .string($0) }),
                    "fields": .array(type.fields.map(\.json)),
                ]
            }
        )
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
        return [
            "name": .string(name), "type": .string(type.rawValue), "is": .string(requirement),
            "required": .boolean(isRequired), "default": defaultJSON,
        ]
    }
}
