// SPDX-License-Identifier: Apache-2.0

public import LaurelResults
import LaurelStore

/// What is done with a store as a whole, by whoever runs it.
public struct StoreManagement: Sendable {
    /// Where the store is, or is to be.
    public let location: StoreLocation

    /// Looks at nothing yet.
    public init(_ location: StoreLocation) { self.location = location }

    /// Who may use a store in a database beside its owner, who made it and may do everything. Roles that do not exist are made; they
    /// may log in, and have no password.
    public struct Roles: Sendable, Hashable {
        /// May ask, store, erase, replay, and keep keys and webhooks, but not apply rules: that makes tables.
        public var writer: String?
        /// May select from the views `progress`, `daily` and `achievements`, and see nothing else.
        public var reader: String?

        /// Nobody, or these.
        public init(writer: String? = nil, reader: String? = nil) { (self.writer, self.reader) = (writer, reader) }
    }

    /// How many buckets a store in a database may have.
    public static let possibleBuckets = PostgreSQLStore.possibleBuckets

    /// Makes an empty store; in a database that has one, it only lets roles in.
    /// - Parameters:
    ///   - roles: whom to let in; none for a file.
    ///   - buckets: learners are shared out among so many in a database, for ever: each is written by one at a time. nil for
    ///     256. None for a file.
    ///   - isDistributed: whether a database's tables are laid out over the servers of a Citus cluster.
    ///   - fileMode: the permissions of a file.
    /// - Returns: whether there was none.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/alreadyExists`` where there is a store, and nobody is to be let in.
    @discardableResult
    public func create(
        _ roles: Roles = Roles(),
        buckets: Int? = nil,
        isDistributed: Bool = false,
        fileMode: UInt32 = 0o600
    ) throws(EngineError) -> Bool {
        try EngineError.translating {
            switch StoreBackend(location.text) {
            case .database(let address):
                let database = try DatabaseAdministration(address)
                return try database.create(
                    DatabaseRoles(writer: roles.writer, reader: roles.reader),
                    buckets: buckets ?? PostgreSQLStore.usualBuckets,
                    isDistributed: isDistributed
                )
            case .file(let path):
                guard buckets == nil else {
                    throw EngineError(.invalidRequest, "\(path) is a file, which has one bucket")
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

    /// Brings a store of an older format to the newest.
    /// - Returns: the format that it had.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/newerFormat`` or ``EngineError/Code/olderFormat``
    ///   where the format is not known.
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

    /// What there is to say of it. A database without a store is looked at, too.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/unavailable`` where a database cannot be reached.
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
