// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP
import LaurelReports

/// The page of one group.
extension Route {
    static let groupPages = [
        page("/groups/{group}", access: .scopes([.read]), reach: .caller) { visit in
            try GroupPage(group: group(visit.engine, visit.request, at: visit.now)).page()
        }
    ]
}

private struct GroupPage {
    let group: LearnerGroup

    func page() -> Page {
        Page("\(group.id.shortened)", .learners, live: Link("v1", "changes", "stream")) { html in
            html.head("\(data: group.id)", "A learning group with \(group.members.count, "member").")
            html.element("div", ["id": "live"]) { live in
                if let streak = group.streak { write(streak, &live) }
                if !group.goals.isEmpty {
                    live.card("Goals") { card in
                        card.element("ul", ["class": "achievements"]) { list in
                            for goal in group.goals { write(goal, &list) }
                        }
                    }
                }
                if group.members.isEmpty {
                    live.empty("Nobody is in this group", "The event group.joined adds a learner.")
                } else {
                    writeMembers(&live)
                }
            }
        }
    }

    private func write(_ streak: LearnerGroup.Streak, _ html: inout HTML) {
        html.element("div", ["class": "exhibit tiles"]) { tiles in
            tiles.tile("Streak", "\(streak.current, "day")", small: "longest \(streak.longest, "day")")
            tiles.tile(
                "Practised today",
                "\(streak.practised) of \(group.members.count)",
                small: streak.isReached
                    ? "The day counts." : "The day counts with \(streak.needed, "active member")."
            )
        }
    }

    private func write(_ goal: LearnerGroup.Goal, _ html: inout HTML) {
        html.element("li", ["class": goal.isComplete ? "done" : ""]) { item in
            item.element("div") { $0.data(goal.id) }
            item.meter("Progress of \(goal.id)", goal.value / goal.target)
            let (value, target) = (WrittenText.number(goal.value), WrittenText.number(goal.target))
            item.element(
                "p",
                ["class": "small"],
                text: goal.every == "day" ? "\(value) of \(target) this day" : "\(value) of \(target) this week"
            )
        }
    }

    private func writeMembers(_ html: inout HTML) {
        let heads = [TableHead("Learner"), TableHead("Practised today"), TableHead("Member since")]
        html.table("Members", heads + group.goals.map { TableHead("\($0.id.shortened)", isNumber: true) }) { body in
            for (number, member) in group.members.enumerated() {
                body.element("tr", ["data-key": member.learner ?? "\(number)"]) { tr in
                    tr.element("th", ["scope": "row", "class": "name"]) { write(member, &$0) }
                    tr.cell(member.practisedToday ? "yes" : "no")
                    tr.cell("\(member.since?.description ?? "–")")
                    for goal in group.goals { tr.number(Int(member.shares[goal.id] ?? 0)) }
                }
            }
        }
    }

    private func write(_ member: LearnerGroup.Member, _ html: inout HTML) {
        guard let learner = member.learner else { return html.data(member.displayName ?? "–") }
        html.element("a", ["href": Link("learners", learner).text]) { $0.data(member.displayName ?? learner) }
    }
}
