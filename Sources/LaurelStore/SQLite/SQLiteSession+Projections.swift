internal import LaurelEvents
internal import LaurelProgress

extension SQLiteSession {
    // MARK: Snapshots

    func snapshot(of learner: Int64) throws -> [UInt8]? {
        let statement = try connection.statement("SELECT data FROM snapshots WHERE learner = ?")
        try statement.bind([.integer(learner)])
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return PackedSnapshot.unpack(statement.array(0), with: snapshotDecompressor)
    }

    func saveSnapshot(_ snapshot: [UInt8]?, of learner: Int64, in place: DerivedPlace) throws {
        if let snapshot {
            try connection.run(
                "INSERT OR REPLACE INTO \(place.prefix)snapshots(learner, data) VALUES (?, ?)",
                .integer(learner),
                .blob(PackedSnapshot.pack(snapshot, with: snapshotCompressor))
            )
        } else {
            try connection.run("DELETE FROM \(place.prefix)snapshots WHERE learner = ?", .integer(learner))
        }
    }

    func dropDerivedState() throws {
        for table in Schema.derivedTables {
            try connection.run("DELETE FROM \(table)")
        }
        try connection.run(
            """
            UPDATE learners SET display_name = NULL, cohort = NULL, native_language = NULL, daily_goal_minutes = NULL
            WHERE daily_goal_minutes IS NOT NULL
            """
        )
    }

    // MARK: Writing

    func project(
        _ projection: LearnerProjection,
        of learner: Int64,
        days: ReplacedDays,
        in place: DerivedPlace
    ) throws {
        // What learners say of themselves does not depend on the rules.
        if place == .stored { try writeProfile(projection, learner) }
        let prefix = place.prefix
        try connection.run("DELETE FROM \(prefix)progress_rows WHERE learner = ?", .integer(learner))
        try connection.run("DELETE FROM \(prefix)achievement_rows WHERE learner = ?", .integer(learner))
        for track in projection.tracks {
            let language = try languageCode(track.language)
            try write(track, learner, language, prefix)
            try write(track.achievements, learner, language, prefix)
        }
        try write(days: DailyRows(projection, code: languageCode), learner, days, prefix)
    }

    private func writeProfile(_ projection: LearnerProjection, _ learner: Int64) throws {
        try connection.run(
            """
            UPDATE learners SET display_name = ?, cohort = ?, native_language = ?, daily_goal_minutes = ?
            WHERE learner = ?
            """,
            .optional(projection.displayName),
            .optional(projection.cohort),
            .optional(projection.nativeLanguage),
            .count(projection.dailyGoalMinutes),
            .integer(learner)
        )
    }

    private func write(_ track: TrackProjection, _ learner: Int64, _ language: Int64, _ prefix: String) throws {
        let statement = try connection.statement(
            "INSERT INTO \(prefix)progress_rows VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
        )
        try statement.run(
            .integer(learner),
            .integer(language),
            .count(track.events),
            .integer(track.firstEventAt),
            .integer(track.lastEventAt),
            .real(track.xp),
            .count(track.level),
            .real(track.levelProgressPercent),
            .count(track.currentStreak),
            .count(track.longestStreak),
            .count(track.streakFreezes),
            .optional(track.lastActivityDay.map { Int64($0.number) }),
            .integer(track.practiceMilliseconds),
            .count(track.sessions),
            .count(track.soloSessions),
            .count(track.multiplayerSessions),
            .count(track.wordsKnown),
            .count(track.wordsLearned),
            .count(track.wordsNew),
            .count(track.wordsLearning),
            .count(track.wordsReviewing),
            .count(track.wordsMastered),
            .count(track.successfulRepairs),
            .count(track.helpGiven),
            .count(track.teamWins),
            .optional(track.estimatedCEFR),
            track.cefrProgressPercent.map(Value.real) ?? .null,
            .text(NumbersJSON.encode(track.xpByBucket)),
            .text(NumbersJSON.encode(track.metrics))
        )
    }

    private func write(
        _ achievements: [AchievementProjection],
        _ learner: Int64,
        _ language: Int64,
        _ prefix: String
    ) throws {
        let statement = try connection.statement(
            "INSERT INTO \(prefix)achievement_rows VALUES (?,?,?,?,?,?,?,?,?)"
        )
        for (position, row) in achievements.enumerated()
        where row.tier != 0 || row.progress != 0 || row.unlockedAt != nil {
            let name = try names.code(row.id, "achievement_names", "achievement", "id", connection)
            try statement.run(
                .integer(learner),
                .integer(language),
                .count(position),
                .integer(name),
                .count(row.tier),
                .count(row.tiers),
                .optional(row.unlockedAt),
                .real(row.progress),
                .count(row.isHidden ? 1 : 0)
            )
        }
    }

