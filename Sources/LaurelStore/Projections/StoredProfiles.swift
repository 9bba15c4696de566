// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

/// The stored profiles of the learners who are written next, read a few hundred at a time. In a replay most profiles
/// are unchanged.
struct StoredProfiles {
    /// Rows as returned by ``DerivedTables/profiles(from:limit:)``, ascending. Rows from `next` on are not used yet.
    private var rows = TableRows(width: 6)
    private var next = 0
    private static let readAtOnce = 256

    /// Forgets the profiles. Call it if the next learner's id is not higher than the previous one.
    mutating func forget() {
        rows.removeAll()
        next = 0
    }

    /// True if a learner's stored profile equals the profile of a projection. Each call must pass a higher learner id
    /// than the call before.
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
        // A learner without a goal never had a projection.
        guard next < rows.count, rows.integer(next, 0) == learner, !rows.isNull(next, 4) else { return false }
        return rows.integer(next, 4) == Int64(projection.dailyGoalMinutes)
            && isSame(1, projection.displayName) && isSame(2, projection.cohort)
            && isSame(3, projection.nativeLanguage) && !rows.isNull(next, 5)
            && (rows.integer(next, 5) != 0) == projection.isOnLeaderboards
    }

    private func isSame(_ column: Int, _ other: String?) -> Bool {
        guard !rows.isNull(next, column), var other else { return rows.isNull(next, column) && other == nil }
        return other.withUTF8 { rows.text(next, column).elementsEqual($0) }
    }
}
