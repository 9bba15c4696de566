// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

extension StoreSession {
    // MARK: Snapshots

    func snapshot(of learner: Int64) throws -> [UInt8]? {
        try tables.snapshot(of: learner).flatMap { try unpack($0, of: PackedSnapshot.Key(learner: learner)) }
    }

    /// nil where the snapshot is damaged: it is a cache, and is built again.
    func unpack(_ packed: [UInt8], of key: PackedSnapshot.Key) throws -> [UInt8]? {
        try tables.format() < 5
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
        try tables.emptyDerivedTables()
        noteEmptiedTables()
    }

    /// To be told when the transaction has emptied all derived tables.
    func noteEmptiedTables() { writer(of: .stored).didEmpty() }

    // MARK: Writing

    func project(
        _ projection: LearnerProjection,
        of learner: Int64,
        days: ReplacedDays,
        in place: DerivedPlace
    ) throws {
        try writer(of: place).write(projection, of: learner, days: days, &names)
    }

    func project(_ batch: any ProjectionBatch) throws {
        guard let batch = batch as? PreparedProjections else { preconditionFailure("another store's batch") }
        try writer(of: .stored).write(batch, &names)
    }

    private func writer(of place: DerivedPlace) -> ProjectionWriter {
        if let writer = projectionWriters[place] { return writer }
        let writer = ProjectionWriter(place, tables)
        projectionWriters[place] = writer
        return writer
    }

    // MARK: Reading

    /// nil where there is none, whatever the learner's row says from before it was dropped.
    func projection(of learner: Int64, withDays: Bool) throws -> LearnerProjection? {
        let profile = try tables.profiles(from: learner, limit: 1)
        guard profile.count == 1, profile.integer(0, 0) == learner, !profile.isNull(0, 4) else { return nil }
        let rows = try tables.progressRows(of: learner)
        guard rows.count > 0 else { return nil }
        do {
            var projection = LearnerProjection(
                displayName: profile.string(0, 1),
                cohort: profile.string(0, 2),
                nativeLanguage: profile.string(0, 3),
                dailyGoalMinutes: profile.count(0, 4),
                tracks: try (0..<rows.count).map { try TrackProjection(rows, $0) }
            )
            let codes = (0..<rows.count).map { rows.integer($0, 1) }
            try readAchievements(into: &projection, codes: codes, learner)
            if withDays {
                try DailyRows.read(into: &projection, tables.dailyRows(of: [learner], in: .stored), codes: codes)
            }
            return projection
        } catch let error as Corruption {
            throw error.ofProgress(of: learner, in: tables.name)
        }
    }

    private func readAchievements(into projection: inout LearnerProjection, codes: [Int64], _ learner: Int64) throws {
        let rows = try tables.achievementRows(of: [learner], in: .stored)
        guard rows.count > 0 else { return }
        let ids = try tables.names(of: (0..<rows.count).map { rows.integer($0, 3) }, in: .achievements)
        for number in 0..<rows.count {
            guard let track = codes.firstIndex(of: rows.integer(number, 1)), let id = ids[rows.integer(number, 3)]
            else {
                continue
            }
            var row = AchievementProjection(id: id)
            row.tier = rows.count(number, 4)
            row.tiers = rows.count(number, 5)
            row.unlockedAt = rows.isNull(number, 6) ? nil : rows.integer(number, 6)
            row.progress = rows.real(number, 7)
            row.isHidden = rows.integer(number, 8) != 0
            projection.tracks[track].achievements.append(row)
        }
    }
}

extension Corruption {
    /// Of a learner's derived rows, which can be made anew from the events.
    func ofProgress(of learner: Int64, in store: String) -> StoreError {
        StoreError(
            .corrupt,
            "\(store): the progress of learner \(learner) is damaged (\(self)); `laurel replay` builds it again"
        )
    }
}

extension TrackProjection {
    /// A row of progress, behind which its tag stands.
    fileprivate init(_ rows: TableRows, _ row: Int) throws(Corruption) {
        self.init(language: rows.string(row, 29))
        events = rows.count(row, 2)
        firstEventAt = rows.integer(row, 3)
        lastEventAt = rows.integer(row, 4)
        xp = rows.real(row, 5)
        level = rows.count(row, 6)
        levelProgressPercent = rows.real(row, 7)
        currentStreak = rows.count(row, 8)
        longestStreak = rows.count(row, 9)
        streakFreezes = rows.count(row, 10)
        if !rows.isNull(row, 11) {
            guard let day = Int32(exactly: rows.integer(row, 11)) else { throw Corruption("a number is no day") }
            lastActivityDay = LocalDay(number: day)
        }
        practiceMilliseconds = rows.integer(row, 12)
        sessions = rows.count(row, 13)
        soloSessions = rows.count(row, 14)
        multiplayerSessions = rows.count(row, 15)
        wordsKnown = rows.count(row, 16)
        wordsLearned = rows.count(row, 17)
        wordsNew = rows.count(row, 18)
        wordsLearning = rows.count(row, 19)
        wordsReviewing = rows.count(row, 20)
        wordsMastered = rows.count(row, 21)
        successfulRepairs = rows.count(row, 22)
        helpGiven = rows.count(row, 23)
        teamWins = rows.count(row, 24)
        estimatedCEFR = rows.string(row, 25)
        cefrProgressPercent = rows.isNull(row, 26) ? nil : rows.real(row, 26)
        xpByBucket = try rows.numbers(row, 27, "xp_by_bucket")
        metrics = NamedNumbers(try rows.numbers(row, 28, "metrics"))
    }
}

extension TableRows {
    fileprivate func numbers(_ row: Int, _ column: Int, _ name: String) throws(Corruption) -> [NamedNumber] {
        guard let numbers = NumbersJSON.decode(Array(text(row, column))) else {
            throw Corruption("\(name) holds no numbers")
        }
        return numbers
    }
}
