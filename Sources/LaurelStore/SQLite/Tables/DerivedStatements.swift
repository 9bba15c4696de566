// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

/// The prepared statements that write the derived tables of one place. A replay writes some ten rows for each learner
/// with them.
final class DerivedStatements {
    private let feed: BulkInsertTable
    private let insertProgress: Statement
    private let insertAchievements: Statement
    private let insertDays: Statement
    private let insertSnapshot: Statement
    private let insertCheckpoint: Statement
    private let deleteProgress: Statement
    private let deleteAchievement: Statement
    private let deleteDay: Statement
    private let deleteDayOfTrack: Statement
    private let deleteSnapshot: Statement
    /// nil in a shadow: profiles do not depend on the rules.
    private let updateProfile: Statement?
    let achievements: Statement
    let days: Statement
    let lastProgress: Statement
    let lastSnapshot: Statement

    init(_ place: DerivedPlace, _ connection: Connection, _ feed: BulkInsertTable) throws {
        self.feed = feed
        func statement(_ sql: String) throws -> Statement { try connection.statement(sql) }
        let prefix = place.prefix
        insertProgress = try statement(BulkInsertTable.insertion(of: .progress, into: "\(prefix)progress_rows"))
        insertAchievements = try statement(
            BulkInsertTable.insertion(of: .achievements, into: "\(prefix)achievement_rows")
        )
        insertDays = try statement(BulkInsertTable.insertion(of: .days, into: "\(prefix)daily_rows"))
        insertSnapshot = try statement("INSERT OR REPLACE INTO \(prefix)snapshots(learner, data) VALUES (?, ?)")
        insertCheckpoint = try statement("INSERT OR REPLACE INTO \(prefix)checkpoints VALUES (?, ?, ?, ?)")
        deleteProgress = try statement("DELETE FROM \(prefix)progress_rows WHERE learner = ?")
        deleteAchievement = try statement(
            "DELETE FROM \(prefix)achievement_rows WHERE learner = ? AND language = ? AND position = ?"
        )
        deleteDay = try statement("DELETE FROM \(prefix)daily_rows WHERE learner = ? AND day = ?")
        deleteDayOfTrack = try statement(
            "DELETE FROM \(prefix)daily_rows WHERE learner = ? AND day = ? AND language = ?"
        )
        deleteSnapshot = try statement("DELETE FROM \(prefix)snapshots WHERE learner = ?")
        updateProfile =
            place == .stored
            ? try statement(
                """
                UPDATE learners SET display_name = ?1, cohort = ?2, native_language = ?3, daily_goal_minutes = ?4
                WHERE learner = ?5 AND (display_name IS NOT ?1 OR cohort IS NOT ?2 OR native_language IS NOT ?3
                    OR daily_goal_minutes IS NOT ?4)
                """
            ) : nil
        achievements = try statement(
            "SELECT * FROM \(prefix)achievement_rows WHERE learner = ? ORDER BY language, position"
        )
        days = try statement("SELECT * FROM \(prefix)daily_rows WHERE learner = ? ORDER BY day, language")
        lastProgress = try statement("SELECT max(learner) FROM \(prefix)progress_rows")
        lastSnapshot = try statement("SELECT max(learner) FROM \(prefix)snapshots")
    }

    func write(_ changes: DerivedChanges) throws {
        for (learner, profile) in changes.profiles {
            try updateProfile?.run { row in
                row.bind(profile.displayName)
                row.bind(profile.cohort)
                row.bind(profile.nativeLanguage)
                row.bind(profile.dailyGoalMinutes)
                row.bind(learner)
            }
        }
        for learner in changes.progressGone { try deleteProgress.run { $0.bind(learner) } }
        for (learner, language, position) in changes.achievementsGone {
            try deleteAchievement.run { row in
                row.bind(learner)
                row.bind(language)
                row.bind(position)
            }
        }
        for (learner, day) in changes.daysGone {
            try deleteDay.run { row in
                row.bind(learner)
                row.bind(Int64(day))
            }
        }
        for (learner, day, language) in changes.dayRowsGone {
            try deleteDayOfTrack.run { row in
                row.bind(learner)
                row.bind(Int64(day))
                row.bind(language)
            }
        }
        try feed.insert(changes.progress, by: insertProgress)
        try feed.insert(changes.achievements, by: insertAchievements)
        try feed.insert(changes.days, by: insertDays)
    }

    func write(_ states: [StoredFoldState]) throws {
        for state in states {
            if let place = state.key.place {
                try insertCheckpoint.run { row in
                    row.bind(state.key.learner)
                    row.bind(place.milliseconds)
                    row.bind(place.events)
                    row.bind(blob: state.data)
                }
            } else {
                try insertSnapshot.run { row in
                    row.bind(state.key.learner)
                    row.bind(blob: state.data)
                }
            }
        }
    }

    func deleteSnapshots(of learners: [Int64]) throws {
        for learner in learners { try deleteSnapshot.run { $0.bind(learner) } }
    }
}
