// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// Writes learners' projections and snapshots into the derived tables of one place.
///
/// A replay writes some ten rows for everyone, so its statements are looked up once, not by their text each time, and each
/// inserts as many rows as there are.
final class DerivedWriter {
    private let connection: Connection
    private let feed: RowFeed
    private let insertProgress: Statement
    private let insertAchievement: Statement
    private let insertDay: Statement
    private let insertSnapshot: Statement
    private let deleteProgress: Statement
    private let deleteAchievement: Statement
    private let selectAchievements: Statement
    private let deleteDay: Statement
    private let deleteDayOfTrack: Statement
    private let selectDays: Statement
    private let deleteSnapshot: Statement
    private let updateProfile: Statement?
    private let profiles: ProfilesAhead
    /// Above this learner nothing stands in the tables: there is nothing to replace. nil where that is not known yet.
    private var lastWritten: Int64?
    private let selectLast: Statement
    private let selectLastSnapshot: Statement
    /// Whether the tables were emptied, so that everyone is written anew.
    private var wasEmptied = false
    /// The same of snapshots.
    private var lastSnapshot: Int64?
    /// For one learner's rows.
    private let batch = RowBatch()
    private var days = CellRows(width: 11)

    init(_ place: DerivedPlace, _ connection: Connection, _ feed: RowFeed) throws {
        self.connection = connection
        self.feed = feed
        func statement(_ sql: String) throws -> Statement { try connection.statement(sql) }
        let prefix = place.prefix
        insertProgress = try statement(RowFeed.insertion(into: "\(prefix)progress_rows", width: 29))
        insertAchievement = try statement(RowFeed.insertion(into: "\(prefix)achievement_rows", width: 9))
        insertDay = try statement(RowFeed.insertion(into: "\(prefix)daily_rows", width: 11))
        insertSnapshot = try statement("INSERT OR REPLACE INTO \(prefix)snapshots(learner, data) VALUES (?, ?)")
        deleteProgress = try statement("DELETE FROM \(prefix)progress_rows WHERE learner = ?")
        deleteAchievement = try statement(
            "DELETE FROM \(prefix)achievement_rows WHERE learner = ? AND language = ? AND position = ?"
        )
        selectAchievements = try statement(StoredAchievements.selection(prefix))
        deleteDay = try statement("DELETE FROM \(prefix)daily_rows WHERE learner = ? AND day = ?")
        deleteDayOfTrack = try statement(
            "DELETE FROM \(prefix)daily_rows WHERE learner = ? AND day = ? AND language = ?"
        )
        selectLast = try statement("SELECT max(learner) FROM \(prefix)progress_rows")
        selectLastSnapshot = try statement("SELECT max(learner) FROM \(prefix)snapshots")
        selectDays = try statement(DailyRows.selection(prefix))
        deleteSnapshot = try statement("DELETE FROM \(prefix)snapshots WHERE learner = ?")
        profiles = try ProfilesAhead(connection)
        // What learners say of themselves does not depend on the rules.
        updateProfile =
            place == .stored
            ? try statement(
                """
                UPDATE learners SET display_name = ?1, cohort = ?2, native_language = ?3, daily_goal_minutes = ?4
                WHERE learner = ?5 AND (display_name IS NOT ?1 OR cohort IS NOT ?2 OR native_language IS NOT ?3
                    OR daily_goal_minutes IS NOT ?4)
                """
            ) : nil
    }

    /// To be told when the place's tables were emptied.
    func didEmpty() {
        (lastWritten, lastSnapshot, wasEmptied) = (.min, .min, true)
        profiles.forget()
    }

    /// To be told when a transaction begins.
    func didBegin() { wasEmptied = false }

    /// To be told when others may have written since.
    func forgetRows() { (lastWritten, lastSnapshot, wasEmptied) = (nil, nil, false) }

    func write(
        _ projection: LearnerProjection,
        of learner: Int64,
        days: ReplacedDays,
        _ names: inout NameCodes
    ) throws {
        batch.removeAll()
        batch.append(projection, of: learner)
        try write(batch, days: days, &names)
    }

    /// Writes what has changed.
    /// - Parameter old: what is stored, of the days some or none.
    func write(
        _ projection: LearnerProjection,
        replacing old: LearnerProjection,
        of learner: Int64,
        _ names: inout NameCodes
    ) throws {
        batch.removeAll()
        batch.append(projection, replacing: old, of: learner)
        let codes = try fillIn(batch, &names)
        if !projection.hasSameProfile(as: old) { try writeProfile(projection, of: learner, isNext: false) }
        for (language, position) in batch.outdatedAchievements {
            try delete(StoredAchievements.Place(language: codes[language], position: Int64(position)), of: learner)
        }
        var rows = DailyRows()
        rows.take(batch, batch.learners[0], codes)
        try makeRoom(for: &rows, of: learner, replacing: DailyRows(of: old, &names, connection))
        days.removeAll()
        rows.append(to: &days, learner)
        try feed.insert(batch.progress, by: insertProgress)
        try feed.insert(batch.achievements, by: insertAchievement)
        try feed.insert(days, by: insertDay)
    }

