// SPDX-License-Identifier: Apache-2.0

/// The statements on one subject: all that the store ever sends stand in such lists, where a test looks through them.
///
/// They name tables without a schema, which each transaction sets, and nothing newer than PostgreSQL 13.
protocol SQLStatement: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The statements that read all partitions, as only administration and queries about all learners do.
    static var ofAllPartitions: Set<Self> { get }
}

extension SQLStatement {
    static var ofAllPartitions: Set<Self> { [] }
}

/// All lists there are.
enum SQLStatements {
    static let lists: [any SQLStatement.Type] = [
        TransactionSQL.self, LearnerSQL.self, EventSQL.self, IdentitySQL.self, DerivedSQL.self,
        RelationSQL.self, AllLearnersSQL.self, OverviewSQL.self,
        QuarantineSQL.self, RecordSQL.self, CheckedSQL.self, ShadowSQL.self, LeaseSQL.self, JobSQL.self,
    ]
}
