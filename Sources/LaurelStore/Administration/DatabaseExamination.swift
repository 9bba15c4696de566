// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// The state of a store in a database, and of its server, for administrators.
package struct DatabaseExamination: Sendable, Equatable {
    /// Connections to the database with the same program name and user.
    package struct Program: Sendable, Equatable {
        /// The `application_name` of the connections; it may be empty.
        package var name: String
        package var user: String
        package var connections: Int
        /// The number of active connections; nil if the user may not see this number.
        package var busy: Int?
        /// The duration in seconds of the longest transaction on these connections; nil if there is no transaction, or
        /// if the user may not see transactions.
        package var longestTransaction: Double?
    }

    /// A standby that follows the server.
    package struct Standby: Sendable, Equatable {
        package var name: String
        /// The state of the replication, such as `streaming` or `catchup`. If the user may not see the state, this and
        /// the following properties are nil.
        package var state: String?
        /// The mode of the replication: `sync`, `async`, `quorum` or `potential`.
        package var mode: String?
        package var lagBytes: Int?
        package var lagSeconds: Double?
    }

    /// The size of one kind of data, including its indexes.
    package struct Size: Sendable, Equatable {
        package var kind: String
        package var bytes: Int
    }

    package var status: PostgreSQLStatus
    package var programs: [Program] = []
    package var mostConnections = 0
    package var standbys: [Standby] = []
    package var sizes: [Size] = []
    /// The connected user's rights; nil if there is no store.
    package var rights: Rights?

    /// The rights of the connected user on the store.
    package enum Rights: String, Sendable { case owner, writer, reader, none }

    private static let kinds: [(kind: String, tables: [String])] = [
        ("events", ["blocks", "runs", "generations", "tail"]),
        ("ids", ["identities", "identity_leaves"]),
        ("learners", ["learners", "copies", "notes", "group_learners", "merges", "buckets"]),
        ("progress", ["progress_rows", "daily_rows", "achievement_rows"]),
        ("states", ["snapshots", "checkpoints"]),
        ("quarantine", ["quarantine", "quarantine_pieces"]),
    ]

    init(_ status: PostgreSQLStatus, _ connection: DatabaseConnection) throws {
        self.status = status
        programs = try connection.rows(AdministrationSQL.programs.rawValue).map { row in
            Program(
                name: row.string(0),
                user: row.string(1),
                connections: Int(row.integer(2)),
                busy: row.isNull(3) ? nil : Int(row.integer(3)),
                longestTransaction: row.isNull(4) ? nil : row.real(4)
            )
        }
        standbys = try connection.rows(AdministrationSQL.standbys.rawValue).map { row in
            Standby(
                name: row.string(0),
                state: row.isNull(1) ? nil : row.string(1),
                mode: row.isNull(2) ? nil : row.string(2),
                lagBytes: row.isNull(3) ? nil : Int(row.integer(3)),
                lagSeconds: row.isNull(4) ? nil : row.real(4)
            )
        }
        mostConnections = Int(try connection.rows(AdministrationSQL.mostConnections.rawValue)[0].integer(0))
        guard status.format != nil else { return }
        rights = try Self.rights(status.schema, connection)
        guard rights != Rights.none else { return }
        sizes = try Self.sizes(status.schema, connection)
        // The sum of the sizes is used. A second query could give another result, because the server vacuums meanwhile.
        self.status.bytes = sizes.reduce(0) { $0 + $1.bytes }
    }

    private static func rights(_ schema: String, _ connection: DatabaseConnection) throws -> Rights {
        let row = try connection.rows(AdministrationSQL.rights.rawValue, [.text(schema)])[0]
        if row.truth(0) { return .owner }
        return row.truth(1) ? .writer : row.truth(2) ? .reader : .none
    }

    /// The sizes by kind. Tables that ``kinds`` does not list are counted as `other`.
    private static func sizes(_ schema: String, _ connection: DatabaseConnection) throws -> [Size] {
        var sizes = kinds.map { Size(kind: $0.kind, bytes: 0) } + [Size(kind: "other", bytes: 0)]
        for (table, bytes) in try AdministrationSQL.sizes(in: schema, connection) {
            let index = kinds.firstIndex { kind in kind.tables.contains { isPart(table, of: $0) } }
            sizes[index ?? kinds.count].bytes += bytes
        }
        return sizes
    }

    /// True if `name` is the name of a table, or of one of its partitions. A partition has the name of its table,
    /// followed by `_` and a number.
    private static func isPart(_ name: String, of table: String) -> Bool {
        name == table || name.hasPrefix(table + "_") && name.dropFirst(table.count + 1).allSatisfy(\.isNumber)
    }
}