    /// Learners in ascending order are written the fastest.
    func write(_ batch: RowBatch, days replaced: ReplacedDays, _ names: inout NameCodes) throws {
        let codes = try fillIn(batch, &names)
        days.removeAll()
        var last = try lastWritten ?? highest(selectLast)
        var rows = DailyRows()
        var unchanged: Set<Int> = []
        for learner in batch.learners {
            let replaces = learner.id <= last
            try writeProfile(learner.profile, of: learner.id, isNext: wasEmptied && !replaces)
            rows.take(batch, learner, codes)
            if replaces {
                try deleteProgress.run { $0.bind(learner.id) }
                unchanged.formUnion(try makeRoomForAchievements(batch, learner))
                try makeRoom(for: &rows, of: learner.id, replaced)
            } else {
                last = learner.id
            }
            rows.append(to: &days, learner.id)
        }
        try feed.insert(batch.progress, by: insertProgress)
        let achievements = unchanged.isEmpty ? batch.achievements : batch.achievements.without(unchanged)
        try feed.insert(achievements, by: insertAchievement)
        try feed.insert(days, by: insertDay)
        lastWritten = last
    }

    /// Whoever has any rows has some of progress.
    private func highest(_ selection: Statement) throws -> Int64 {
        selection.reset()
        defer { selection.reset() }
        return try selection.step() && !selection.isNull(0) ? selection.integer(0) : .min
    }

    /// Puts codes in the places of names.
    /// - Returns: those of the languages, by their places.
    private func fillIn(_ batch: RowBatch, _ names: inout NameCodes) throws -> [Int64] {
        let languages = try batch.languages.indices.map { place in
            try names.languageCode(place == 0 ? nil : batch.languages[place], connection)
        }
        let achievements = try batch.achievementIDs.map { try names.achievementCode($0, connection) }
        batch.progress.replace(column: 1) { languages[Int($0)] }
        batch.achievements.replace(column: 1) { languages[Int($0)] }
        batch.achievements.replace(column: 3) { achievements[Int($0)] }
        return languages
    }

    /// - Parameter isNext: whether everyone is written, in ascending order.
    private func writeProfile(_ projection: LearnerProjection, of learner: Int64, isNext: Bool) throws {
        guard let updateProfile else { return }
        if isNext, try profiles.has(projection, learner) { return }
        try updateProfile.run { row in
            row.bind(projection.displayName)
            row.bind(projection.cohort)
            row.bind(projection.nativeLanguage)
            row.bind(projection.dailyGoalMinutes)
            row.bind(learner)
        }
    }

    /// - Parameter snapshot: packed; nil removes what there is.
    func write(snapshot: [UInt8]?, of learner: Int64) throws {
        let last = try lastSnapshot ?? highest(selectLastSnapshot)
        if let snapshot {
            try insertSnapshot.run([.integer(learner), .blob(snapshot)])
        } else if learner <= last {
            try deleteSnapshot.run { $0.bind(learner) }
        }
        lastSnapshot = snapshot == nil ? last : max(last, learner)
    }

    /// Deletes the days that are replaced. Of a whole history mostly few have changed: those that have not stay, and need
    /// not be written.
    private func makeRoom(for rows: inout DailyRows, of learner: Int64, _ replaced: ReplacedDays) throws {
        switch replaced {
        case .all:
            for (day, language) in try rows.removeStored(of: learner, selectDays) {
                try delete(day: day, language, of: learner)
            }
        case .listed:
            for day in rows.days { try delete(day: day, of: learner) }
        }
    }

    /// Leaves out the rows that are stored as they are, and deletes those that are no more.
    /// - Parameter old: the stored rows of some days.
    private func makeRoom(for rows: inout DailyRows, of learner: Int64, replacing old: DailyRows) throws {
        let known = Set(old.days)
        for day in rows.days where !known.contains(day) { try delete(day: day, of: learner) }
        for (day, language) in rows.remove(old) { try delete(day: day, language, of: learner) }
    }

    private func delete(day: Int32, of learner: Int64) throws {
        try deleteDay.run { row in
            row.bind(learner)
            row.bind(Int64(day))
        }
    }

    private func delete(day: Int32, _ language: Int64, of learner: Int64) throws {
        try deleteDayOfTrack.run { row in
            row.bind(learner)
            row.bind(Int64(day))
            row.bind(language)
        }
    }

    /// Deletes the achievements that are replaced.
    /// - Returns: the places of rows that are stored as they are.
    private func makeRoomForAchievements(_ batch: RowBatch, _ learner: RowBatch.Learner) throws -> [Int] {
        let (unchanged, outdated) = try StoredAchievements.compare(
            batch.achievements,
            at: learner.achievements,
            of: learner.id,
            selectAchievements
        )
        for place in outdated { try delete(place, of: learner.id) }
        return unchanged
    }

    private func delete(_ place: StoredAchievements.Place, of learner: Int64) throws {
        try deleteAchievement.run { row in
            row.bind(learner)
            row.bind(place.language)
            row.bind(place.position)
        }
    }
}

extension LearnerProjection {
    fileprivate func hasSameProfile(as other: LearnerProjection) -> Bool {
        var (one, other) = (self, other)
        (one.tracks, other.tracks) = ([], [])
        return one == other
    }
}
