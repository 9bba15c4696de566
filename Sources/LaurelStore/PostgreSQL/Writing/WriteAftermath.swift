// SPDX-License-Identifier: Apache-2.0

/// What a transaction has left to be done.
struct WriteAftermath {
    /// In how many partitions somebody was erased.
    let erasures: Int
    /// Names that nobody may have any more; nil where an earlier erasure was not finished, so that all are to be looked at.
    let bereftNames: (languages: Set<Int64>, achievements: Set<Int64>)?
    let isErasurePending: Bool
    /// Whether somebody builds a shadow, or has left one.
    let hasShadow: Bool
    /// Whether there are tables that nobody reads any more, or will soon.
    let hasOldEditions: Bool

    init(_ tables: PostgreSQLTables, _ found: PartitionRow, _ facts: StoreFacts) {
        erasures = tables.hasErased ? 1 : 0
        bereftNames = found.isErasurePending ? nil : tables.bereftNames
        isErasurePending = tables.row.isErasurePending
        hasShadow = tables.row.builtEdition > 0
        hasOldEditions = facts.editions > 1 || tables.row.edition != found.edition
    }

    /// Of a transaction that had some partitions, of each of which one is given.
    init(_ parts: [WriteAftermath]) {
        self.init(
            parts,
            hasShadow: parts.contains(where: \.hasShadow),
            hasOldEditions: parts.contains(where: \.hasOldEditions),
            isErasurePending: parts.contains(where: \.isErasurePending)
        )
    }

    /// Of a transaction that had all partitions.
    init(_ parts: [WriteAftermath], hasShadow: Bool, hasOldEditions: Bool, isErasurePending: Bool) {
        erasures = parts.reduce(0) { $0 + $1.erasures }
        var names: (languages: Set<Int64>, achievements: Set<Int64>)? = ([], [])
        for part in parts where part.erasures > 0 {
            guard let some = part.bereftNames, let all = names else {
                names = nil
                break
            }
            names = (all.languages.union(some.languages), all.achievements.union(some.achievements))
        }
        bereftNames = names
        self.isErasurePending = isErasurePending
        (self.hasShadow, self.hasOldEditions) = (hasShadow, hasOldEditions)
    }
}
