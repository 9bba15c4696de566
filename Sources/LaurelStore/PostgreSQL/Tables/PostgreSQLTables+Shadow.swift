// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// The shadow: an edition of the derived tables that is built while another edition is read. A number in each
/// partition's row says which edition is read. The old edition is dropped later, when no transaction reads it any
/// more.
extension PostgreSQLTables {
    func makeShadow() throws {
        try renewLease()
        builtEdition = try addEdition(token: shadowToken)
    }

    /// Adds an edition, and returns its number.
    /// - Parameter token: the lease token of the process that builds the edition; nil if the edition is read as soon as
    ///   the transaction is committed.
    private func addEdition(token: Int64?) throws -> Int64 {
        let edition = max(try number(ShadowSQL.lastEdition, []) ?? 0, held.map(\.row.edition).max() ?? 0) + 1
        try send(ShadowSQL.addEdition, [.integer(edition), .integer(token ?? 0)])
        for statement in PostgreSQLSchema.addEdition(edition) { try sendToAll(statement) }
        return edition
    }

    /// Switches to a new edition. Filling it is faster than filling one whose rows were just deleted. Only the tables'
    /// owner can create an edition. For other roles, the rows are deleted.
    func emptyDerivedTables() throws {
        if try rows(ShadowSQL.mayAddEdition, []).first?.truth(0) == true {
            edition = try addEdition(token: nil)
            return
        }
        for statement in RelationSQL.emptyEach { try sendToAll(statement.rawValue, [.integer(edition)] + bounds) }
    }

    /// Renews the lease, at most once in a transaction. A process that has lost the lease must not write to the new
    /// owner's shadow.
    func renewLease() throws {
        guard let shadowToken else { throw StoreError(.misuse, "a shadow is built within `withShadow` only") }
        guard !hasRenewedLease else { return }
        let end = facts.clock + Int64(leaseTimeout * 1000)
        let renewed = try rows(
            LeaseSQL.renew,
            [.text(PostgreSQLStore.shadowLease), .integer(shadowToken), .integer(end)]
        ).written
        guard renewed == 1 else {
            throw StoreError(
                .busy,
                "\(name): nothing was heard of this process for too long while it changed the store's rules, and another"
                    + " began to; try again"
            )
        }
        hasRenewedLease = true
    }

    func forgetChanges(of learners: [Int64]) throws {
        let learners = TableRows(learners)
        for statement in RowStatement.forgetEach { try send(statement, learners, in: .shadow) }
        try send(.forgetChanged, learners)
    }

    func adoptShadow(_ extent: ShadowExtent) throws {
        let built = try edition(.shadow)
        switch extent {
        case .everything: edition = built
        case .listedLearnersWithoutDays:
            try sendToAll(ShadowSQL.removeListed.rawValue, [.integer(edition), .integer(built)] + bounds)
            for statement in PostgreSQLSchema.copyListed(from: built, to: edition) { try sendToAll(statement, bounds) }
        }
        try abandonShadow()
    }

    /// Ends the recording of changes for the shadow. The shadow's tables are dropped later, unless it was published.
    func abandonShadow() throws {
        builtEdition = 0
        try sendToAll(ShadowSQL.forgetAllChanged.rawValue, bounds)
    }

    func hasLeftovers() throws -> Bool { builtEdition > 0 }
}
