internal import LaurelProgress

/// The rows of `achievement_rows` for a projection: achievements on which something happened.
struct AchievementRows {
    struct Row: Equatable {
        var language: Int64
        /// Among the track's achievements.
        var position: Int
        var name: Int64
        var tier: Int
        var tiers: Int
        var unlockedAt: Int64?
        var progress: Double
        var isHidden: Bool

        var place: Place { Place(language: language, position: position) }
    }

    /// Where in the table a row stands.
    struct Place: Hashable {
        var language: Int64
        var position: Int
    }

    private(set) var rows: [Row] = []

    init(_ projection: LearnerProjection, _ names: inout NameCodes, _ connection: Connection) throws {
        for track in projection.tracks {
            let language = try names.languageCode(track.language, connection)
            for (position, achievement) in track.achievements.enumerated() where achievement.hasBegun {
                rows.append(
                    Row(
                        language: language,
                        position: position,
                        name: try names.achievementCode(achievement.id, at: position, language: language, connection),
                        tier: achievement.tier,
                        tiers: achievement.tiers,
                        unlockedAt: achievement.unlockedAt,
                        progress: achievement.progress,
                        isHidden: achievement.isHidden
                    )
                )
            }
        }
    }

    /// Reads a learner's rows.
    static func selection(_ prefix: String) -> String {
        """
        SELECT language, position, achievement, tier, tiers, unlocked_ms, progress, hidden
        FROM \(prefix)achievement_rows WHERE learner = ?
        """
    }

    /// Leaves out the rows that are stored as they are: few change with an event, and a page that nothing changes on need
    /// not be written.
    /// - Parameter selection: see ``selection(_:)``.
    /// - Returns: where the stored rows stand that are others now, or are no more.
    mutating func removeStored(of learner: Int64, _ selection: Statement) throws -> [Place] {
        var stored: [Place: Row] = [:]
        selection.reset()
        try selection.bind([.integer(learner)])
        defer { selection.reset() }
        while try selection.step() {
            let row = AchievementRows.row(selection)
            stored[row.place] = row
        }
        rows.removeAll { row in
            guard stored[row.place] == row else { return false }
            stored[row.place] = nil
            return true
        }
        return Array(stored.keys)
    }

    private static func row(_ statement: Statement) -> Row {
        Row(
            language: statement.integer(0),
            position: statement.count(1),
            name: statement.integer(2),
            tier: statement.count(3),
            tiers: statement.count(4),
            unlockedAt: statement.optionalInteger(5),
            progress: statement.real(6),
            isHidden: statement.integer(7) != 0
        )
    }
}
