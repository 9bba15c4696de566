// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// The page of all achievements: their holders, rarity, time to unlock, and the learners who are next.
extension Route {
    static let achievementPages = [
        page("/achievements", access: .scopes([.read]), reach: .cohort) { try AchievementsPage($0).page() }
    ]
}

private struct AchievementsPage {
    private let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    private var cohort: String? { visit.fields["cohort"] }

    func page() throws -> Page {
        let found = try visit.engine.achievementStatistics(cohort: cohort, at: visit.now)
        let cohorts = try RankingChoices(visit).cohorts
        return Page("Achievements", .achievements, live: Link("v1", "changes", "stream")) { html in
            html.head(
                "Achievements",
                "Who holds each achievement, how long it took from the first event, and who is next."
            )
            if !cohorts.isEmpty {
                html.ask(Link("achievements"), class: "filters", role: "search") { form in
                    form.choice(
                        "Cohort",
                        name: "cohort",
                        RankingChoices.options("All cohorts", cohorts, for: visit),
                        chosen: cohort
                    )
                    form.button("Show")
                }
            }
            html.element("div", ["id": "live"]) { live in
                if found.isEmpty {
                    live.empty("The rules have no achievements", "What the rules define appears here.")
                } else {
                    write(found, &live)
                }
            }
        }
    }

    private func write(_ achievements: [AchievementStatistics], _ html: inout HTML) {
        let heads = [
            TableHead("Achievement"), TableHead("Holders", isNumber: true), TableHead("Share"),
            TableHead("Time to unlock (median)"), TableHead("Next"),
        ]
        html.table("Achievements", heads) { rows in
            for achievement in achievements {
                rows.element("tr", ["data-key": achievement.id]) { write(achievement, &$0) }
            }
        }
    }

    private func write(_ achievement: AchievementStatistics, _ row: inout HTML) {
        let share = achievement.learners > 0 ? Double(achievement.holders) / Double(achievement.learners) : 0
        row.element("th", ["scope": "row", "class": "name"]) { cell in
            cell.data(achievement.name)
            if achievement.isHidden { cell.badge("hidden") }
            cell.element("span", ["class": "id"]) { $0.data(achievement.description) }
        }
        row.number(achievement.holders)
        row.element("td") { cell in
            cell.meter("Share of learners who hold \(achievement.name)", share)
            cell.write(" \(WrittenText.percent(share * 100))")
        }
        row.cell(achievement.medianTime.map { "\(WrittenText.span(Double($0) / 1000))" } ?? "–")
        row.element("td", ["class": "tags"]) { cell in
            guard !achievement.next.isEmpty else { return cell.write("–") }
            for (index, candidate) in achievement.next.enumerated() {
                if index > 0 { cell.void("br", [:]) }
                cell.element("a", ["href": Link("learners", candidate.learner).text]) {
                    $0.data(candidate.displayName ?? candidate.learner)
                }
                cell.write(" \(WrittenText.percent((candidate.progress * 100).rounded(.down)))")
            }
        }
    }
}
