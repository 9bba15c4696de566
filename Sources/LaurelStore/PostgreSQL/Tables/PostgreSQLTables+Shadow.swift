// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// The shadow: an edition of the derived tables beside the one that is read. It takes that one's place by a number in the
/// partition's row; the old one is dropped later, when nobody reads it any more.
extension PostgreSQLTables {
    func makeShadow() throws {
        try renewLease()
        row.builtEdition = try addEdition(token: shadowToken)
    }

    /// - Parameter token: of whoever builds it; nil for one that is read as soon as the transaction is committed.
    private func addEdition(token: Int64?) throws -> Int64 {
        let edition = try rows(ShadowSQL.addEdition, [.integer(token ?? 0)])[0].integer(0)
        for statement in PostgreSQLSchema.addEdition(edition) { try sendAlone(statement) }
        return edition
    }

    /// A new edition is faster to fill than one whose rows were just deleted, but only its owner may make tables.
    func emptyDerivedTables() throws {
        if try rows(ShadowSQL.mayAddEdition, []).first?.truth(0) == true {
            row.edition = try addEdition(token: nil)
            return
        }
        for statement in RelationSQL.emptyEach { try send(statement, [.integer(row.edition)] + bounds) }
    }

    func builtEdition() throws -> Int64 {
        guard row.builtEdition > 0 else { throw StoreError(.misuse, "there is no shadow") }
        return row.builtEdition
    }

    /// Once a transaction: whoever lost it to another must not write to that one's shadow.
    func renewLease() throws {
        guard let shadowToken else { throw StoreError(.misuse, "a shadow is built within `withShadow` only") }
        guard !hasRenewedLease else { return }
        let renewed = try rows(
            LeaseSQL.renew,
            [.text(PostgreSQLStore.shadowLease), .integer(shadowToken), .real(leaseTimeout)]
        ).written
        guard renewed == 1 else {
            throw StoreError(
                .busy,
                "\(name): nothing was heard of this process for too long while it changed the store's rules, and another"
                    + " began to; try again"
            )
        }
        (hasRenewedLease, hasWritten) = (true, true)
    }

    func forgetChanges(of learners: [Int64]) throws {
        guard !learners.isEmpty else { return }
        try expectOwn(learners)
        let edition = try edition(.shadow)
        for statement in RelationSQL.forgetEach { try send(statement, [edition, .integers(learners)]) }
        try send(ShadowSQL.forgetChanged, [.integers(learners)])
    }

    func adoptShadow(_ extent: ShadowExtent) throws {
        try renewLease()
        let built = try builtEdition()
        switch extent {
        case .everything: row.edition = built
        case .listedLearnersWithoutDays:
            try send(ShadowSQL.removeListed, [.integer(row.edition), .integer(built)] + bounds)
            for statement in PostgreSQLSchema.copyListed(from: built, to: row.edition) {
                try sendAlone(statement, bounds)
            }
        }
        try abandonShadow()
    }

    /// Nobody notes changes for it any more, and its tables, where they were not adopted, are to be dropped.
    func abandonShadow() throws {
        row.builtEdition = 0
        try send(ShadowSQL.forgetAllChanged, bounds)
    }

    func hasLeftovers() throws -> Bool { row.builtEdition > 0 }
}
