// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import LaurelProgress

/// Statements that are derived from the columns of the relations.
struct RelationSQL: SQLStatement {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }
    private init(_ sql: String) { self.init(rawValue: sql) }

    /// Empties each derived table of an edition.
    static let emptyEach = Relation.derivedTables.map {
        RelationSQL("DELETE FROM \($0.name) WHERE edition = $1 AND bucket BETWEEN $2 AND $3")
    }

    static let allCases =
        emptyEach
        + RowStatement.all.flatMap { [$0.one, $0.ofPartition, $0.ofAny] }.map { RelationSQL($0) }
}

extension RowStatement {
    // MARK: Learners

    static let learnersNamed = select("r.learner, r.events", from: .learners, by: ["bucket", "subject"])
    static let learners = select("r.subject, r.events", from: .learners, by: ["learner"])
    static let addLearners = insert(.learners, ["learner", "subject"])
    static let countEvents = update(
        .learners,
        by: "learner",
        ["events", "changed"],
        set: "events = r.events + q.events, changed = q.changed"
    )
    static let writeProfiles = update(
        .learners,
        by: "learner",
        ["display_name", "cohort", "native_language", "daily_goal_minutes", "leaderboard"],
        set: """
            display_name = q.display_name, cohort = q.cohort, native_language = q.native_language,
                daily_goal_minutes = q.daily_goal_minutes, leaderboard = q.leaderboard
            """,
        where: """
            (r.display_name, r.cohort, r.native_language, r.daily_goal_minutes, r.leaderboard)
                IS DISTINCT FROM (q.display_name, q.cohort, q.native_language, q.daily_goal_minutes, q.leaderboard)
            """
    )
    static let lastChanges = select("coalesce(max(r.changed), 0) AS changed", from: .learners, by: ["bucket"])
    static let copies = select("r.name, r.data", from: .copies, by: ["learner"], order: "name")
    static let writeCopies = put(.copies)
    static let deleteCopies = delete(.copies)
    static let notes = select("r.id, r.ms, r.author, r.text", from: .notes, by: ["learner"], order: "id")
    static let writeNotes = put(.notes)
    static let deleteNotes = delete(.notes)
    static let addGroups = insert(.groupLearners, onConflict: " ON CONFLICT DO NOTHING")
    static let groupsOfLearners = select("r.name", from: .groupLearners, by: ["learner"])

    /// The merges of some ids, each with the partition of the id.
    static let merges = select(Relation.merges.names("r."), from: .merges, by: ["bucket", "subject"])

    // MARK: Events

    static let runs = select(
        Relation.runs.names("r."),
        from: .runs,
        by: ["learner"],
        ["since", "until"],
        where: "r.first_ms <= q.until AND r.last_ms >= q.since",
        order: "first_ms, block"
    )
    static let countRuns = select(
        "count(*) AS runs, coalesce(sum(r.rows), 0)::bigint AS events",
        from: .runs,
        by: ["learner"]
    )
    static let addRuns = insert(.runs)
    static let deleteRuns = delete(.runs)
    static let blocks = select("r.block, r.data", from: .blocks, by: ["block"])
    static let addBlocks = insert(.blocks)
    static let deleteBlocks = delete(.blocks)
    static let generationsOfBlocks = select("r.generation", from: .blocks, by: ["block"])
    static let blocksOfGenerations = select("r.block", from: .blocks, by: ["generation"])
    static let deleteBlocksOfGenerations = delete(.blocks, by: ["generation"])
    static let countGenerations = insert(
        .generations,
        onConflict: " ON CONFLICT (bucket, generation) DO UPDATE"
            + " SET events = generations.events + EXCLUDED.events, runs = generations.runs + EXCLUDED.runs"
    )
    static let deleteGenerations = delete(.generations)
    static let tail = select(
        Relation.tail.names("r."),
        from: .tail,
        by: ["learner"],
        ["since", "until"],
        where: "r.ms BETWEEN q.since AND q.until",
        order: "ms, sequence"
    )
    static let appendToTail = insert(.tail)
    static let deleteFromTail = delete(.tail)

    // MARK: Identities

    static let identityRuns = select(
        "r.low, r.more",
        from: .identities,
        by: ["learner", "family"],
        ["number"],
        where: "r.low <= q.number",
        order: "low DESC",
        isFirst: true
    )
    static let identityRunsOfLearners = select(
        "r.family, r.low, r.more",
        from: .identities,
        by: ["learner"],
        order: "family, low"
    )
    static let writeIdentities = put(.identities)
    static let deleteIdentities = delete(.identities)
    static let haveLeavesOfPartitions = select(
        "r.low",
        from: .identityLeaves,
        by: ["bucket"],
        order: "low",
        isFirst: true
    )
    static let haveLeaves = select("r.low", from: .identityLeaves, by: ["learner"], order: "low", isFirst: true)
    static let leavesOfLearners = select("r.low, r.data", from: .identityLeaves, by: ["learner"], order: "low")
    static let writeLeaves = put(.identityLeaves)
    static let deleteLeaves = delete(.identityLeaves, by: ["learner"])

    // MARK: Quarantine

    static let addLines = insert(.quarantine, Relation.quarantine.columns.dropLast(2).map(\.name))
    static let setSizes = update(.quarantine, by: "id", ["bytes", "stored"], set: "bytes = q.bytes, stored = q.stored")
    static let sizes = select("r.stored", from: .quarantine, by: ["id"])
    static let deleteLines = delete(.quarantine)
    static let addPieces = insert(.quarantinePieces)
    static let deletePieces = delete(.quarantinePieces, by: ["quarantine"])

