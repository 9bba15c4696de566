// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelYAML

/// How an app's files become events: a checked mapping file with its expressions compiled to SQL.
///
/// A SQLite source is queried directly. The records of a text source are put into the table `record` of a temporary
/// database and queried there, so that both kinds use the same language and functions.
package struct Mapping: Sendable {
    /// What the files are.
    package enum Source: String, Sendable, CaseIterable {
        case sqlite
        /// JSON objects, one a line or in a list; each is a record.
        case records = "json-records"
        /// One JSON document, which is the only record; or several, one a line.
        case document = "json-document"
    }

    /// What happens to an event whose identity is stored with other content.
    package enum Change: String, Sendable, CaseIterable {
        /// The new one goes to quarantine as a conflict.
        case conflict
        /// The stored one stays, and the new one counts as known.
        case keep
        /// Each is stored under an id of its own, and all but the first are retracted: see ``VersionID``.
        case first
        /// The content is part of the id, so that what changed is another event.
        case version
    }

    /// A query whose rows are events.
    struct Statement: Sendable {
        /// Index in ``Mapping/kinds``.
        var kind: Int
        var sql: String
        /// The file, and the line in which the query begins.
        var place: (file: String, line: Int)?
        /// The event type, where it is not a column.
        var type: String?
        var change: Change
        /// True if a table or column that is not there is no mistake.
        var isOptional: Bool
        /// True if its events of an older copy are retracted where a newer copy has them no more.
        var retracts = false
    }

    /// How copies of an app's store are told apart, and which of two is the newer.
    struct Copies: Sendable {
        /// A query whose first value differs between stores that may share rows; nil where stores never do.
        var store: String?
        /// A query of one row of numbers, compared one after the other; the newer copy's are greater.
        var order: String
    }

    /// A query that counts records that cannot be imported.
    struct Omission: Sendable {
        var what: String
        var why: String
        /// nil where it is known without looking.
        var sql: String?
        var isOptional: Bool
    }

    /// A query that must have no rows; the first column of the first one is put in the place of `{}`.
    struct Requirement: Sendable {
        var sql: String
        var message: String
    }

    /// How to get JSON documents out of a database, for another mapping to read.
    struct Extraction: Sendable {
        var tables: [(name: String, queries: [String])]
        /// Each row is a document.
        var document: String
    }

    package var name = ""
    package var summary = ""
    package var example = ""
    package var needs: [AdapterOptions.Name] = []
    package var takes: [AdapterOptions.Name] = AdapterOptions.Name.allCases
    package var reads = Source.sqlite
    /// The `source` of the events where `--source` is not given.
    var source = ""
    /// In zip files, what holds the database; the best first.
    var members: [String] = []
    /// Tables, or keys of a record, by which the format is recognised.
    var marks: [String] = []
    /// Tables made beforehand, each from the first of its queries that the file allows.
    var tables: [(name: String, queries: [String])] = []
    var requirements: [Requirement] = []
    /// Where there is one, ``tables``, ``statements`` and ``omissions`` are of the documents that it gives.
    var extraction: Extraction?
    /// True if queries may look at several records together, which are then all read before.
    var isWhole = false
    /// What sorts records, as SQL; nil where all are of one kind.
    var recordKind: String?
    /// The kinds of record that a query or omission names.
    var namedKinds: [String] = []
    /// True if a query takes all others.
    var takesOtherKinds = false
    /// What the events are, as ``Statement/kind`` counts them.
    package var kinds: [String] = []
    var statements: [Statement] = []
    var copies: Copies?
    var omissions: [Omission] = []
    /// The file.
    package var text: [UInt8] = []
    /// Warnings: doubtful, but no errors.
    package var warnings: [Diagnostic] = []
}

/// Thrown where a mapping cannot be used: every mistake in it, in the order of the file.
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
