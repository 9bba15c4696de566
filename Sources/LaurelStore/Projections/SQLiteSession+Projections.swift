// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

extension SQLiteSession {
    // MARK: Snapshots

    func snapshot(of learner: Int64) throws -> [UInt8]? {
        try packedSnapshot(of: learner).flatMap { try unpack($0, of: PackedSnapshot.Key(learner: learner)) }
    }

    func packedSnapshot(of learner: Int64) throws -> [UInt8]? {
        let statement = try connection.statement("SELECT data FROM snapshots WHERE learner = ?")
        try statement.bind([.integer(learner)])
        defer { statement.reset() }
        return try statement.step() ? statement.array(0) : nil
    }

    /// nil where the snapshot is damaged: it is a cache, and is built again.
    func unpack(_ packed: [UInt8], of key: PackedSnapshot.Key) throws -> [UInt8]? {
        try format() < 5
            ? PackedSnapshot.unpackUnchecked(packed, with: snapshotDecompressor)
            : PackedSnapshot.unpack(packed, of: key, with: snapshotDecompressor)
    }

    func saveSnapshot(_ snapshot: [UInt8]?, of learner: Int64, in place: DerivedPlace) throws {
        let packed = snapshot.map {
            PackedSnapshot.pack($0, of: PackedSnapshot.Key(learner: learner), with: snapshotCompressor)
        }
        try writer(of: place).write(snapshot: packed, of: learner)
    }

    func dropDerivedState() throws {
        try touchEverybody()
        // What is dropped says nothing that is not still there, in events: overwriting it would double the writing. An erasure
        // leaves no free pages.
        try connection.execute("PRAGMA secure_delete = OFF")
        defer { try? connection.execute("PRAGMA secure_delete = ON") }
        for table in Schema.derivedTables {
            try connection.run("DELETE FROM \(table)")
        }
        try writer(of: .stored).didEmpty()
    }

    // MARK: Writing

    func project(
        _ projection: LearnerProjection,
        of learner: Int64,
        days: ReplacedDays,
        in place: DerivedPlace
    ) throws {
        try writer(of: place).write(projection, of: learner, days: days, &names)
    }

    func project(_ projection: LearnerProjection, replacing old: LearnerProjection, of learner: Int64) throws {
        try writer(of: .stored).write(projection, replacing: old, of: learner, &names)
    }

    func project(_ batch: any ProjectionBatch) throws {
        guard let batch = batch as? RowBatch else { preconditionFailure("another store's batch") }
        try writer(of: .stored).write(batch, days: .all, &names)
    }

    private func writer(of place: DerivedPlace) throws -> DerivedWriter {
        if let writer = derivedWriters[place] { return writer }
        let feed = try feed ?? RowFeed(connection)
        self.feed = feed
        let writer = try DerivedWriter(place, connection, feed)
        derivedWriters[place] = writer
        return writer
    }

    // MARK: Reading

    /// nil where there is none, whatever the learner's row says from before it was dropped.
    func projection(of learner: Int64, withDays: Bool) throws -> LearnerProjection? {
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
            projection.tracks.append(try track(rows))
        }
        guard !codes.isEmpty else { return nil }
        for (index, code) in codes.enumerated() {
            projection.tracks[index].achievements = try achievements(learner, code)
        }
        if withDays { try DailyRows.read(into: &projection, codes: codes, learner, connection) }
        return projection
    }

    private func track(_ row: Statement) throws -> TrackProjection {
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
        track.lastActivityDay = row.isNull(11) ? nil : try row.day(11)
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
        track.xpByBucket = try numbers(row, 27, "xp_by_bucket")
        track.metrics = NamedNumbers(try numbers(row, 28, "metrics"))
        return track
    }

    private func numbers(_ row: Statement, _ column: Int32, _ name: String) throws -> [NamedNumber] {
        if let numbers = NumbersJSON.decode(row.array(column)) { return numbers }
        throw StoreError(
            .corrupt,
            "\(connection.name): the progress of learner \(row.integer(0)) is damaged (\(name) holds no numbers);"
                + " `laurel replay` builds it again"
        )
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
