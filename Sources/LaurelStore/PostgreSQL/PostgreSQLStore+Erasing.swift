// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import Synchronization

/// The work after the commit of an erasure.
extension PostgreSQLStore {
    /// The longest wait, in seconds, for the clean-up of another thread.
    private static let longestCleanUp = 3600.0

    /// Removes names that no row uses any more. Also removes the deleted rows that the server still stores.
    /// - Parameter write: a write that has erased learners, or has found an unfinished erasure.
    func cleanUp(after write: WriteAftermath) throws {
        // A thread that has erased learners waits for another thread's clean-up, which may take long: its own clean-up
        // would take as long. Other threads leave the work to that thread.
        let deadline = Deadline(seconds: write.erasures > 0 ? Self.longestCleanUp : 0)
        let busy = { StoreError(.busy, "another thread of this process is vacuuming the tables of \(self.name)") }
        do {
            try cleaning.withLock(before: deadline, else: busy) {
                try slots.withOne { slot in try slot.withConnection { try cleanUp($0, after: write) } }
            }
        } catch let error as DatabaseError {
            throw StoreError(
                .erasureIncomplete,
                "the learner is erased, but old copies may still be in the tables of \(name): \(error.message)."
                    + " The next write of somebody who may vacuum them finishes the work"
            )
        }
    }

    private func cleanUp(_ connection: DatabaseConnection, after write: WriteAftermath) throws {
        guard try mayVacuum(connection) else {
            guard write.erasures > 0 else { return }
            throw DatabaseError(
                sqlState: "42501",
                message: "only the tables' owner may vacuum them, and this user is another"
            )
        }
        let timeout = Int(options.readerTimeout * 1000)
        let pending = try server.inTransaction(connection, lockTimeout: timeout) { connection in
            try lock(Array(0..<partitionCount), connection)
            let pending = try connection.rows(TransactionSQL.pendingErasures.rawValue)
            // Deletes the jobs again, because a job may have begun before the erasure was committed.
            try connection.send(JobSQL.forgetNames.rawValue)
            // If other processes have also erased learners, the names that they deleted are unknown. Then all names
            // are checked.
            try deleteUnused(pending.count > write.erasures ? nil : write.unreferencedNames, connection)
            return pending
        }
        let patience = write.erasures > 0 ? options.readerTimeout : 0.2
        let reader = try OldTransactions(connection).wait(patience, connection)
        _ = connection.drainNotices()
        try connection.send(PostgreSQLSchema.vacuum(location.schema))
        try connection.settle()
        if let warning = connection.drainNotices().first(where: { $0.severity == "WARNING" }) {
            throw DatabaseError(sqlState: warning.sqlState, message: warning.message)
        }
        if let reader {
            throw DatabaseError(sqlState: "55000", message: "\(reader) still reads the state before")
        }
        // Erasures that other processes have begun meanwhile are finished by those processes.
        try server.inTransaction(connection, lockTimeout: timeout) { connection in
            try lock(pending.map { Int($0.integer(0)) }, connection)
            for row in pending { try Self.endErasure(row.integer(0), row.optionalInteger(1), connection) }
        }
    }

    private func lock(_ partitions: [Int], _ connection: DatabaseConnection) throws {
        _ = try connection.rows(of: TransactionSQL.lock(partitions, isDistributed: server.isDistributed))
    }

    /// Marks the erasure of a partition as finished, unless a later erasure has begun.
    /// - Parameter version: the partition's version after the erasure; nil if it was not stored.
    static func endErasure(_ partition: Int64, _ version: Int64?, _ connection: DatabaseConnection) throws {
        let (name, version) = (TransactionSQL.erasureName(partition), Parameter.integer(version))
        try connection.send(TransactionSQL.endErasure.rawValue, [.integer(partition), name, version])
        try connection.send(TransactionSQL.forgetErasure.rawValue, [name, version])
    }

    /// Deletes names that no row uses. The caller must hold all partitions.
    /// - Parameter names: the names to check; nil for all.
    private func deleteUnused(
        _ names: (languages: Set<Int64>, achievements: Set<Int64>)?,
        _ connection: DatabaseConnection
    ) throws {
        let languages = try connection.rows(
            LearnerSQL.languages.rawValue,
            [.integers(orNull: names?.languages.sorted())]
        )
        .map { $0.integer(0) }
        .filter { try !isUsed($0, LearnerSQL.usesOfLanguage, connection) }
        let achievements = try connection.rows(
            LearnerSQL.achievements.rawValue,
            [.integers(orNull: names?.achievements.sorted())]
        ).map { $0.integer(0) }.filter { try !isUsed($0, [.usesOfAchievement], connection) }
        guard !languages.isEmpty || !achievements.isEmpty else { return }
        try connection.send(LearnerSQL.deleteLanguages.rawValue, [.integers(languages)])
        try connection.send(LearnerSQL.deleteAchievements.rawValue, [.integers(achievements)])
        // Other processes may have cached the codes of these names.
        try connection.send(LearnerSQL.advanceAllPartitions.rawValue)
        try connection.send(LearnerSQL.advanceNames.rawValue)
    }

    /// True if one of the statements finds a row with a code.
    private func isUsed(_ code: Int64, _ statements: [LearnerSQL], _ connection: DatabaseConnection) throws -> Bool {
        try statements.contains { try !connection.rows($0.rawValue, [.integer(code)]).isEmpty }
    }

    private func mayVacuum(_ connection: DatabaseConnection) throws -> Bool {
        let sql = connection.serverVersion >= 170_000 ? AdministrationSQL.mayMaintain : AdministrationSQL.mayVacuum
        return try connection.rows(sql.rawValue, [.text(location.schema)])[0].truth(0)
    }

    /// Returns true if an erasure in any partition was not finished. Asks the server at the store's first write, then
    /// less and less often, and finally once a minute.
    func hasErasedElsewhere() -> Bool {
        let isTime = looking.withLock { looking in
            guard looking.isTime() else { return false }
            looking.note(success: false)
            return true
        }
        guard isTime, partitionCount > 1 else { return false }
        var isPending = false
        deferred.run {
            isPending = try withConnection { connection in
                try server.inTransaction(connection, lockTimeout: Self.dropTimeout) { connection in
                    try !connection.rows(TransactionSQL.pendingErasures.rawValue).isEmpty
                }
            }
        }
        return isPending
    }
}
