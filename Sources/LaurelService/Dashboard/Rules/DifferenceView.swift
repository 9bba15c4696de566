// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelResults

/// The part of a comparison that a page shows. A page does not show all learners, because there may be many.
struct ShownDifference: Codable, Sendable {
    private static let bounds = [Int.min, -1000, -100, -10, 0, 10, 100, 1000, Int.max]

    let summary: DifferenceSummary
    /// The learners whose numbers change the most.
    let learners: [LearnerDifference]
    /// The number of learners whose numbers change.
    let count: Int
    /// The number of learners in each range of XP change. The ranges lie between the bounds.
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

/// Shows the effect of other rules: the distribution of changes, and the learners who are affected.
struct DifferenceView {
    private let diff: ShownDifference
    private let story: DifferenceStory

    init(diff: ShownDifference) {
        self.diff = diff
        story = DifferenceStory(diff.summary)
    }

    func write(into html: inout HTML) {
        html.add(PageChart.patterns())
        html.element("div", ["class": "exhibit tiles"]) { tiles in
            for (name, count) in story.outcomes {
                let title = WrittenText.text(PageText(english: name)).capitalizedFirst
                tiles.tile("\(title)", "\(count)")
            }
        }
        html.card("How the numbers change") { $0.render(story.facts) }
        writeSpread(&html)
        html.card("Changes in the rules") { card in
            card.changes(diff.summary.changes)
            if let note = story.note { card.element("p", ["class": "note"]) { $0.render(note) } }
        }
        if let (table, _) = story.achievements, !table.rows.isEmpty {
            html.render(table, title: "Who would have an achievement")
        }
        guard !diff.learners.isEmpty else { return }
        html.render(DifferenceStory.table(diff.learners), title: "Learners, the most affected first")
        guard diff.count > diff.learners.count else { return }
        html.element(
            "p",
            ["class": "note"],
            text: "\(diff.learners.count) of \(diff.count) are shown; `laurel rules diff` lists all."
        )
    }

    /// Writes a chart of the distribution of XP changes.
    private func writeSpread(_ html: inout HTML) {
        guard diff.spread.contains(where: { $0 > 0 }) else { return }
        let titles: [PageText] = [
            "lose more than 1,000", "lose 101 to 1,000", "lose 11 to 100", "lose up to 10", "gain up to 10",
            "gain 11 to 100", "gain 101 to 1,000", "gain more than 1,000",
        ]
        html.card("Learners by the XP they would lose or gain") { card in
            card.add(
                PageChart.bars(
                    WrittenText.text("Learners"),
                    unit: (one: "learner", other: "learners"),
                    rows: zip(titles, diff.spread).map { (WrittenText.text($0), Double($1)) }
                )
            )
        }
    }
}
