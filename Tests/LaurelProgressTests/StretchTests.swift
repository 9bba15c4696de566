// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelRules
import SeededRandom
import Testing

/// The fold handles whole stretches of events, and metrics of two tracks at once. With an observer it handles each
/// event and each track alone. Both must give the same state, whatever the rules.
@Suite("Stretches of events") struct StretchTests {
    @Test(arguments: StretchTests.rules.map(\.name), [UInt64(1), 2, 3])
    func comeToTheSameAsEveryEventByItself(name: String, seed: UInt64) throws {
        let rules = try #require(StretchTests.rules.first { $0.name == name })
        let plan = try Story(rules.text, []).plan()
        var random = SeededGenerator(seed: seed)
        let together = Fold(plan: plan)
        // Learners follow one another in the same fold, and nothing of the previous learner may show.
        for learner in 0..<6 {
            let events = try StretchTests.events(400, &random)
            let alone = Fold(plan: plan)
            alone.observer = Nobody()
            together.beginAgain()
            try StretchTests.fold(events, plan, together)
            try StretchTests.fold(events, plan, alone)
            #expect(together.state.encoded() == alone.state.encoded(), "seed \(seed), learner \(learner)")
        }
    }

    @Test func `a fold lets go of its observer`() throws {
        let plan = try Story(StretchTests.rules[0].text, []).plan()
        var random = SeededGenerator(seed: 1)
        let fold = Fold(plan: plan)
        weak var observer: Nobody?
        do {
            let nobody = Nobody()
            (fold.observer, observer) = (nobody, nobody)
            try StretchTests.fold(StretchTests.events(400, &random), plan, fold)
            fold.observer = nil
        }
        #expect(observer == nil)
    }

    private final class Nobody: FoldObserver {}

    private static func fold(_ table: EventTable, _ plan: FoldPlan, _ fold: Fold) throws {
        let run = PlannedRows(bound: PlannedTable(table, plan: plan), rows: 0..<table.count)
        fold.noteCorrections([run])
        for span in EventOrder.spans([run]) { fold.fold(span.bound, rows: span.rows) }
    }

    /// The rules of the project, and some that read numbers that tracks seldom share.
    private static let rules: [(name: String, text: String)] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Rules").standardized
        let names = ["starter", "gamification", "bab-language", "vocabmaster", "flippin", "immersion-rooms"]
        let shipped = names.map { name in
            let text = (try? String(contentsOf: folder.appending(path: "\(name).yaml"), encoding: .utf8)) ?? ""
            return (name, text.replacingOccurrences(of: "\nversion: 1\n", with: "\n"))
        }
        return shipped + [("feedback", feedback), ("languages", languages)]
    }()

    /// Metrics that read XP, levels, words and the streak, and each other.
    private static let feedback = """
        metrics:
          lines: {count: line.spoken}
          rich: {count: line.spoken, where: day.xp > 20 || level >= 2}
          worded: {last: words.known + streak.current, on: [line.spoken, review.graded]}
          scores: {max: event.accuracy, on: line.spoken}
          high: {run: line.spoken, while: total.scores > 0.8 && event.language != null}
          grades: {distinct: event.grade, on: review.graded}
          by_grade: {count: review.graded, by: event.grade}
          by_halves: {sum: event.accuracy / 2 + 0.25, by: "event.accuracy / 4 > 0.2", on: line.spoken}
          graded: {run: review.graded, while: "total.grades >= 2 || event.grade in ['good', 'easy']"}
          where_said: {sum: "event.session == null ? 0.1 : session.lines * 0.3", on: line.spoken}
        streak: {when: "day.lines >= 2 || streak.current >= 3 && day.grades >= 1"}
        xp:
          - {id: line, bucket: b, on: line.spoken, award: "10 * default(event.accuracy, 0.5)", daily_cap: 60}
          - {id: more, bucket: a, on: line.spoken, when: session.lines >= 2, award: earned / 2 + total.high}
          - {id: evening, bucket: b, on: [line.spoken, review.graded], when: local.hour >= 18, award: 3}
        levels: {xp_for: 30 * n * (n - 1)}
        achievements:
          - {id: grown, value: "level + words.learned", at_least: [2, 4, 8], xp: 7}
          - {id: after, value: total.lines, at_least: [1, 5, 50], requires: [grown], xp: 2}
          - {id: late, value: total.by_grade, at_least: 3, when: local.hour >= 12, requires: [after]}
        """

    /// Achievements of languages that read metrics, and require overall achievements.
    private static let languages = """
        metrics:
          lines: {count: line.spoken}
          good: {run: line.spoken, while: event.accuracy >= 0.5}
          reviews: {count: review.graded}
        streak: {when: day.lines + day.reviews >= 1}
        xp:
          - {id: line, bucket: lines, on: line.spoken, award: 1}
        levels: {xp_for: 10 * n * (n - 1)}
        achievements:
          - {id: many, value: total.lines, at_least: [3, 30], xp: 5}
          - {id: own, value: total.good, at_least: [2, 4], scope: language, requires: [many], xp: 1}
          - {id: known, value: words.known, at_least: [1, 5], scope: language, xp: 2}
        """

    private static func events(_ count: Int, _ random: inout SeededGenerator) throws -> EventTable {
        var table = EventTable()
        var time: Int64 = 1_770_000_000_000
        var (session, language): (String?, String?) = (nil, "es")
        for index in 0..<count {
            time += [1_000, 20_000, 400_000, 7_200_000, 100_000_000].randomElement(using: &random) ?? 0
            if Int.random(in: 0..<8, using: &random) == 0 {
                session = [nil, "a", "b", "c"].randomElement(using: &random) ?? nil
            }
            if Int.random(in: 0..<20, using: &random) == 0 {
                language = [nil, "es", "pt"].randomElement(using: &random) ?? nil
            }
            let stray = Int.random(in: 0..<25, using: &random) == 0
            let (type, data) = occurrence(&random)
            let event = Event(
                id: "e\(index)",
                source: "app",
                type: type,
                subject: "ana",
                time: Timestamp(milliseconds: time),
                language: stray ? nil : language,
                session: session,
                data: data
            )
            try table.append([event])
        }
        return table
    }

    private static func occurrence(_ random: inout SeededGenerator) -> (String, [String: JSONValue]) {
        let word = JSONValue.string("w\(Int.random(in: 0..<12, using: &random))")
        let accuracy = JSONValue.double([0.2, 0.5, 0.9, 1].randomElement(using: &random) ?? 1)
        let grade = JSONValue.string(["again", "hard", "good", "easy"].randomElement(using: &random) ?? "good")
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<7: return ("line.spoken", ["accuracy": accuracy, "errors": .double(1), "durationMs": .double(1500)])
        case 7: return ("line.spoken", [:])
        case 8..<14: return ("review.graded", ["word": word, "grade": grade])
        case 14: return ("word.added", ["word": word])
        case 15: return ("word.learned", ["word": word])
        case 16: return ("word.removed", ["word": word])
        case 17: return ("session.started", ["mode": .string("host"), "partner": .string("leo")])
        case 18: return ("session.ended", [:])
        case 19: return ("help.given", [:])
        case 20: return ("xp.adjusted", ["amount": .double([5, -3, 40].randomElement(using: &random) ?? 1)])
        case 21: return ("scenario.completed", ["scenario": .string("café"), "errors": .double(0)])
        case 22: return ("team.won", [:])
        default: return ("learner.updated", ["cohort": .string("a")])
        }
    }
}
