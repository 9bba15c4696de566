// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelPostgreSQL
import LaurelProgress
import Testing

@testable import LaurelStore

/// The list of columns, the databases' tables and views, and `docs/store.md` agree.
@Suite(.serialized) struct RelationTests {
    /// The views with their columns before the fields, and the fields.
    private static let views: [(view: String, key: [String], fields: [Column])] =
        Relation.projected.map { (view: $0.view, key: $0.shownKey, fields: $0.shownFields) }
        + GamesView.all.map { (view: $0.name, key: [], fields: $0.columns) }

    @Test(arguments: views.map { $0.view }) func `the document tells a view's columns`(view: String) throws {
        let found = try #require(Self.views.first { $0.view == view })
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = root.appending(path: "docs/store.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("| `\(view)` |") })
        let keys = (["learner_number", "learner"] + found.key).map { "`\($0)`" }
        let fields = found.fields.map { "`\($0.shownAs)`" + ($0.note.isEmpty ? "" : " (\($0.note))") }
        let head = line.split(separator: "|").prefix(2).joined(separator: "|")
        let expected = "|\(head)| \((keys + fields).joined(separator: ", ")) |"
        // Written where this variable is set: see CONTRIBUTING.md.
        if line != expected, ProcessInfo.processInfo.environment["LAUREL_WRITE"] != nil {
            try text.replacing(line, with: expected).write(to: document, atomically: true, encoding: .utf8)
        }
        #expect(line == expected, "LAUREL_WRITE=1 writes it")
    }

    @Test func `a file has the columns of the list`() throws {
        let test = try Backend.sqlite.make()
        // Read only.
        let connection = try Connection(path: try #require(test.path), flags: 1)
        func columns(of table: String) throws -> [String] {
            let statement = try connection.newStatement("PRAGMA table_info(\(table))")
            var columns: [String] = []
            while try statement.step() {
                let type = statement.string(2) + (statement.integer(3) == 0 ? "" : " NOT NULL")
                columns.append("\(statement.string(1)) \(type)\(statement.integer(5) == 0 ? "" : " KEY")")
            }
            return columns
        }
        for relation in Relation.projected {
            let expected = relation.columns.enumerated().map { place, column in
                let type = [.real: "REAL", .text: "TEXT", .numbers: "TEXT"][column.type] ?? "INTEGER"
                return column.name + " " + type + (column.isOptional ? "" : " NOT NULL")
                    + (place < relation.keyCount ? " KEY" : "")
            }
            #expect(try columns(of: relation.name) == expected)
            let shown = try columns(of: relation.view).map { $0.prefix { $0 != " " } }
            #expect(shown == shownColumns(relation))
        }
        for relation in Self.stored where relation.name != Relation.shadowChanged.name {
            // A column of a key need not say that it has no nulls.
            let found = try columns(of: relation.name).map { $0.replacing(" KEY", with: "") }
            let expected = relation.columns.enumerated().map { index, column in
                let name = "\(column.name) \([.text: "TEXT", .bytes: "BLOB"][column.type] ?? "INTEGER")"
                let isBare = index < relation.keyCount && found.contains(name)
                return name + (column.isOptional || isBare ? "" : " NOT NULL")
            }
            #expect(found.sorted() == expected.sorted(), "\(relation.name)")
        }
    }

    @Test(.enabled(if: DatabaseServer.shared != nil)) func `a database has the columns of the list`() throws {
        let test = try Backend.postgresql.make()
        let database = try Database(try #require(test.location))
        func columns(of table: String) throws -> [(name: String, type: String)] {
            try database.connection.rows(
                """
                SELECT column_name::text, data_type::text || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END
                FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '\(table)'
                ORDER BY ordinal_position
                """
            ).map { ($0.string(0), $0.string(1)) }
        }
        for relation in Relation.projected {
            let expected = relation.columns.map { column in
                let whole = column.isNarrow ? "integer" : "bigint"
                let type = [.real: "double precision", .text: "text", .numbers: "text"][column.type] ?? whole
                return "\(column.name) \(type)\(column.isOptional ? "" : " NOT NULL")"
            }
            let found = try columns(of: relation.name).map { "\($0.name) \($0.type)" }
            #expect(found == ["edition integer NOT NULL", "bucket integer NOT NULL"] + expected)
            #expect(try columns(of: relation.view).map { $0.name[...] } == shownColumns(relation))
        }
        for relation in Self.stored {
            let expected = relation.columns.map { column in
                let whole = column.isNarrow ? "integer" : "bigint"
                let type = [.text: "text", .bytes: "bytea"][column.type] ?? whole
                return "\(column.name) \(type)\(column.isOptional ? "" : " NOT NULL")"
            }
            let heads = (relation.scope == .edition ? ["edition"] : []) + ["bucket"]
            let found = try columns(of: relation.name).map { "\($0.name) \($0.type)" }
            #expect(found == heads.map { "\($0) integer NOT NULL" } + expected, "\(relation.name)")
        }
    }

    private static let stored: [Relation] = [
        .learners, .copies, .notes, .groupLearners, .merges, .blocks, .generations, .runs, .tail, .identities,
        .identityLeaves, .quarantine, .quarantinePieces, .shadowChanged, .snapshots, .checkpoints,
    ]

    private func shownColumns(_ relation: Relation) -> [Substring] {
        (["learner_number", "learner"] + relation.shownKey + relation.shownFields.map(\.shownAs)).map { $0[...] }
    }
}
