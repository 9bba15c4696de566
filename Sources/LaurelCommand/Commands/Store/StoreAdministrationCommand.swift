// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    private static let location = Operand("STORE", .atMostOne, "a file, or postgresql://… (default: that of --store)")

    static let storeCreate = Command(
        "store create",
        "Makes an empty store: a file, or the tables in a database",
        details: """
            The first `laurel ingest` also makes a file. Only this command makes the tables in a
            database. The role that runs it owns the tables and has all rights. Roles that you name
            are made if they do not exist, and get access. If there is a store already, only access
            is granted.
            """,
        operand: location,
        options: [
            .store, StoreCommand.partitions, StoreCommand.writer, StoreCommand.reader, StoreCommand.distributed,
            StoreCommand.ifNotExists, .mode,
        ],
        example: "laurel store create new.db"
    ) { try StoreCommand(arguments: $0, console: $1).create() }

    static let storeMigrate = Command(
        "store migrate",
        "Converts a store of an older format to the newest format",
        details: """
            The first command that writes also converts a file. Programs of an older version then
            refuse the store, so end them first.
            """,
        operand: location,
        options: [.store],
        example: "laurel store migrate school.db"
    ) { try StoreCommand(arguments: $0, console: $1).migrate() }

    static let storeStatus = Command(
        "store status",
        "Shows format, size, connections, standbys, and problems with advice",
        details: """
            For a database, the server is examined, too, even if it has no store. Without a store,
            the status is 1.
            """,
        operand: location,
        options: [.store, .json],
        example: "laurel store status school.db",
        isGroupDefault: true
    ) { try StoreCommand(arguments: $0, console: $1).status() }
}

private struct StoreCommand {
    static let partitions = CommandOption(
        "partitions",
        "N",
        "in a database: the most concurrent writers, 1 to 1024; cannot be changed later (default: 256)"
    )
    static let writer = CommandOption("writer", "ROLE", "a role that may read and store, but not change tables")
    static let reader = CommandOption("reader", "ROLE", "a role that may only read the views")
    static let distributed = CommandOption(
        "distributed",
        nil,
        "spread the tables over the servers of a Citus cluster; experimental"
    )
    static let ifNotExists = CommandOption("if-not-exists", nil, "if there is a store, do not change it")

    let arguments: Arguments
    let console: Console

    private var location: StoreLocation { StoreLocation(arguments.operands.first ?? arguments.store) }
    private var administration: StoreManagement { StoreManagement(location) }

    func create() throws -> ExitStatus {
        let roles = StoreManagement.Roles(
            writer: arguments.text(Self.writer),
            reader: arguments.text(Self.reader)
        )
        let isNew = try make(roles)
        console.message(isNew ? "made a store: \(location)" : "there is a store at \(location) already")
        for (role, right) in [(roles.writer, "ask and store"), (roles.reader, "read the views")] {
            if let role { console.message("\(role) may \(right)") }
        }
        return .done
    }

    /// - Returns: true if the store did not exist before.
    private func make(_ roles: StoreManagement.Roles) throws -> Bool {
        let mode = try arguments.mode()
        let partitions: Int? = try arguments.number(Self.partitions, in: StoreManagement.possiblePartitions)
        do throws(EngineError) {
            return try administration.create(
                roles,
                partitions: partitions,
                isDistributed: arguments.has(Self.distributed),
                fileMode: mode
            )
        } catch {
            guard error.code == .alreadyExists, arguments.has(Self.ifNotExists) else { throw error }
            return false
        }
    }

    func migrate() throws -> ExitStatus {
        let before = try administration.migrate()
        let newest = try administration.status().newestFormat
        console.message(
            before == newest
                ? "\(location) is of format \(newest), the newest: there is nothing to do"
                : "\(location) was of format \(before), and is of format \(newest) now"
        )
        return .done
    }

    func status() throws -> ExitStatus {
        let status = try administration.status()
        if arguments.has(.json) {
            try console.output.writeJSON(status)
        } else {
            try StoreStatusText(console: console).write(status)
        }
        return status.format == nil ? .incomplete : .done
    }
}
