// SPDX-License-Identifier: Apache-2.0

/// The work that a transaction leaves for the time after its commit.
struct WriteAftermath {
    /// The number of partitions in which learners were erased.
    let erasures: Int
    /// The names in deleted rows, which may have no other rows; nil if an earlier erasure was not finished. If nil, all
    /// names must be checked.
    let unreferencedNames: (languages: Set<Int64>, achievements: Set<Int64>)?
    let isErasurePending: Bool
    /// True if a process is building a shadow, or has left one.
    let hasShadow: Bool
    /// True if some editions are no longer read, or soon will not be read, but still have tables.
    let hasOldEditions: Bool

    init(_ tables: PostgreSQLTables) {
        let erased = tables.held.filter(\.hasErased)
        erasures = erased.count
        unreferencedNames = erased.contains(where: \.found.isErasurePending) ? nil : tables.unreferencedNames
        isErasurePending = tables.held.contains(where: \.row.isErasurePending)
        hasShadow = tables.builtEdition > 0
        hasOldEditions = tables.facts.editions > 1 || tables.edition != tables.held[0].found.edition
    }
}
