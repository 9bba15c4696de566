// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelReports
import LaurelResults

/// The goals, balances and bought items of a learner. Without rules for them, nothing is written.
struct GamesCard {
    let progress: LearnerProgress
    let at: LearnerVisit

    private var now: Date { at.now }

    func write(_ html: inout HTML) {
        if let goals = progress.goals, !goals.isEmpty {
            html.card("Goals") { card in
                card.element("ul", ["class": "achievements"]) { list in
                    for goal in goals { write(goal, &list) }
                }
            }
        }
        let balances = Array(progress.balances ?? NumbersByName())
        let items = (progress.items ?? NumbersByName()).filter { $0.value > 0 }
        guard !balances.isEmpty || !items.isEmpty else { return }
        html.element("div", ["class": "exhibit tiles"]) { tiles in
            for balance in balances {
                let name = balance.name.capitalizedFirst.shortened
                tiles.tile(
                    "\(name)",
                    "\(WrittenText.number(balance.value))",
                    why: at.link("why", "balance", query: ["currency": balance.name]),
                    small: refill(of: balance.name)
                )
            }
            for item in items {
                let name = item.name.capitalizedFirst.shortened
                tiles.tile("\(name)", "\(WrittenText.number(item.value))", small: "bought so far")
            }
        }
    }

    private func write(_ goal: LearnerProgress.Goal, _ html: inout HTML) {
        let name = goal.name ?? goal.id
        html.element("li", ["class": goal.completedAt == nil ? "" : "done"]) { item in
            item.element("div") { $0.data(name) }
            item.meter("Progress of \(name)", goal.progress)
            item.element("p", ["class": "small"]) { line in
                line.write(standing(goal))
                if let date = goal.completedAt {
                    line.write(" · ")
                    line.write("completed \(HTML { $0.time(date, now: now) })")
                }
            }
        }
    }

    private func standing(_ goal: LearnerProgress.Goal) -> PageText {
        let (value, target) = (WrittenText.number(goal.value), WrittenText.number(goal.target))
        return switch goal.every {
        case "day": "\(value) of \(target) this day"
        case "week": "\(value) of \(target) this week"
        default: "\(value) of \(target) this season"
        }
    }

    private func refill(of currency: String) -> PageText? {
        progress.nextRefillAt?[currency].map { "next refill \(WrittenText.ago($0, now: now))" }
    }
}