    // MARK: Derived tables

    static let snapshots = select("r.data", from: .snapshots, by: ["learner"])
    static let writeSnapshots = put(.snapshots)
    static let deleteSnapshots = delete(.snapshots)
    static let places = select("r.ms, r.events", from: .checkpoints, by: ["learner"], order: "ms")
    static let checkpointsBefore = select(
        "r.data, r.ms, r.events",
        from: .checkpoints,
        by: ["learner"],
        ["before"],
        where: "r.ms < q.before",
        order: "ms DESC",
        isFirst: true
    )
    static let writeCheckpoints = put(.checkpoints)
    static let deleteCheckpoints = delete(.checkpoints)
    static let deleteAllCheckpoints = delete(.checkpoints, by: ["learner"])

    static let progress = select(
        TrackNumbers.relation.names("r.") + ", g.tag",
        from: TrackNumbers.relation,
        by: ["learner"],
        join: " LEFT JOIN languages g USING (language)",
        order: "language > 0, tag"
    )
    static let achievements = ofLearners(AchievementProjection.relation)
    static let days = ofLearners(DayProjection.relation)
    static let writeProgress = Writing(TrackNumbers.relation)
    static let writeAchievements = Writing(AchievementProjection.relation)
    static let writeDays = Writing(DayProjection.relation)
    static let deleteAchievements = delete(AchievementProjection.relation)
    static let deleteDays = delete(DayProjection.relation, by: ["learner", "day"])
    static let deleteDaysOfTracks = delete(DayProjection.relation)
    static let lastWithProgress = last(TrackNumbers.relation)
    static let lastWithSnapshot = last(.snapshots)

    /// The two statements that write rows.
    struct Writing: Sendable {
        /// Writes rows, and replaces rows that have the same keys.
        let put: RowStatement
        /// Inserts rows whose keys are new. The server does not search for old rows, and needs half the time.
        let insert: RowStatement

        fileprivate init(_ relation: Relation) { (put, insert) = (.put(relation), .insert(relation)) }
    }

    private static func ofLearners(_ relation: Relation) -> RowStatement {
        select(relation.names("r."), from: relation, by: ["learner"], order: Array(relation.key.dropFirst()).names())
    }

    private static func last(_ relation: Relation) -> RowStatement {
        select("r.learner", from: relation, by: ["bucket"], order: "learner DESC", isFirst: true)
    }

    // MARK: The shadow

    static let noteChanged = insert(.shadowChanged, onConflict: " ON CONFLICT DO NOTHING")
    static let forgetChanged = delete(.shadowChanged)
    /// Deletes some learners' rows from each derived table.
    static let forgetEach = Relation.derivedTables.map { delete($0, by: ["learner"]) }

    static let all =
        [
            learnersNamed, learners, addLearners, countEvents, writeProfiles, lastChanges, copies, writeCopies,
            deleteCopies, notes, writeNotes, deleteNotes, addGroups, groupsOfLearners, merges, runs, countRuns, addRuns,
            deleteRuns,
            blocks,
            addBlocks,
            deleteBlocks, generationsOfBlocks,
            blocksOfGenerations, deleteBlocksOfGenerations, countGenerations, deleteGenerations, tail, appendToTail,
            deleteFromTail,
            identityRuns, identityRunsOfLearners, writeIdentities, deleteIdentities, haveLeavesOfPartitions, haveLeaves,
            leavesOfLearners,
            writeLeaves, deleteLeaves, addLines, setSizes, sizes, deleteLines, addPieces, deletePieces, snapshots,
            writeSnapshots, deleteSnapshots, places, checkpointsBefore, writeCheckpoints, deleteCheckpoints,
            deleteAllCheckpoints, progress, achievements, days, deleteAchievements, deleteDays, deleteDaysOfTracks,
            lastWithProgress, lastWithSnapshot, noteChanged, forgetChanged,
        ] + [writeProgress, writeAchievements, writeDays].flatMap { [$0.put, $0.insert] } + forgetEach
}

extension Relation {
    /// The DDL. The key begins with the edition and the partition.
    var createInPostgreSQL: String {
        let columns = columns.list { "\($0.name) \($0.postgresqlType)\($0.isOptional ? "" : " NOT NULL")" }
        return "CREATE TABLE \(name)(edition int NOT NULL, bucket int NOT NULL, \(columns),"
            + " PRIMARY KEY (\(wholeKey))) PARTITION BY LIST (edition)"
    }
}

extension Column {
    /// The type of a parameter for the column.
    var valueType: ValueType {
        switch type {
        case .integer, .instant, .day, .flag: .int8
        case .real: .float8
        case .text, .numbers: .text
        case .bytes: .bytea
        }
    }

    var postgresqlType: String {
        switch valueType {
        case .int8: isNarrow ? "int" : "bigint"
        case .float8: "double precision"
        default: valueType.name
        }
    }

    /// The expression that a view selects for the column.
    func shownInPostgreSQL(_ prefix: String) -> String {
        let column = prefix + name
        return switch type {
        case .instant: "to_timestamp(\(column) / 1000.0) AS \(shownAs)"
        case .day: "date '1970-01-01' + \(column) AS \(shownAs)"
        case .flag: "\(column) <> 0 AS \(shownAs)"
        case .numbers: "\(column)::jsonb AS \(shownAs)"
        default: column
        }
    }

    /// The SQL expression that sums the column's values of a day over the languages.
    var sumInPostgreSQL: String {
        switch type {
        case .real: "sum(\(name))"
        case .flag: "max(\(name))"
        default: "sum(\(name))::bigint"
        }
    }
}
