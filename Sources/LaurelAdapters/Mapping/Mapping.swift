// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelYAML

/// A checked mapping file that turns an app's files into events, with its expressions compiled to SQL.
///
/// A SQLite source is queried directly. The records of a text source are put into the table `record` of a temporary
/// database and queried there. So both kinds use the same language and functions.
package struct Mapping: Sendable {
    /// The kinds of files.
    package enum Source: String, Sendable, CaseIterable {
        case sqlite
        /// JSON objects, one per line or in a list; each is a record.
        case records = "json-records"
        /// One JSON document, which is the only record; or several, one per line.
        case document = "json-document"
    }

    /// The treatment of an event whose identity is stored with other content.
    package enum Change: String, Sendable, CaseIterable {
        /// The new event goes to quarantine as a conflict.
        case conflict
        /// The stored event stays, and the new one counts as a duplicate.
        case keep
        /// Each event is stored under an id of its own, and all but the first are retracted: see ``VersionID``.
        case first
        /// The content is part of the id, so changed content is another event.
        case version
    }

    /// A query whose rows are events.
    struct Statement: Sendable {
        /// The index in ``Mapping/kinds``.
        var kind: Int
        var sql: String
        /// The file, and the line in which the query begins.
        var place: (file: String, line: Int)?
        /// The event type, unless it is a column.
        var type: String?
        var change: Change
        /// True if a missing table or column is allowed.
        var isOptional: Bool
        /// True if events of an older copy are retracted when a newer copy lacks them.
        var retracts = false
    }

    /// The way to identify copies of an app's store, and to order two copies by age.
    struct Copies: Sendable {
        /// A query whose first value differs between stores that may share rows; nil if stores never share rows.
        var store: String?
        /// A query of one row of numbers, compared in order; the newer copy's are greater.
        var order: String
    }

    /// A query that counts records that cannot be imported.
    struct Omission: Sendable {
        var what: String
        var why: String
        /// The query; nil if the omission is known without one.
        var sql: String?
        var isOptional: Bool
    }

    /// A query that must return no rows. The first column of the first row replaces `{}` in the message.
    struct Requirement: Sendable {
        var sql: String
        var message: String
    }

    /// The way to extract JSON documents from a database, for another mapping to read.
    struct Extraction: Sendable {
        var tables: [(name: String, queries: [String])]
        /// The query; each row is a document.
        var document: String
    }

    package var name = ""
    package var summary = ""
    package var example = ""
    package var needs: [AdapterOptions.Name] = []
    package var takes: [AdapterOptions.Name] = AdapterOptions.Name.allCases
    package var reads = Source.sqlite
    /// The `source` of the events if `--source` is not given.
    var source = ""
    /// The names of zip members that may be the database, the best first.
    var members: [String] = []
    /// The tables, or the keys of a record, by which the format is recognised.
    var marks: [String] = []
    /// Tables to create first, each from the first of its queries that the file allows.
    var tables: [(name: String, queries: [String])] = []
    var requirements: [Requirement] = []
    /// The extraction, if any; ``tables``, ``statements`` and ``omissions`` then apply to the extracted documents.
    var extraction: Extraction?
    /// True if queries may read several records together. All records are then read before.
    var isWhole = false
    /// The SQL expression of a record's kind; nil if all records are of one kind.
    var recordKind: String?
    /// The kinds of record that a query or omission names.
    var namedKinds: [String] = []
    /// True if a query takes the records of all other kinds.
    var takesOtherKinds = false
    /// The names of the kinds of events, by ``Statement/kind``.
    package var kinds: [String] = []
    var statements: [Statement] = []
    var copies: Copies?
    var omissions: [Omission] = []
    /// The bytes of the file.
    package var text: [UInt8] = []
    /// The warnings about the file.
    package var warnings: [Diagnostic] = []
}

/// The error of an invalid mapping: all its mistakes, in the order of the file.
package struct MappingError: Error, Sendable, CustomStringConvertible {
    package let diagnostics: [Diagnostic]

    package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

extension Mapping {
    /// Reads and checks a mapping file.
    /// - Parameter file: its name, for messages.
    package init(yaml bytes: [UInt8], file: String) throws(MappingError) {
        self = try MappingLoader.load(bytes, file: file)
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
