// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

/// What the rows of `learners` say of those who are written next, read some hundred at a time: a replay finds most of them as
/// they are to be.
struct StoredProfiles {
    /// As ``DerivedTables/profiles(from:limit:)`` gives them: ascending, those of `next` and later still to come.
    private var rows = TableRows(width: 5)
    private var next = 0
    private static let readAtOnce = 256

    /// To be called before learners are asked for that do not follow those asked for before.
    mutating func forget() {
        rows.removeAll()
        next = 0
    }

    /// Whether a learner's row says what a projection does. Learners must be asked for in ascending order.
    mutating func has(
        _ projection: LearnerProjection,
        _ learner: Int64,
        _ tables: any PartitionTables
    ) throws -> Bool {
        while next < rows.count, rows.integer(next, 0) < learner { next += 1 }
        if next == rows.count {
            rows = try tables.profiles(from: learner, limit: StoredProfiles.readAtOnce)
            next = 0
        }
        // Without a goal the learner was never projected.
        guard next < rows.count, rows.integer(next, 0) == learner, !rows.isNull(next, 4) else { return false }
        return rows.integer(next, 4) == Int64(projection.dailyGoalMinutes)
            && isSame(1, projection.displayName) && isSame(2, projection.cohort)
            && isSame(3, projection.nativeLanguage)
    }

    private func isSame(_ column: Int, _ other: String?) -> Bool {
        guard !rows.isNull(next, column), var other else { return rows.isNull(next, column) && other == nil }
        return other.withUTF8 { rows.text(next, column).elementsEqual($0) }
    }
}
