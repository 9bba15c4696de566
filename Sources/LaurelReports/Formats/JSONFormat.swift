// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Writes the whole report: every table, with the types of its columns.
enum JSONFormat {
    static func text(_ document: Document) -> String {
        let value: JSONValue = .object([
            "report": .string(document.name),
            "title": .string(document.title),
            "subject": subject(document.subject),
            "language": .string(document.language),
            "week": .object([
                "name": .string(document.week), "start": .string("\(document.weekStart)"),
                "end": .string("\(document.weekEnd)"), "unfinished": .boolean(document.isUnfinished),
            ]),
            "asOf": .string("\(document.asOf)"),
            "sections": .array(document.sections.map(section)),
        ])
        return value.json + "\n"
    }

    private static func subject(_ subject: DocumentSubject) -> JSONValue {
        switch subject {
        case .learner(let id, let name): .object(["learner": .string(id), "name": .optional(name)])
        case .cohort(let name): .object(["cohort": .string(name)])
        case .everyone: .object(["everyone": true])
        }
    }

    private static func section(_ section: DocumentSection) -> JSONValue {
        .object(["title": .optional(section.title), "exhibits": .array(section.exhibits.map(exhibit))])
    }

    private static func exhibit(_ exhibit: Exhibit) -> JSONValue {
        let columns = exhibit.table.columns
        return .object([
            "title": .optional(exhibit.title),
            "show": .string(exhibit.show.rawValue),
            "note": .optional(exhibit.note),
            "text": .optional(exhibit.text),
            "series": .optional(exhibit.series),
            "columns": .array(columns.map(column)),
            "rows": .array(
                exhibit.table.rows.map { row in
                    .object(Dictionary(zip(columns, row).map { ($0.name, value($1)) }) { first, _ in first })
                }
            ),
        ])
    }

    private static func column(_ column: DataTable.Column) -> JSONValue {
        .object([
            "name": .string(column.name), "title": .string(column.title), "type": .string(column.type.rawValue),
            "unit": .optional(column.unit?.other),
        ])
    }

    private static func value(_ cell: Cell) -> JSONValue {
        switch cell {
        case .null: .null
        case .text(let text): .string(text)
        case .number(let number): .number(number)
        }
    }
}
