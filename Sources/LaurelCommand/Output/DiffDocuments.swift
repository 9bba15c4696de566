import Laurel

/// A diff of rules as a table for spreadsheets: a line per learner and track.
enum DiffCSV {
    private static let numbers = [
        "totalXP", "currentLevel", "currentStreak", "longestStreak", "totalWordsLearned", "estimatedCEFR",
    ]

    static func write(_ diff: RulesDiff, to output: OutputStream) throws {
        let outcomes = AchievementDifference.Outcome.allCases
        let csv = try CSVText(
            output,
            ["userId", "language"] + numbers.flatMap { ["\($0)Before", "\($0)After"] } + outcomes.map(\.rawValue)
        )
        for learner in diff.learners {
            for track in learner.tracks {
                let pairs = zip(cells(track.before), cells(track.after)).flatMap { [$0, $1] }
                let achievements = outcomes.map { outcome in
                    track.achievements.filter { $0.outcome == outcome }.map(\.id).joined(separator: " ")
                }
                try csv.add([learner.learner, track.language ?? "*"] + pairs + achievements)
            }
        }
    }

    private static func cells(_ numbers: TrackDifference.Numbers) -> [String] {
        [
            "\(numbers.totalXP)", "\(numbers.currentLevel)", "\(numbers.currentStreak)", "\(numbers.longestStreak)",
            "\(numbers.totalWordsLearned)", numbers.estimatedCEFR?.rawValue ?? "",
        ]
    }
}
