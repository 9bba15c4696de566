// SPDX-License-Identifier: Apache-2.0

/// What whoever runs a store wants to know of it, whether or not it can be used.
public struct StoreStatus: Codable, Sendable, Hashable {
    /// The file, or the database's address without a password.
    public var store: String
    /// That of the file or the tables; nil where there is no store.
    public var format: Int?
    /// The newest format that this program knows.
    public var newestFormat: Int
    /// Learners with events.
    public var learners: Int
    /// Events stored, void ones included.
    public var events: Int
    /// Of the file, or of all tables with their indexes.
    public var bytes: Int
    /// nil for a file.
    public var database: Database?
    /// What should be otherwise.
    public var warnings: [Warning]

    /// Creates one, for previews and tests.
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

    /// Something that should be otherwise, and what to do about it.
    public struct Warning: Codable, Sendable, Hashable {
        /// What is so.
        public var message: String
        /// What to do.
        public var advice: String

        /// Creates one, for previews and tests.
        public init(_ message: String, advice: String) { (self.message, self.advice) = (message, advice) }
    }

    /// The server that a store is on.
    public struct Database: Codable, Sendable, Hashable {
        /// As `15.4`.
        public var serverVersion: String
        /// In which the tables are.
        public var schema: String
        /// How many parts can be written to at once.
        public var buckets: Int
        /// Writes committed since the store was made.
        public var writes: Int
        /// What the user may do: `owner`, `writer`, `reader` or `none`; nil where there is no store.
        public var rights: String?
        /// Whether the server only lets read, as a standby does.
        public var isReadOnly: Bool
        /// Whether somebody is applying rules, or replaying.
        public var isApplyingRules: Bool
        /// Bytes by what they are for.
        public var sizes: [Size]
        /// How many connections the server allows.
        public var mostConnections: Int
        /// Who is connected to the database.
        public var programs: [Program]
        /// The servers that follow this one.
        public var standbys: [Standby]

        /// Creates one, for previews and tests.
        public init(
            serverVersion: String,
            schema: String,
            buckets: Int,
            writes: Int,
            rights: String?,
            isReadOnly: Bool,
            isApplyingRules: Bool,
            sizes: [Size],
            mostConnections: Int,
            programs: [Program],
            standbys: [Standby]
        ) {
            (self.serverVersion, self.schema, self.buckets) = (serverVersion, schema, buckets)
            (self.writes, self.rights, self.isReadOnly) = (writes, rights, isReadOnly)
            (self.isApplyingRules, self.sizes, self.mostConnections) = (isApplyingRules, sizes, mostConnections)
            (self.programs, self.standbys) = (programs, standbys)
        }
    }

    /// What a kind of data takes, with its indexes.
    public struct Size: Codable, Sendable, Hashable {
        /// `events`, `ids`, `learners`, `progress`, `states`, `quarantine` or `other`.
        public var kind: String
        /// Of tables and indexes.
        public var bytes: Int

        /// Creates one, for previews and tests.
        public init(kind: String, bytes: Int) { (self.kind, self.bytes) = (kind, bytes) }
    }

    /// Connections that say to be of the same program.
    public struct Program: Codable, Sendable, Hashable {
        /// The `application_name` of the connections; may be empty.
        public var name: String
        /// The database's user.
        public var user: String
        /// How many there are.
        public var connections: Int
        /// How many of them are doing something; nil where the server does not say.
        public var busy: Int?
        /// Of the longest transaction among them; nil where there is none, or the server does not say.
        public var longestTransactionSeconds: Double?

        /// Creates one, for previews and tests.
        public init(name: String, user: String, connections: Int, busy: Int?, longestTransactionSeconds: Double?) {
            (self.name, self.user, self.connections, self.busy) = (name, user, connections, busy)
            self.longestTransactionSeconds = longestTransactionSeconds
        }
    }

    /// A server that follows this one.
    public struct Standby: Codable, Sendable, Hashable {
        /// Its `application_name`.
        public var name: String
        /// `streaming`, `catchup` and the like; nil, as what follows, where the server does not say.
        public var state: String?
        /// `sync`, `async`, `quorum` or `potential`.
        public var mode: String?
        /// How much it has still to do.
        public var lagBytes: Int?
        /// How long ago what it does now was done here.
        public var lagSeconds: Double?

        /// Creates one, for previews and tests.
        public init(name: String, state: String?, mode: String?, lagBytes: Int?, lagSeconds: Double?) {
            (self.name, self.state, self.mode) = (name, state, mode)
            (self.lagBytes, self.lagSeconds) = (lagBytes, lagSeconds)
        }
    }
}
