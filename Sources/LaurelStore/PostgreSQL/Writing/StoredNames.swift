// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// The codes of names, which all partitions share. A name gets its code in a short separate transaction. So writers to
/// different partitions do not wait for each other.
final class StoredNames: Sendable {
    /// The state of the store in which codes are valid.
    struct State: Equatable {
        /// The number of deletions of names so far. A deleted name loses its code.
        var generation: Int64
        /// Identifies the server. After a failover, the new server may lack the latest codes.
        var server: Int64
    }

    private struct CachedCodes {
        var codes: [NameTable: [[UInt8]: Int64]] = [:]
        /// The state in which the codes were read.
        var state: State?
    }

    private let lock = Lock()
    /// Held while names are added. Many writers need the same new names at the same time.
    private let adding = TimedLock()
    /// The codes read so far. Accessed only while `lock` is held.
    nonisolated(unsafe) private var cached = CachedCodes()
    private let server: PostgreSQLServer
    private let readers: ReaderPool

    /// The maximum number of cached codes. A store has a few hundred at most.
    private static let most = 10_000

    /// - Parameter readers: the source of connections.
    init(_ server: PostgreSQLServer, _ readers: ReaderPool) { (self.server, self.readers) = (server, readers) }

    /// The cached codes of names; nil for each name that is not cached.
    /// - Parameter state: the state that the calling transaction has found.
    func codes(of names: [[UInt8]], in table: NameTable, at state: State) -> [Int64?] {
        lock.withLock {
            guard cached.state == state, let codes = cached.codes[table] else {
                return names.map { _ in nil }
            }
            return names.map { codes[$0] }
        }
    }

    /// Caches the codes that a transaction has found.
    func note(_ names: [[UInt8]], _ codes: [Int64], in table: NameTable, at state: State) {
        lock.withLock {
            if cached.state != state || cached.codes[table]?.count ?? 0 > Self.most {
                cached = CachedCodes(state: state)
            }
            for (name, code) in zip(names, codes) { cached.codes[table, default: [:]][name] = code }
        }
    }

    /// Returns the codes of names that were not found, and assigns new codes where needed.
    func add(_ names: [[UInt8]], to table: NameTable) throws -> [Int64] {
        let seconds = server.options.lockTimeout
        let deadline = Deadline(seconds: seconds)
        let busy = { [server] in
            StoreError(
                .busy,
                "names are being stored in \(server.location.name) by this process; waited \(seconds) s."
                    + " Try again when it is done"
            )
        }
        let codes = try adding.withLock(before: deadline, else: busy) {
            try readers.withConnection { connection in
                try server.inTransaction(connection, lockTimeout: deadline.milliseconds) { connection in
                    try connection.send(table.add.rawValue, [.stored(Set(names))])
                    return try connection.rows(table.find.rawValue, [.stored(names)]).map { $0.integer(1) }
                }
            }
        }
        guard codes.count == names.count else {
            throw StoreError(
                .corrupt,
                "\(server.location.name) is damaged (a name that was just stored is not there); \(StoreError.advice)"
            )
        }
        return codes
    }
}

extension NameTable {
    /// The query for the codes of names, in the order of the names.
    var find: DerivedSQL {
        switch self {
        case .languages: .findLanguages
        case .achievements: .findAchievements
        }
    }

    fileprivate var add: DerivedSQL {
        switch self {
        case .languages: .addLanguages
        case .achievements: .addAchievements
        }
    }
}
