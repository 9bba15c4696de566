// SPDX-License-Identifier: Apache-2.0

public import LaurelResults
import LaurelStore

/// Administration of a store as a whole.
public struct StoreManagement: Sendable {
    /// The location of the store.
    public let location: StoreLocation

    /// Prepares the administration of the store at a location. The location is not accessed yet.
    public init(_ location: StoreLocation) { self.location = location }

    /// The database roles that may use a store. The owner, who created the store, always has all rights. Missing roles
    /// are created; they may log in and have no password.
    public struct Roles: Sendable, Hashable {
        /// The role that may read, store, erase and replay, and manage keys and webhooks. It may not apply rules, since
        /// that creates tables.
        public var writer: String?
        /// The role that may only select from the views `progress`, `daily` and `achievements`.
        public var reader: String?

        /// - Parameters:
        ///   - writer: see ``writer``; nil for no such role.
        ///   - reader: see ``reader``; nil for no such role.
        public init(writer: String? = nil, reader: String? = nil) { (self.writer, self.reader) = (writer, reader) }
    }

    /// The number of partitions that a store in a database may have.
    public static let possiblePartitions = PostgreSQLStore.possiblePartitions

    /// Creates an empty store. In a database that already has a store, it only grants access to roles.
    /// - Parameters:
    ///   - roles: the roles that get access; none for a file.
    ///   - partitions: the number of partitions of a database's learners, which cannot be changed later. Each partition
    ///     has one writer at a time. nil for 256, and for a file.
    ///   - isDistributed: true to distribute a database's tables over the servers of a Citus cluster.
    ///   - fileMode: the permissions of a file.
    /// - Returns: true if the store was created, false if it already existed.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/alreadyExists`` if the store exists and no roles are
    ///   given.
    @discardableResult
    public func create(
        _ roles: Roles = Roles(),
        partitions: Int? = nil,
        isDistributed: Bool = false,
        fileMode: UInt32 = 0o600
    ) throws(EngineError) -> Bool {
        try EngineError.translating {
            switch StoreBackend(location.text) {
            case .database(let address):
                let database = try DatabaseAdministration(address)
                return try database.create(
                    DatabaseRoles(writer: roles.writer, reader: roles.reader),
                    partitions: partitions ?? PostgreSQLStore.defaultPartitions,
                    isDistributed: isDistributed
                )
            case .file(let path):
                guard partitions == nil else {
                    throw EngineError(.invalidRequest, "\(path) is a file, which has one partition")
                }
                guard roles == Roles() else {
                    throw EngineError(
                        .invalidRequest,
                        "\(path) is a file, which has no roles: its permissions say who may use it"
                    )
                }
                guard !isDistributed else {
                    throw EngineError(.invalidRequest, "\(path) is a file, which is on one machine")
                }
                try create(file: path, mode: fileMode)
                return true
            }
        }
    }

    private func create(file path: String, mode: UInt32) throws {
        do {
            _ = try StoreBackend(path).open(mode: .readOnly)
        } catch let error as StoreError where error.code == .notFound {
            var options = StoreOptions()
            options.newFileMode = mode
            try StoreBackend(path).open(mode: .readWrite, options: options).close()
            return
        }
        throw EngineError(.alreadyExists, "there is a store at \(path) already")
    }

    /// Converts a store of an older format to the newest format.
    /// - Returns: the previous format.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/newerFormat`` or ``EngineError/Code/olderFormat`` if the
    ///   format is not supported.
    public func migrate() throws(EngineError) -> Int {
        try EngineError.translating {
            switch StoreBackend(location.text) {
            case .database(let address): return try DatabaseAdministration(address).migrate()
            case .file(let path):
                let format = try SQLiteStore(path: path, mode: .readOnly).format()
                try StoreBackend(path).open(mode: .readWrite).close()
                return format
            }
        }
    }

    /// Examines the store. A database that contains no store is examined, too.
    public func status() throws(EngineError) -> StoreStatus {
        try EngineError.translating {
            switch StoreBackend(location.text) {
            case .database(let address): return StoreStatus(try DatabaseAdministration(address).examine())
            case .file(let path):
                let store = try SQLiteStore(path: path, mode: .readOnly)
                let size = try store.read { try $0.statistics() }
                return StoreStatus(
                    store: path,
                    format: try store.format(),
                    newestFormat: SQLiteStore.newestFormat,
                    learners: size.learners,
                    events: size.events,
                    bytes: size.fileBytes
                )
            }
        }
    }
}
