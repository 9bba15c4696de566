// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The first page. It lists the learners who need attention, and shows the week and the service. For an empty store, it
/// shows the first steps. Callers see only the parts for which they have rights.
extension Route {
    static let homePages = [
        page("/home", access: .scopes([]), reach: .caller) { try HomePage($0).page() }
    ]
}

private struct HomePage {
    /// The maximum number of learners in the list of learners who need attention. A link leads to the complete list.
    private static let mostNeeds = 10

    let visit: Visit
    /// The learners that the caller may see; nil for a caller who may see none.
    let members: [ClassMember]?
    let week: WeekChoice

    init(_ visit: Visit) throws {
        if let own = visit.caller.learner { throw Redirect(Link("learners", own)) }
        self.visit = visit
        week = try WeekChoice(visit.fields["week"], visit)
        members =
            visit.may(.read) ? try ClassList.members(visit.service, ClassQuery(for: visit.caller), at: visit.now) : nil
    }

    func page() throws -> Page {
        let isEmpty = try visit.engine.size().events == 0
        let membersOfWeek = try week.weeksAgo == 0 || members == nil ? members ?? [] : chosenMembers()
        return Page("Home", .home, live: members == nil ? nil : Link("v1", "changes", "stream")) { html in
            html.head("Home")
            html.element("div", ["id": "live"]) { live in
                if isEmpty {
                    FirstSteps(visit).write(&live)
                } else if let members {
                    writeNeeds(LearnerNeed.all(members, at: visit.now), &live)
                    writeWeek(membersOfWeek, &live)
                } else {
                    live.empty("Nothing to read", "This key may not read. The navigation has what it may do.")
                }
                if Page.Section.health.isShown(to: visit.caller) { ServiceSummary(visit).write(&live) }
            }
        }
    }

    // MARK: Needs attention

    private func writeNeeds(_ needs: [LearnerNeed], _ html: inout HTML) {
        html.card("Needs attention", id: "attention") { card in
            guard !needs.isEmpty else {
                return card.empty("Nobody needs attention", "No streak ends tonight, and everybody practises as usual.")
            }
            card.element("ul", ["class": "chips"]) { list in
                for reason in LearnerNeed.Reason.allCases {
                    let count = needs.count { $0.reason == reason }
                    guard count > 0 else { continue }
                    list.element("li") { item in
                        item.link(
                            Link("learners", query: ["need": reason.rawValue]),
                            "\(reason.title): \(count, "learner")"
                        )
                    }
                }
            }
            let heads = [TableHead("Learner"), TableHead("Why"), TableHead("Since"), TableHead("What to do")]
            let most = TableExport.isRequested ? needs.count : Self.mostNeeds
            card.table("Learners who need attention", heads, class: "stacked") { rows in
                for need in needs.prefix(most) { write(need, &rows) }
            }
        }
    }

    private func write(_ need: LearnerNeed, _ html: inout HTML) {
        let member = need.member
        html.element("tr", ["data-key": member.id]) { row in
            row.element("th", ["scope": "row", "class": "name"]) { cell in
                cell.element("a", ["href": Link("learners", member.id).text]) {
                    $0.data(member.displayName ?? member.id)
                }
                if let cohort = member.cohort { cell.element("span", ["class": "id"]) { $0.data(cohort) } }
            }
            row.element("td") { cell in
                cell.element("p") { $0.badge(need.reason.title, need.reason == .streakEnds ? "warn" : "bad") }
                cell.element("p", text: need.sentence)
            }
            row.element("td") { cell in
                if let since = need.since { cell.time(since, now: visit.now) } else { cell.write("–") }
            }
            row.element("td") { cell in
                cell.element("p", text: need.reason.advice)
                cell.element("p", ["class": "small no-print"]) { line in
                    let (link, title) = need.explanation
                    line.link(link, title)
                }
            }
        }
    }

    // MARK: The week

    private func chosenMembers() throws -> [ClassMember] {
        var query = ClassQuery(for: visit.caller)
        query.weeksAgo = week.weeksAgo
        return try ClassList.members(visit.service, query, at: visit.now)
    }

    private func writeWeek(_ members: [ClassMember], _ html: inout HTML) {
        let numbers = ClassWeek(members)
        html.card(week.title, id: "week", note: week.comparison) { card in
            card.ask(Link("home").at("week"), class: "filters") { form in
                form.choice(week)
                form.button("Show")
            }
            card.element("div", ["class": "tiles"]) { tiles in
                write("Learners who practised", numbers.learners, numbers, &tiles)
                write("XP", numbers.xp, numbers, &tiles)
                write("Minutes of practice", numbers.minutes, numbers, &tiles)
                write("Words learned", numbers.words, numbers, &tiles)
            }
        }
        html.card("Who practised, day by day", note: "A bar leads to the learners of that day.") { card in
            card.linkedBars("Learners by day of the week", value: "Learners", days(members))
        }
    }

    private func write(_ title: PageText, _ number: ClassWeek.Number, _ week: ClassWeek, _ html: inout HTML) {
        html.element("div", ["class": "tile"]) { tile in
            tile.element("p", ["class": "label"], text: title)
            tile.element("p", ["class": "value"], text: WrittenText.number(number.now))
            tile.element("p", ["class": "small"], text: number.comparison)
            tile.sparkline("\(title) on each day of two weeks", number.days, begun: 7 + week.begun)
        }
    }

    /// The days of the week by the calendar of most learners, each with the learners who practised.
    private func days(_ members: [ClassMember]) -> [LinkedBar] {
        let weeks = Dictionary(grouping: members, by: \.week).mapValues(\.count)
        guard let week = weeks.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return [] }
        let begun = members.lazy.filter { $0.week == week }.map(\.daysOfWeek).max() ?? 1
        return (0..<begun).map { offset in
            let day = LocalDay(number: week.number + Int32(offset))
            let count = members.count { $0.practised(on: day) }
            return LinkedBar(
                name: "\(WrittenText.day(day))",
                value: count,
                text: "\(count, "learner")",
                link: Link("learners", query: ["week": self.week.name, "day": "\(day)"])
            )
        }
    }
}

extension ClassWeek.Number {
    /// A sentence that compares the week with the same days of the week before.
    fileprivate var comparison: PageText {
        let difference = now - before
        if difference == 0 { return "as many as the week before" }
        let amount = abs(difference)
        return difference > 0 ? "\(amount) more than the week before" : "\(amount) fewer than the week before"
    }
}

extension LearnerNeed {
    /// The page that explains the reason, and the title of its link.
    fileprivate var explanation: (Link, PageText) {
        switch reason {
        case .streakEnds: (Link("learners", member.id, "why", "streak"), "The streak day by day")
        case .practisesLess, .stopped: (Link("learners", member.id, "sessions"), "The latest sessions")
        case .neverBegan: (Link("learners", member.id), "The learner")
        }
    }
}
