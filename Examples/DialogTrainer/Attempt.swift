// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the learner typed, measured against what was to be said.
struct Attempt {
    /// Words that were wrong, missing or too many.
    let errors: Int
    /// 0 … 1.
    let accuracy: Double
    /// Whether it is right to the accent.
    let isExact: Bool
    /// Whether it is right but for accents.
    let isRightButForAccents: Bool

    init(_ typed: String, of wanted: String) {
        let (said, expected) = (Attempt.words(typed), Attempt.words(wanted))
        isExact = said == expected
        isRightButForAccents = said.map(Attempt.plain) == expected.map(Attempt.plain)
        errors = Attempt.distance(said.map(Attempt.plain), expected.map(Attempt.plain))
        accuracy = max(0, 1 - Double(errors) / Double(max(expected.count, 1)))
    }

    /// In small letters, without punctuation.
    private static func words(_ text: String) -> [String] {
        text.precomposedStringWithCanonicalMapping.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private static func plain(_ word: String) -> String {
        word.folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// How many words must be changed, put in or taken out (Levenshtein).
    private static func distance(_ one: [String], _ other: [String]) -> Int {
        var row = Array(0...other.count)
        for (index, word) in one.enumerated() {
            var previous = row[0]
            row[0] = index + 1
            for column in other.indices {
                let above = row[column + 1]
                row[column + 1] = min(previous + (word == other[column] ? 0 : 1), above + 1, row[column] + 1)
                previous = above
            }
        }
        return row[other.count]
    }
}