    private func write(days: DailyRows, _ learner: Int64, _ replaced: ReplacedDays, _ prefix: String) throws {
        switch replaced {
        case .all: try connection.run("DELETE FROM \(prefix)daily_rows WHERE learner = ?", .integer(learner))
        case .listed:
            for day in days.days {
                try connection.run(
                    "DELETE FROM \(prefix)daily_rows WHERE learner = ? AND day = ?",
                    .integer(learner),
                    .integer(Int64(day))
                )
            }
        }
        let statement = try connection.statement(
            "INSERT INTO \(prefix)daily_rows VALUES (?,?,?,?,?,?,?,?,?,?,?)"
        )
        for (language, row) in days.rows {
            try statement.run(
                .integer(learner),
                .integer(Int64(row.day.number)),
                .integer(language),
                .real(row.xp),
                .integer(row.practiceMilliseconds),
                .count(row.lines),
                .count(row.reviews),
                .count(row.correctReviews),
                .count(row.newWords),
                .count(row.learnedWords),
                .count(row.isActive ? 1 : 0)
            )
        }
        for day in days.withoutOverall {
            try connection.run(
                "INSERT INTO \(prefix)daily_rows(learner, day, language) VALUES (?, ?, 0)",
                .integer(learner),
                .integer(Int64(day))
            )
        }
    }

    /// 0 for the overall track.
    private func languageCode(_ tag: String?) throws -> Int64 {
        guard let tag else { return 0 }
        return try names.code(tag, "languages", "language", "tag", connection)
    }

    // MARK: Reading

    func projection(of learner: Int64) throws -> LearnerProjection? {
        let statement = try connection.statement(
            "SELECT display_name, cohort, native_language, daily_goal_minutes FROM learners WHERE learner = ?"
        )
        try statement.bind([.integer(learner)])
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(3) else { return nil }
        var projection = LearnerProjection(
            displayName: statement.optionalString(0),
            cohort: statement.optionalString(1),
            nativeLanguage: statement.optionalString(2),
            dailyGoalMinutes: statement.count(3),
            tracks: []
        )
        var codes: [Int64] = []
        let rows = try connection.statement(
            """
            SELECT p.*, g.tag FROM progress_rows p LEFT JOIN languages g USING(language) WHERE learner = ?
            ORDER BY p.language > 0, g.tag
            """
        )
        try rows.bind([.integer(learner)])
        defer { rows.reset() }
        while try rows.step() {
            codes.append(rows.integer(1))
            projection.tracks.append(track(rows))
        }
        for (index, code) in codes.enumerated() {
            projection.tracks[index].achievements = try achievements(learner, code)
        }
        try DailyRows.read(into: &projection, codes: codes, learner, connection)
        return projection
    }

    private func track(_ row: Statement) -> TrackProjection {
        var track = TrackProjection(language: row.optionalString(29))
        track.events = row.count(2)
        track.firstEventAt = row.integer(3)
        track.lastEventAt = row.integer(4)
        track.xp = row.real(5)
        track.level = row.count(6)
        track.levelProgressPercent = row.real(7)
        track.currentStreak = row.count(8)
        track.longestStreak = row.count(9)
        track.streakFreezes = row.count(10)
        track.lastActivityDay = row.optionalInteger(11).map { CivilDay(number: Int32(truncatingIfNeeded: $0)) }
        track.practiceMilliseconds = row.integer(12)
        track.sessions = row.count(13)
        track.soloSessions = row.count(14)
        track.multiplayerSessions = row.count(15)
        track.wordsKnown = row.count(16)
        track.wordsLearned = row.count(17)
        track.wordsNew = row.count(18)
        track.wordsLearning = row.count(19)
        track.wordsReviewing = row.count(20)
        track.wordsMastered = row.count(21)
        track.successfulRepairs = row.count(22)
        track.helpGiven = row.count(23)
        track.teamWins = row.count(24)
        track.estimatedCEFR = row.optionalString(25)
        track.cefrProgressPercent = row.isNull(26) ? nil : row.real(26)
        track.xpByBucket = NumbersJSON.decode(row.array(27))
        track.metrics = NumbersJSON.decode(row.array(28))
        return track
    }

    private func achievements(_ learner: Int64, _ language: Int64) throws -> [AchievementProjection] {
        let statement = try connection.statement(
            """
            SELECT n.id, tier, tiers, unlocked_ms, progress, hidden
            FROM achievement_rows JOIN achievement_names n USING(achievement)
            WHERE learner = ? AND language = ? ORDER BY position
            """
        )
        try statement.bind([.integer(learner), .integer(language)])
        defer { statement.reset() }
        var rows: [AchievementProjection] = []
        while try statement.step() {
            var row = AchievementProjection(id: statement.string(0))
            row.tier = statement.count(1)
            row.tiers = statement.count(2)
            row.unlockedAt = statement.optionalInteger(3)
            row.progress = statement.real(4)
            row.isHidden = statement.integer(5) != 0
            rows.append(row)
        }
        return rows
    }
}
