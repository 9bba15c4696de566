// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelResults

/// What a page shows of a comparison, whose list of learners may be long.
struct ShownDifference: Codable, Sendable {
    private static let bounds = [Int.min, -1000, -100, -10, 0, 10, 100, 1000, Int.max]

    let summary: DifferenceSummary
    /// Those with the largest changes.
    let learners: [LearnerDifference]
    /// How many there are.
    let count: Int
    /// How many lose and win how much XP, between the bounds.
    let spread: [Int]

    init(_ diff: RulesDiff) {
        (summary, count) = (diff.summary, diff.learners.count)
        learners = Array(diff.learners.prefix(200))
        let bounds = Self.bounds
        var counts = [Int](repeating: 0, count: bounds.count - 1)
        for learner in diff.learners {
            guard let overall = learner.overall else { continue }
            let change = overall.after.totalXP - overall.before.totalXP
            guard change != 0 else { continue }
            let place =
                bounds.indices.dropLast().last { change < 0 ? bounds[$0] < change || $0 == 0 : bounds[$0] < change }
                ?? 0
            counts[min(place, counts.count - 1)] += 1
        }
        spread = counts
    }
}

/// What other rules would change: how it is spread, and for whom.
struct DifferenceView {
    let diff: ShownDifference

    func write(into html: inout HTML) {
        let summary = diff.summary
        html.drawn(PageChart.patterns())
        html.element("div", .class("exhibit tiles")) { tiles in
            tiles.tile("Only gain", WrittenText.number(summary.gain))
            tiles.tile("Only lose", WrittenText.number(summary.lose))
            tiles.tile("Gain and lose", WrittenText.number(summary.both))
            tiles.tile("No change", WrittenText.number(summary.noChange + summary.onlyDates))
        }
        writeNumbers(summary, &html)
        writeSpread(&html)
        writeChanges(summary, &html)
        writeHolders(summary, &html)
        writeLearners(&html)
    }

    private func writeNumbers(_ summary: DifferenceSummary, _ html: inout HTML) {
        let rows: [(String, DifferenceSummary.Change)] = [
            ("XP", summary.xp), ("Level", summary.level), ("Current streak", summary.currentStreak),
            ("Longest streak", summary.longestStreak), ("Words learned", summary.wordsLearned),
        ]
        let heads = [
            TableHead("Number"), TableHead("Gain", isNumber: true), TableHead("Lose", isNumber: true),
            TableHead("Median change", isNumber: true), TableHead("Largest gain", isNumber: true),
            TableHead("Largest loss", isNumber: true), TableHead("Sum before", isNumber: true),
            TableHead("Sum after", isNumber: true),
        ]
        html.table("How the numbers change", heads) { body in
            for (title, change) in rows {
                body.element("tr") { row in
                    row.element("th", HTMLAttribute("scope", "row"), text: title)
                    row.number(change.gains)
                    row.number(change.losses)
                    row.element("td", .class("n"), text: WrittenText.number(change.medianOfChanged))
                    row.element("td", .class("n"), text: WrittenText.change(change.largestGain))
                    row.element("td", .class("n"), text: WrittenText.change(-change.largestLoss.magnitude.asInt))
                    row.number(change.sumBefore)
                    row.number(change.sumAfter)
                }
            }
        }
    }

    /// How many lose and win how much XP.
    private func writeSpread(_ html: inout HTML) {
        guard diff.spread.contains(where: { $0 > 0 }) else { return }
        let titles = [
            "lose more than 1,000", "lose 101 to 1,000", "lose 11 to 100", "lose up to 10", "gain up to 10",
            "gain 11 to 100", "gain 101 to 1,000", "gain more than 1,000",
        ]
        html.card("Learners by the XP they would lose or gain") { card in
            card.drawn(
                PageChart.bars(
                    "Learners",
                    unit: (one: "learner", other: "learners"),
                    rows: zip(titles, diff.spread).map { ($0, Double($1)) }
                )
            )
        }
    }

    private func writeChanges(_ summary: DifferenceSummary, _ html: inout HTML) {
        html.card("What the rules say otherwise") { card in
            if summary.changes.isEmpty {
                card.empty("Nothing", "These are the rules that are in force.")
            } else {
                card.changes(summary.changes)
            }
        }
    }

    private func writeHolders(_ summary: DifferenceSummary, _ html: inout HTML) {
        let changed = summary.achievements.filter { $0.won + $0.lost + $0.moreTiers + $0.fewerTiers > 0 }
        guard !changed.isEmpty else { return }
        let heads = [
            TableHead("Achievement"), TableHead("Before", isNumber: true), TableHead("After", isNumber: true),
            TableHead("Won", isNumber: true), TableHead("Lost", isNumber: true),
        ]
        html.table("Who would have an achievement", heads) { body in
            for holders in changed {
                body.element("tr") { row in
                    row.element("th", HTMLAttribute("scope", "row"), .class("name")) { $0.data(holders.id) }
                    row.number(holders.before)
                    row.number(holders.after)
                    row.number(holders.won)
                    row.number(holders.lost)
                }
            }
        }
    }

    private func writeLearners(_ html: inout HTML) {
        guard !diff.learners.isEmpty else { return }
        let heads = [
            TableHead("Learner"), TableHead("XP", isNumber: true), TableHead("Change", isNumber: true),
            TableHead("Level", isNumber: true), TableHead("Streak", isNumber: true), TableHead("Achievements"),
        ]
        html.table("Learners, those with the largest changes first", heads) { body in
            for learner in diff.learners {
                guard let overall = learner.overall else { continue }
                body.element("tr") { write(learner, overall, &$0) }
            }
        }
        if diff.count > diff.learners.count {
            html.element(
                "p",
                .class("note"),
                text: "\(diff.learners.count) of \(WrittenText.number(diff.count)) are shown; "
                    + "POST /v1/rules/diff has all of them."
            )
        }
    }

    private func write(_ learner: LearnerDifference, _ overall: TrackDifference, _ row: inout HTML) {
        row.element("th", HTMLAttribute("scope", "row"), .class("name")) { cell in
            cell.element("a", .href(Link("learners", learner.learner))) {
                $0.data(learner.displayName ?? learner.learner)
            }
        }
        row.number(overall.after.totalXP)
        row.element("td", .class("n"), text: WrittenText.change(overall.after.totalXP - overall.before.totalXP))
        row.element("td", .class("n"), text: between(overall.before.currentLevel, overall.after.currentLevel))
        row.element("td", .class("n"), text: between(overall.before.currentStreak, overall.after.currentStreak))
        row.element("td") { cell in
            for (index, achievement) in learner.tracks.flatMap(\.achievements).prefix(6).enumerated() {
                if index > 0 { cell.write(", ") }
                cell.write("\(achievement.outcome.title) ")
                cell.data(achievement.id)
            }
        }
    }

    private func between(_ before: Int, _ after: Int) -> String {
        before == after ? WrittenText.number(after) : "\(WrittenText.number(before)) → \(WrittenText.number(after))"
    }
}

extension AchievementDifference.Outcome {
    fileprivate var title: String {
        switch self {
        case .won: "wins"
        case .lost: "loses"
        case .moreTiers: "more of"
        case .fewerTiers: "less of"
        case .earlier: "earlier"
        case .later: "later"
        }
    }
}

extension UInt {
    fileprivate var asInt: Int { Int(clamping: self) }
}
