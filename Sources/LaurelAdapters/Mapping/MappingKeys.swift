// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

/// THE list of keys that a mapping file may contain, by section.
enum MappingKeys: String, CaseIterable, SectionKeys {
    case mapping, event, defaults, omission, requirement, copies, table

    /// The keys that give an event's attributes.
    static let attributes = ["id", "time", "subject", "language", "session", "timezone", "source"]
    /// The keys that decide whether an event counts, and which other events it replaces.
    static let marks = ["refuse", "rank", "edition", "occurrence", "replaces"]
    /// The keys that select the records for an entry.
    private static let selection = ["of", "from", "each", "when", "sql", "optional"]

    var names: [String] {
        switch self {
        case .mapping:
            [
                "version", "name", "summary", "example", "needs", "takes", "reads", "csv", "source", "members",
                "recognise",
                "tables", "requires", "as", "document", "whole", "kind", "values", "defaults", "copies", "events",
                "left_out",
            ]
        case .defaults: ["changed", "order_by"] + Self.marks + Self.attributes
        case .event:
            ["what", "type", "changed", "order_by", "data", "retracts"] + Self.marks + Self.selection + Self.attributes
        case .omission: ["what", "why", "count"] + Self.selection
        case .requirement: ["sql", "message"]
        case .copies: ["store", "order"]
        case .table: ["separator", "encoding", "columns", "optional"]
        }
    }

    var phrase: String {
        switch self {
        case .mapping: "a mapping"
        case .event: "an entry of `events`"
        case .defaults: "`defaults`"
        case .omission: "an entry of `left_out`"
        case .requirement: "an entry of `requires`"
        case .copies: "`copies`"
        case .table: "`csv`"
        }
    }
}
