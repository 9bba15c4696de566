// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelYAML

/// A checked mapping file, which converts an app's files to events. Its expressions are compiled to SQL.
///
/// A SQLite source is queried directly. The records of a text source are inserted into the table `record` of a
/// temporary database, and are queried there. So mappings for both kinds of sources use the same language and
/// functions.
package struct Mapping: Sendable {
    /// The kinds of files.
    package enum Source: String, Sendable, CaseIterable {
        case sqlite
        /// JSON objects, one per line or in a list. Each object is a record.
        case records = "json-records"
        /// One JSON document, which is the only record. Several documents are allowed, too, one per line.
        case document = "json-document"
        /// A table as text, such as CSV. Each row is a record, whose values are texts.
        case table = "csv"
    }

    /// The treatment of an event whose identity is already stored with other content.
    package enum Change: String, Sendable, CaseIterable {
        /// The new event is refused and stored in quarantine as a conflict.
        case conflict
        /// The stored event is preserved, and the new event counts as a duplicate.
        case keep
        /// Each version is stored with a separate id, and all versions except the first are retracted: see
        /// ``VersionID``.
        case first
        /// The id includes a digest of the content. So changed content gives another event.
        case version
    }

    /// A query. Each row of its result is an event.
    struct Statement: Sendable {
        /// The index of the events' kind in ``Mapping/kinds``.
        var kind: Int
        var sql: String
        /// The mapping file, and the line in which the query begins; nil if unknown.
        var place: (file: String, line: Int)?
        /// The event type; nil if a column contains the type.
        var type: String?
        var change: Change
        /// True if the file may lack tables and columns that the query names. The query is then skipped.
        var isOptional: Bool
        /// True if events of an older copy of the store are retracted when a newer copy does not contain them.
        var retracts = false
    }

    /// The queries that identify the store of a copy, and that decide which of two copies is newer.
    struct Copies: Sendable {
        /// A query whose first value identifies the store; nil if different stores never contain the same rows.
        var store: String?
        /// A query that returns one row of numbers. The first number that differs decides which copy is newer: the
        /// newer copy has the greater number.
        var order: String
    }

    /// A query that counts the records that cannot be imported.
    struct Omission: Sendable {
        var what: String
        var why: String
        /// The query; nil if the omission is the same for every file.
        var sql: String?
        var isOptional: Bool
    }

    /// A query that must not return a row. If it returns one, the import is refused. In the message, the first column
    /// of the first row replaces `{}`.
    struct Requirement: Sendable {
        var sql: String
        var message: String
    }

    /// The way to extract JSON documents from a database. Another mapping reads the documents.
    struct Extraction: Sendable {
        var tables: [(name: String, queries: [String])]
        /// The query that extracts documents, one per row.
        var document: String
    }

    package var name = ""
    package var summary = ""
    package var example = ""
    package var needs: [AdapterOptions.Name] = []
    package var takes: [AdapterOptions.Name] = AdapterOptions.Name.allCases
    package var reads = Source.sqlite
    /// The table's separator, encoding and columns; unused for other sources.
    var table = TableSettings()
    /// The `source` of the events if `--source` is not given.
    var source = ""
    /// The names that the database may have in a zip file, in order of preference.
    var members: [String] = []
    /// The tables of a database, or the keys of a record, that identify the format.
    var marks: [String] = []
    /// The tables that are created before the queries run. Each table has several queries. The table is created by the
    /// first of them that works on the file.
    var tables: [(name: String, queries: [String])] = []
    var requirements: [Requirement] = []
    /// The extraction of documents; nil for a mapping that extracts none. With an extraction, ``tables``,
    /// ``statements`` and ``omissions`` apply to the extracted documents.
    var extraction: Extraction?
    /// True if a query may read several records together. Then the queries run only after all records were read.
    var isWhole = false
    /// The SQL expression that gives the kind of a record; nil if all records have the same kind.
    var recordKind: String?
    /// The kinds of records that at least one query or omission names.
    var namedKinds: [String] = []
    /// True if a query selects the records of all kinds that are not named.
    var readsUnnamedKinds = false
    /// The kinds of records that an omission names.
    var omittedKinds: [String] = []
    /// True if an omission selects the records of all kinds that are not named.
    var omitsUnnamedKinds = false
    /// The names of the kinds of events. ``Statement/kind`` is an index into this list.
    package var kinds: [String] = []
    var statements: [Statement] = []
    var copies: Copies?
    var omissions: [Omission] = []
    /// The bytes of the mapping file.
    package var text: [UInt8] = []
    /// The warnings about the file.
    package var warnings: [Diagnostic] = []
}

/// The error of an invalid mapping file. It contains all mistakes, in the order of the file.
package struct MappingError: Error, Sendable, CustomStringConvertible {
    package let diagnostics: [Diagnostic]

    package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

extension Mapping {
    /// Reads and checks a mapping file.
    /// - Parameter file: the name of the file, for messages.
    package init(yaml bytes: [UInt8], file: String) throws(MappingError) {
        self = try MappingLoader.load(bytes, file: file)
    }
}

extension Mapping {
    /// True if an entry replaces or retracts events that other files gave.
    package var replacesEvents: Bool {
        statements.contains { $0.change == .first || $0.retracts || $0.sql.contains("AS \"replaces\"") }
    }
}

extension AdapterKind {
    package init(mapping: Mapping) {
        self.init(
            mapping.name,
            mapping.summary,
            example: mapping.example,
            needs: mapping.needs,
            takes: mapping.takes,
            shape: .events,
            mapping: mapping,
            make: { MappedAdapter(mapping: mapping, options: $0) }
        )
    }
}
