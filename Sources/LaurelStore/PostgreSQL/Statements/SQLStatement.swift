// SPDX-License-Identifier: Apache-2.0

/// A list of statements on one topic. All statements that the store sends are in such lists. A test checks all of them.
///
/// Statements name tables without a schema. Each transaction sets the schema. All statements work in PostgreSQL 13.
protocol SQLStatement: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
}

/// All lists of statements.
enum SQLStatements {
    static let lists: [any SQLStatement.Type] = [
        TransactionSQL.self, LearnerSQL.self, EventSQL.self, IdentitySQL.self, DerivedSQL.self,
        RelationSQL.self, AllLearnersSQL.self, OverviewSQL.self,
        QuarantineSQL.self, RecordSQL.self, MergeSQL.self, CheckedSQL.self, ShadowSQL.self, LeaseSQL.self, JobSQL.self,
    ]
}
