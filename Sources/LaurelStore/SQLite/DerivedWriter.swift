internal import LaurelEvents
internal import LaurelProgress

/// Writes learners' projections and snapshots into the derived tables of one place.
///
/// A replay writes some ten rows for everyone, so its statements are looked up once, not by their text each time.
final class DerivedWriter {
    private let connection: Connection
    private let insertProgress: Statement
    private let insertAchievement: Statement
    private let insertDay: Statement
    private let insertDayWithoutOverall: Statement
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
    /// Above this learner nothing stands in the tables, since they were emptied: there is nothing to replace.
    private var lastWritten = Int64.max
    /// The same of snapshots.
    private var lastSnapshot = Int64.max
    private var texts = NumberTexts()

    init(_ place: DerivedPlace, _ connection: Connection) throws {
        self.connection = connection
        func statement(_ sql: String) throws -> Statement { try connection.statement(sql) }
        func places(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ",") }
        let prefix = place.prefix
        insertProgress = try statement("INSERT INTO \(prefix)progress_rows VALUES (\(places(29)))")
        insertAchievement = try statement("INSERT INTO \(prefix)achievement_rows VALUES (\(places(9)))")
        insertDay = try statement("INSERT INTO \(prefix)daily_rows VALUES (\(places(11)))")
        insertDayWithoutOverall = try statement(
            "INSERT INTO \(prefix)daily_rows(learner, day, language) VALUES (?, ?, 0)"
        )
        insertSnapshot = try statement("INSERT OR REPLACE INTO \(prefix)snapshots(learner, data) VALUES (?, ?)")
        deleteProgress = try statement("DELETE FROM \(prefix)progress_rows WHERE learner = ?")
        deleteAchievement = try statement(
            "DELETE FROM \(prefix)achievement_rows WHERE learner = ? AND language = ? AND position = ?"
        )
        selectAchievements = try statement(AchievementRows.selection(prefix))
        deleteDay = try statement("DELETE FROM \(prefix)daily_rows WHERE learner = ? AND day = ?")
        deleteDayOfTrack = try statement(
            "DELETE FROM \(prefix)daily_rows WHERE learner = ? AND day = ? AND language = ?"
        )
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
        (lastWritten, lastSnapshot) = (.min, .min)
        profiles.forget()
    }

    /// To be told when a transaction begins: others may have written since.
    func didBegin() { (lastWritten, lastSnapshot) = (.max, .max) }

    func write(
        _ projection: LearnerProjection,
        of learner: Int64,
        days: ReplacedDays,
        _ names: inout NameCodes
    ) throws {
        let replaces = learner <= lastWritten
        try writeProfile(projection, of: learner, isNext: !replaces)
        if replaces { try deleteProgress.run { $0.bind(learner) } }
        for track in projection.tracks {
            try write(track, learner, try names.languageCode(track.language, connection))
        }
        var achievements = try AchievementRows(projection, &names, connection)
        if replaces { try makeRoom(for: &achievements, of: learner) }
        try write(achievements, of: learner)
        var rows = try DailyRows(projection) { try names.languageCode($0, connection) }
        if replaces { try makeRoom(for: &rows, of: learner, days) }
        try write(rows, of: learner)
        if !replaces { lastWritten = learner }
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
        if let snapshot {
            try insertSnapshot.run([.integer(learner), .blob(snapshot)])
            lastSnapshot = max(lastSnapshot, learner)
        } else if learner <= lastSnapshot {
            try deleteSnapshot.run { $0.bind(learner) }
        }
    }

    /// Deletes the days that are replaced. Of a whole history mostly few have changed: those that have not stay, and need
    /// not be written.
    private func makeRoom(for rows: inout DailyRows, of learner: Int64, _ replaced: ReplacedDays) throws {
        switch replaced {
        case .all:
            for (day, language) in try rows.removeStored(of: learner, selectDays) {
                try deleteDayOfTrack.run { row in
                    row.bind(learner)
                    row.bind(Int64(day))
                    row.bind(language)
                }
            }
        case .listed:
            for day in rows.days {
                try deleteDay.run { row in
                    row.bind(learner)
                    row.bind(Int64(day))
                }
            }
        }
    }

    private func makeRoom(for rows: inout AchievementRows, of learner: Int64) throws {
        for place in try rows.removeStored(of: learner, selectAchievements) {
            try deleteAchievement.run { row in
                row.bind(learner)
                row.bind(place.language)
                row.bind(place.position)
            }
        }
    }

    private func write(_ track: TrackProjection, _ learner: Int64, _ language: Int64) throws {
        texts.take(track)
        try texts.withTexts { xpByBucket, metrics in
            try write(track, learner, language, xpByBucket, metrics)
        }
    }

    private func write(
        _ track: TrackProjection,
        _ learner: Int64,
        _ language: Int64,
        _ xpByBucket: UnsafeBufferPointer<UInt8>,
        _ metrics: UnsafeBufferPointer<UInt8>
    ) throws {
        try insertProgress.run { row in
            row.bind(learner)
            row.bind(language)
            row.bind(track.events)
            row.bind(track.firstEventAt)
            row.bind(track.lastEventAt)
            row.bind(track.xp)
            row.bind(track.level)
            row.bind(track.levelProgressPercent)
            row.bind(track.currentStreak)
            row.bind(track.longestStreak)
            row.bind(track.streakFreezes)
            row.bind(track.lastActivityDay.map { Int64($0.number) })
            row.bind(track.practiceMilliseconds)
            row.bind(track.sessions)
            row.bind(track.soloSessions)
            row.bind(track.multiplayerSessions)
            row.bind(track.wordsKnown)
            row.bind(track.wordsLearned)
            row.bind(track.wordsNew)
            row.bind(track.wordsLearning)
            row.bind(track.wordsReviewing)
            row.bind(track.wordsMastered)
            row.bind(track.successfulRepairs)
            row.bind(track.helpGiven)
            row.bind(track.teamWins)
            row.bind(track.estimatedCEFR)
            row.bind(track.cefrProgressPercent)
            row.bind(lent: xpByBucket)
            row.bind(lent: metrics)
        }
    }

    private func write(_ achievements: AchievementRows, of learner: Int64) throws {
        for achievement in achievements.rows {
            try insertAchievement.run { row in
                row.bind(learner)
                row.bind(achievement.language)
                row.bind(achievement.position)
                row.bind(achievement.name)
                row.bind(achievement.tier)
                row.bind(achievement.tiers)
                row.bind(achievement.unlockedAt)
                row.bind(achievement.progress)
                row.bind(achievement.isHidden ? 1 : 0)
            }
        }
    }

    private func write(_ days: DailyRows, of learner: Int64) throws {
        for (language, day) in days.rows {
            try insertDay.run { row in
                row.bind(learner)
                row.bind(Int64(day.day.number))
                row.bind(language)
                row.bind(day.xp)
                row.bind(day.practiceMilliseconds)
                row.bind(day.lines)
                row.bind(day.reviews)
                row.bind(day.correctReviews)
                row.bind(day.newWords)
                row.bind(day.learnedWords)
                row.bind(day.isActive ? 1 : 0)
            }
        }
        for day in days.withoutOverall {
            try insertDayWithoutOverall.run { row in
                row.bind(learner)
                row.bind(Int64(day))
            }
        }
    }
}

/// The JSON of a row of progress. A learner's tracks often have the same numbers: the overall one and that of the only
/// language.
private struct NumberTexts {
    private var text: [UInt8] = []
    /// Where the metrics begin.
    private var border = 0
    private var xpByBucket: [NamedNumber] = []
    private var metrics: NamedNumbers = []

    mutating func take(_ track: TrackProjection) {
        if !text.isEmpty, track.metrics.isIdentical(to: metrics), track.xpByBucket.isIdentical(to: xpByBucket) {
            return
        }
        (xpByBucket, metrics) = (track.xpByBucket, track.metrics)
        text.removeAll(keepingCapacity: true)
        NumbersJSON.append(xpByBucket, to: &text)
        border = text.count
        NumbersJSON.append(metrics, to: &text)
    }

    func withTexts(
        _ body: (_ xpByBucket: UnsafeBufferPointer<UInt8>, _ metrics: UnsafeBufferPointer<UInt8>) throws -> Void
    ) rethrows {
        try text.withUnsafeBufferPointer { text in
            try body(UnsafeBufferPointer(rebasing: text[..<border]), UnsafeBufferPointer(rebasing: text[border...]))
        }
    }
}
