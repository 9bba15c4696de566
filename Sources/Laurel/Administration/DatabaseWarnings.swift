// SPDX-License-Identifier: Apache-2.0

import LaurelResults
import LaurelStore

extension StoreStatus {
    init(_ found: DatabaseExamination) {
        let status = found.status
        self.init(
            store: status.name,
            format: status.format.map(Int.init),
            newestFormat: Int(status.readableFormats.upperBound),
            learners: status.learners,
            events: status.events,
            bytes: status.bytes,
            database: Database(
                serverVersion: Self.version(status.serverVersion),
                schema: status.schema,
                partitions: status.partitions,
                writes: Int(status.writes),
                rights: found.rights?.rawValue,
                isReadOnly: status.isReadOnly,
                isApplyingRules: status.isBuildingShadow,
                sizes: found.sizes.map { Size(kind: $0.kind, bytes: $0.bytes) },
                mostConnections: found.mostConnections,
                programs: found.programs.map(Program.init),
                standbys: found.standbys.map(Standby.init)
            ),
            warnings: found.warnings
        )
    }

    /// The version as text: `15.4` for 150004.
    private static func version(_ number: Int) -> String { "\(number / 10_000).\(number % 10_000)" }
}

extension StoreStatus.Program {
    fileprivate init(_ program: DatabaseExamination.Program) {
        self.init(
            name: program.name,
            user: program.user,
            connections: program.connections,
            busy: program.busy,
            longestTransactionSeconds: program.longestTransaction
        )
    }
}

extension StoreStatus.Standby {
    fileprivate init(_ standby: DatabaseExamination.Standby) {
        self.init(
            name: standby.name,
            state: standby.state,
            mode: standby.mode,
            lagBytes: standby.lagBytes,
            lagSeconds: standby.lagSeconds
        )
    }
}

extension DatabaseExamination {
    /// The oldest version of PostgreSQL in which a store can be created, as its major version.
    private static let oldestServer = 13
    /// The oldest maintained version of PostgreSQL, as its major version. Each version is maintained for five years,
    /// and a new version appears each autumn.
    private static let oldestMaintained = 14
    /// The number of seconds after which an open transaction is reported. An open transaction prevents the server from
    /// vacuuming.
    private static let longTransaction = 600.0
    /// The lag of a standby above which there is a warning, in bytes of log.
    private static let largestLag = 256 << 20

    var warnings: [StoreStatus.Warning] {
        let checks = [store, version, durability, checksums, connections, transactions, followers]
        return checks.flatMap { $0 }
    }

    private var store: [StoreStatus.Warning] {
        guard let format = status.format else {
            return [.init("there is no store in schema \(status.schema)", advice: "`laurel store create` makes one")]
        }
        if format > status.readableFormats.upperBound {
            return [.init("a later version of Laurel made the store", advice: "use that version, or a newer one")]
        }
        if format < status.readableFormats.lowerBound {
            return [
                .init("the store's format is too old for this version", advice: StoreError.olderFormatAdvice)
            ]
        }
        if format < status.readableFormats.upperBound {
            return [.init("the store is of an older format", advice: "`laurel store migrate`")]
        }
        return rights == Rights.none
            ? [.init("the user may not use the store", advice: "`laurel store create --writer USER`, as its owner")]
            : []
    }

    private var version: [StoreStatus.Warning] {
        let major = status.serverVersion / 10_000
        if major < Self.oldestServer {
            return [.init("PostgreSQL \(major) is too old", advice: "use \(Self.oldestServer) or later")]
        }
        if major < Self.oldestMaintained {
            return [
                .init(
                    "nobody mends PostgreSQL \(major) any more",
                    advice: "upgrade it to \(Self.oldestMaintained) or later"
                )
            ]
        }
        return []
    }

    private var durability: [StoreStatus.Warning] {
        var warnings: [StoreStatus.Warning] = []
        if !status.fsync {
            warnings.append(
                .init(
                    "fsync is off: a power cut may destroy the whole database",
                    advice: "turn it on, and restart the server"
                )
            )
        }
        if status.synchronousCommit == "off" {
            warnings.append(
                .init(
                    "synchronous_commit is off: a crash loses what was acknowledged last",
                    advice: "turn it on, for this database or its users at least"
                )
            )
        }
        return warnings
    }

    private var checksums: [StoreStatus.Warning] {
        guard !status.hasChecksums else { return [] }
        return [
            .init(
                "the server's pages have no checksums: damage to tables and indexes may go unnoticed",
                advice: "stop the server, and run `pg_checksums --enable`"
            )
        ]
    }

    private var connections: [StoreStatus.Warning] {
        let used = programs.reduce(0) { $0 + $1.connections }
        guard mostConnections > 0, used * 5 >= mostConnections * 4 else { return [] }
        return [
            .init(
                "\(used) of \(mostConnections) connections are taken by this database",
                advice: "raise max_connections, or put pgbouncer before the server"
            )
        ]
    }

    private var transactions: [StoreStatus.Warning] {
        programs.compactMap { program in
            guard let seconds = program.longestTransaction, seconds > Self.longTransaction else { return nil }
            let name = program.name.isEmpty ? "a program without a name" : "“\(program.name)”"
            return .init(
                "\(name) has had a transaction open for \(Int(seconds / 60)) minutes, which keeps tables from being tidied up",
                advice: "end it: pg_stat_activity tells its process"
            )
        }
    }

    private var followers: [StoreStatus.Warning] {
        standbys.compactMap { standby in
            guard let lag = standby.lagBytes, lag > Self.largestLag else { return nil }
            return .init(
                "the standby “\(standby.name)” is \(lag >> 20) MiB behind",
                advice: "see what keeps it; until it is there, a failover loses what it lacks"
            )
        }
    }
}
