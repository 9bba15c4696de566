// SPDX-License-Identifier: Apache-2.0

/// The meaning of a column in a mapping's query. It follows from the column's name.
enum EventColumn: Equatable {
    /// The way in which a field's value is read.
    enum Form: String {
        case plain, json, boolean
    }

    case attribute(String)
    case field(String, Form)
    /// The whole `data` of the event, as a JSON object.
    case wholeData
    /// The reason why the row is not a valid event; null for a valid event.
    case refuse
    /// The id of the row in the app's store. The id is the same in every copy of the store.
    case row
    /// Columns for events about the same activity. They decide which event counts, and which earlier events the event
    /// replaces.
    case rank, edition, occurrence, replaces
    /// Columns for text sources: the line and the text of the record.
    case line, original

    static let lineName = "@line"
    static let originalName = "@original"
    static let advice = [
        "id": "it must be the same for the same thing whenever a file is read, and for nothing else",
        "time": "it says when the event happened, as RFC 3339",
    ]

    init(_ name: String) {
        switch name {
        case Self.lineName: self = .line
        case Self.originalName: self = .original
        case "refuse": self = .refuse
        case "row": self = .row
        case "rank": self = .rank
        case "edition": self = .edition
        case "occurrence": self = .occurrence
        case "replaces": self = .replaces
        case "data": self = .wholeData
        case "type": self = .attribute(name)
        case _ where MappingKeys.attributes.contains(name): self = .attribute(name)
        default:
            let field = name.hasPrefix("data.") ? name.dropFirst(5) : name[...]
            if field.hasSuffix(":json") {
                self = .field(String(field.dropLast(5)), .json)
            } else if field.hasSuffix(":boolean") {
                self = .field(String(field.dropLast(8)), .boolean)
            } else {
                self = .field(String(field), .plain)
            }
        }
    }

    var field: String? {
        if case .field(let name, _) = self { name } else { nil }
    }
}
