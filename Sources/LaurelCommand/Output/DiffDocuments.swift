// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A comparison of rules as a table for spreadsheets, with a line per learner and track.
enum DiffCSV {
    private static let numbers = [
        "totalXP", "currentLevel", "currentStreak", "longestStreak", "totalWordsLearned", "estimatedCEFR",
    ]

    static func write(_ diff: RulesDiff, to output: OutputStream) throws {
        let outcomes = AchievementDifference.Outcome.allCases
        let columns =
            ["learner", "language"] + numbers.flatMap { ["\($0)Before", "\($0)After"] } + outcomes.map(\.rawValue)
        try output.write("\(CSVRecord(texts: columns))\n")
        for learner in diff.learners {
            for track in learner.tracks {
                let pairs = zip(cells(track.before), cells(track.after)).flatMap { [$0, $1] }
                let achievements = outcomes.map { outcome in
                    track.achievements.filter { $0.outcome == outcome }.map(\.id).joined(separator: " ")
                }
                let names = [learner.learner, track.language ?? "*"].map(CSVRecord.Cell.text)
                try output.write("\(CSVRecord(names + pairs + achievements.map(CSVRecord.Cell.text)))\n")
            }
        }
    }

    private static func cells(_ numbers: TrackDifference.Numbers) -> [CSVRecord.Cell] {
        let counts = [
            numbers.totalXP, numbers.currentLevel, numbers.currentStreak, numbers.longestStreak,
            numbers.totalWordsLearned,
        ]
        return counts.map { .number(Double($0)) } + [numbers.estimatedCEFR.map { .text($0.rawValue) } ?? .null]
    }
}
