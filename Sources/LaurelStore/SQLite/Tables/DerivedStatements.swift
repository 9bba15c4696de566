// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

/// The statements on one set of derived tables: the stored ones or a shadow. In a replay, they write about ten rows for
/// each learner. Each SQL text is made once and keeps its address. ``Connection`` finds the prepared statement by this
/// address.
final class DerivedStatements: Sendable {
    static let stored = DerivedStatements(prefix: "")
    static let shadow = DerivedStatements(prefix: "shadow_")

    let insertProgress, insertAchievements, insertDays, insertSnapshot, insertCheckpoint: String
    let deleteProgress, deleteAchievement, deleteDay, deleteDayOfTrack, deleteSnapshot: String
    let progress, achievements, days, lastProgress, lastSnapshot: String

    private init(prefix: String) {
        insertProgress = BulkInsertTable.insertion(into: TrackNumbers.relation, prefix)
        insertAchievements = BulkInsertTable.insertion(into: AchievementProjection.relation, prefix)
        insertDays = BulkInsertTable.insertion(into: DayProjection.relation, prefix)
        insertSnapshot = "INSERT OR REPLACE INTO \(prefix)snapshots(learner, data) VALUES (?, ?)"
        insertCheckpoint = "INSERT OR REPLACE INTO \(prefix)checkpoints VALUES (?, ?, ?, ?)"
        deleteProgress = "DELETE FROM \(prefix)progress_rows WHERE learner = ?"
        deleteAchievement =
            "DELETE FROM \(prefix)achievement_rows WHERE learner = ? AND language = ? AND position = ?"
        deleteDay = "DELETE FROM \(prefix)daily_rows WHERE learner = ? AND day = ?"
        deleteDayOfTrack = "DELETE FROM \(prefix)daily_rows WHERE learner = ? AND day = ? AND language = ?"
        deleteSnapshot = "DELETE FROM \(prefix)snapshots WHERE learner = ?"
        progress = """
            SELECT \(TrackNumbers.relation.names("p.")), g.tag FROM \(prefix)progress_rows p
                LEFT JOIN languages g USING(language)
            WHERE learner = ? ORDER BY p.language > 0, g.tag
            """
        achievements = AchievementProjection.relation.ofLearnerInSQLite(prefix)
        days = DayProjection.relation.ofLearnerInSQLite(prefix)
        lastProgress = "SELECT max(learner) FROM \(prefix)progress_rows"
        lastSnapshot = "SELECT max(learner) FROM \(prefix)snapshots"
    }
}

extension DerivedTarget {
    var statements: DerivedStatements {
        switch self {
        case .stored: .stored
        case .shadow: .shadow
        }
    }
}
