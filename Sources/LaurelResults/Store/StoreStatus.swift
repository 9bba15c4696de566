// SPDX-License-Identifier: Apache-2.0

/// The state of a store, for its operator. It is also available if the store cannot be used.
public struct StoreStatus: Codable, Sendable, Hashable {
    /// The file, or the database's address without a password.
    public var store: String
    /// The format of the file or the tables; nil if there is no store.
    public var format: Int?
    /// The newest format that this program supports.
    public var newestFormat: Int
    /// The number of learners with events.
    public var learners: Int
    /// The number of stored events, including void events.
    public var events: Int
    /// The size of the file, or of all tables with their indexes, in bytes.
    public var bytes: Int
    /// The database server; nil for a file.
    public var database: Database?
    /// Problems that the operator should solve.
    public var warnings: [Warning]

    /// Creates a value, for previews and tests.
    public init(
        store: String,
        format: Int?,
        newestFormat: Int,
        learners: Int = 0,
        events: Int = 0,
        bytes: Int = 0,
        database: Database? = nil,
        warnings: [Warning] = []
    ) {
        (self.store, self.format, self.newestFormat) = (store, format, newestFormat)
        (self.learners, self.events, self.bytes) = (learners, events, bytes)
        (self.database, self.warnings) = (database, warnings)
    }

    /// A problem of a store, and what to do about it.
    public struct Warning: Codable, Sendable, Hashable {
        /// The problem.
        public var message: String
        /// The advice: what to do about the problem.
        public var advice: String

        /// Creates a value, for previews and tests.
        public init(_ message: String, advice: String) { (self.message, self.advice) = (message, advice) }
    }

    /// The database server that holds the store.
    public struct Database: Codable, Sendable, Hashable {
        /// The server's version, such as `15.4`.
        public var serverVersion: String
        /// The schema that holds the tables.
        public var schema: String
        /// The number of partitions, each of which has one writer at a time.
        public var partitions: Int
        /// The number of committed writes since the store was created.
        public var writes: Int
        /// The user's rights: `owner`, `writer`, `reader` or `none`; nil if there is no store.
        public var rights: String?
        /// True if the server is read-only, for example a standby.
        public var isReadOnly: Bool
        /// True while a process is applying rules or replaying.
        public var isApplyingRules: Bool
        /// The sizes by purpose.
        public var sizes: [Size]
        /// The number of connections that the server allows.
        public var mostConnections: Int
        /// The programs that are connected to the database.
        public var programs: [Program]
        /// The servers that replicate this server.
        public var standbys: [Standby]

        /// Creates a value, for previews and tests.
        public init(
            serverVersion: String,
            schema: String,
            partitions: Int,
            writes: Int,
            rights: String?,
            isReadOnly: Bool,
            isApplyingRules: Bool,
            sizes: [Size],
            mostConnections: Int,
            programs: [Program],
            standbys: [Standby]
        ) {
            (self.serverVersion, self.schema, self.partitions) = (serverVersion, schema, partitions)
            (self.writes, self.rights, self.isReadOnly) = (writes, rights, isReadOnly)
            (self.isApplyingRules, self.sizes, self.mostConnections) = (isApplyingRules, sizes, mostConnections)
            (self.programs, self.standbys) = (programs, standbys)
        }
    }

    /// The size of one kind of data, including its indexes.
    public struct Size: Codable, Sendable, Hashable {
        /// The kind: `events`, `ids`, `learners`, `progress`, `states`, `quarantine` or `other`.
        public var kind: String
        /// The size of tables and indexes, in bytes.
        public var bytes: Int

        /// Creates a value, for previews and tests.
        public init(kind: String, bytes: Int) { (self.kind, self.bytes) = (kind, bytes) }
    }

    /// The connections that report the same program name.
    public struct Program: Codable, Sendable, Hashable {
        /// The `application_name` of the connections; it may be empty.
        public var name: String
        /// The database user.
        public var user: String
        /// The number of connections.
        public var connections: Int
        /// The number of connections that are running a statement; nil if the server does not report it.
        public var busy: Int?
        /// The age of their longest transaction, in seconds; nil if there is none, or the server does not report it.
        public var longestTransactionSeconds: Double?

        /// Creates a value, for previews and tests.
        public init(name: String, user: String, connections: Int, busy: Int?, longestTransactionSeconds: Double?) {
            (self.name, self.user, self.connections, self.busy) = (name, user, connections, busy)
            self.longestTransactionSeconds = longestTransactionSeconds
        }
    }

    /// A server that replicates this server.
    public struct Standby: Codable, Sendable, Hashable {
        /// The `application_name` of the standby.
        public var name: String
        /// The state of the replication, such as `streaming` or `catchup`; nil if the server does not report it.
        public var state: String?
        /// `sync`, `async`, `quorum` or `potential`; nil if the server does not report it.
        public var mode: String?
        /// The replication lag in bytes; nil if the server does not report it.
        public var lagBytes: Int?
        /// The replication lag in seconds; nil if the server does not report it.
        public var lagSeconds: Double?

        /// Creates a value, for previews and tests.
        public init(name: String, state: String?, mode: String?, lagBytes: Int?, lagSeconds: Double?) {
            (self.name, self.state, self.mode) = (name, state, mode)
            (self.lagBytes, self.lagSeconds) = (lagBytes, lagSeconds)
        }
    }
}
