import Laurel
import LaurelEvents
import LaurelRules

/// A diff of rules as one JSON document.
struct DiffJSON {
    let diff: RulesDiff
    let at: Timestamp

    func write(to output: OutputStream) throws {
        try output.writeJSON { json in
            json.member("at", "\(at)")
            json.member("events", diff.events)
            writeSummary(to: &json)
            json.list("learners", diff.learners) { $0.write($1) }
        }
    }

    /// What is known of everyone together; `apply` tells it, too.
    func writeSummary(to json: inout JSONText) {
        let summary = diff.summary
        json.list("changes", diff.comparison.changes) { $0.write($1) }
        json.member("compared", summary.learners)
        json.member("population", summary.population)
        if summary.isSample {
            json.object("sample") { json in
                json.member("confidence", Estimate.confidence)
                json.member("method", Estimate.method)
                for (name, count) in counts { json.object(name) { $0.write(summary.estimate(count)) } }
            }
        }
        json.object("summary") { json in
            for (name, count) in counts { json.member(name, count) }
            for (name, change) in changes {
                json.object(name) { $0.write(change, isSample: summary.isSample) }
            }
            json.member("cefrHigher", summary.cefrHigher)
            json.member("cefrLower", summary.cefrLower)
            json.list("achievements", summary.holders) { writeHolders($1, to: &$0) }
        }
    }

    private var counts: [(String, Int)] {
        let summary = diff.summary
        return [
            ("gain", summary.gain), ("lose", summary.lose), ("both", summary.mixed), ("onlyDates", summary.redated),
            ("noChange", summary.unchanged),
        ]
    }

    private var changes: [(String, DifferenceSummary.Change)] {
        let summary = diff.summary
        return [
            ("level", summary.level), ("xp", summary.xp), ("currentStreak", summary.currentStreak),
            ("longestStreak", summary.longestStreak), ("wordsLearned", summary.wordsLearned),
        ]
    }

    private func writeHolders(_ holders: DifferenceSummary.Holders, to json: inout JSONText) {
        json.member("id", holders.id)
        json.member("before", holders.before)
        json.member("after", holders.after)
        json.member("won", holders.won)
        json.member("lost", holders.lost)
        json.member("moreTiers", holders.moreTiers)
        json.member("fewerTiers", holders.fewerTiers)
        json.member("earlier", holders.earlier)
        json.member("later", holders.later)
        guard diff.summary.isSample else { return }
        json.object("estimatedBefore") { $0.write(diff.summary.estimate(holders.before)) }
        json.object("estimatedAfter") { $0.write(diff.summary.estimate(holders.after)) }
    }
}

extension JSONText {
    fileprivate mutating func write(_ estimate: Estimate) {
        member("value", estimate.value)
        member("low", estimate.low)
        member("high", estimate.high)
    }

    fileprivate mutating func write(_ change: DifferenceSummary.Change, isSample: Bool) {
        member("median", change.median)
        member("medianOfChanged", change.medianOfChanged)
        member("largestGain", change.largestGain)
        member("largestLoss", change.largestLoss)
        member("gains", change.gains)
        member("losses", change.losses)
        member("sumBefore", change.sumBefore)
        member("sumAfter", change.sumAfter)
        guard isSample else { return }
        member("medianLow", change.medianInterval?.lowerBound)
        member("medianHigh", change.medianInterval?.upperBound)
        member("sumChangeLow", change.sumInterval?.lowerBound)
        member("sumChangeHigh", change.sumInterval?.upperBound)
    }

    fileprivate mutating func write(_ learner: LearnerDifference) {
        member("userId", learner.subject)
        member("displayName", learner.displayName)
        list("tracks", learner.tracks) { json, track in
            json.member("language", track.language)
            json.object("before") { $0.write(track.before) }
            json.object("after") { $0.write(track.after) }
            json.list("achievements", track.achievements) { json, difference in
                json.member("id", difference.id)
                json.member("outcome", difference.outcome.rawValue)
                json.member("tierBefore", difference.tierBefore)
                json.member("tierAfter", difference.tierAfter)
                json.member("unlockedBefore", instant: difference.unlockedBefore)
                json.member("unlockedAfter", instant: difference.unlockedAfter)
            }
        }
    }

    private mutating func write(_ numbers: TrackDifference.Numbers) {
        member("totalXP", numbers.xp)
        member("currentLevel", numbers.level)
        member("currentStreak", numbers.currentStreak)
        member("longestStreak", numbers.longestStreak)
        member("totalWordsLearned", numbers.wordsLearned)
        member("estimatedCEFR", numbers.cefr)
    }
}

/// A diff of rules as a table for spreadsheets: a line per learner and track.
enum DiffCSV {
    private static let numbers = [
        "totalXP", "currentLevel", "currentStreak", "longestStreak", "totalWordsLearned", "estimatedCEFR",
    ]

    static func write(_ diff: RulesDiff, to output: OutputStream) throws {
        let outcomes = AchievementDifference.Outcome.allCases
        let columns =
            ["userId", "language"] + numbers.flatMap { ["\($0)Before", "\($0)After"] } + outcomes.map(\.rawValue)
        try output.writeLine("\(CSVRecord(texts: columns))")
        for learner in diff.learners {
            for track in learner.tracks {
                let pairs = zip(cells(track.before), cells(track.after)).flatMap { [$0, $1] }
                let achievements = outcomes.map { outcome in
                    track.achievements.filter { $0.outcome == outcome }.map(\.id).joined(separator: " ")
                }
                let names = [learner.subject, track.language ?? "*"].map(CSVRecord.Cell.text)
                try output.writeLine("\(CSVRecord(names + pairs + achievements.map(CSVRecord.Cell.text)))")
            }
        }
    }

    private static func cells(_ numbers: TrackDifference.Numbers) -> [CSVRecord.Cell] {
        let counts = [numbers.level, numbers.currentStreak, numbers.longestStreak, numbers.wordsLearned]
        return [.number(numbers.xp)] + counts.map { .number(Double($0)) } + [
            numbers.cefr.map(CSVRecord.Cell.text) ?? .null
        ]
    }
}
