// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// The page with the list of all learners.
extension Route {
    static let classPages = [
        page("/class", access: .scopes([.read]), reach: .caller) { visit in
            try ClassPage(visit).page()
        }
    ]
}

private struct ClassPage {
    let visit: Visit
    let query: ClassQuery

    init(_ visit: Visit) throws {
        if let own = visit.caller.learner { throw Redirect(Link("learners", own)) }
        self.visit = visit
        query = ClassQuery(visit.fields, for: visit.caller)
    }

    func page() throws -> Page {
        let list = try ClassList.read(visit.service, query, at: visit.now)
        return Page("Class", .learners, live: Link("v1", "changes", "stream")) { html in
            html.element("div", ["class": "head"]) { head in
                head.element("h1", text: "Class")
                head.element("p", ["class": "lead"]) { text in
                    text.write(lead(list))
                    guard list.away > 0, query.order != .away else { return }
                    text.write(" ")
                    let sentence = "\(WrittenText.count(list.away, "learner has", "learners have")) stopped."
                    text.link(query.sorted(by: .away), sentence)
                }
            }
            writeFilters(list, &html)
            html.element("div", ["id": "live"]) { live in
                if list.found == 0 { writeNothing(list, &live) } else { writeTable(list, &live) }
            }
        }
    }

    private func lead(_ list: ClassList) -> String {
        let all = WrittenText.count(list.total, "learner")
        guard list.found != list.total else {
            return
                "\(all). Rows change as learners practise; a name opens the learner, and why each number is what it is."
        }
        return "\(WrittenText.number(list.found)) of \(all)."
    }

    private func writeFilters(_ list: ClassList, _ html: inout HTML) {
        html.ask(Link("class"), class: "filters", role: "search") { form in
            form.field("Search", name: "search", value: query.search, type: "search")
            if !list.cohorts.isEmpty || query.cohort != nil {
                form.choice(
                    "Cohort",
                    name: "cohort",
                    [("", "All cohorts")] + list.cohorts.prefix(500).map { ($0, $0) },
                    chosen: query.cohort
                )
            }
            let languages = Set(list.languages + [query.language].compactMap(\.self)).sorted()
            if !languages.isEmpty {
                form.choice(
                    "Language",
                    name: "language",
                    [("", "All languages")] + languages.prefix(500).map { ($0, $0) },
                    chosen: query.language
                )
            }
            if query.order != .name { form.hidden("sort", query.order.rawValue) }
            if query.isReversed { form.hidden("reverse", "true") }
            form.button("Show")
            if query.isFiltered { form.link(Link("class"), "Show all", class: "quiet-link") }
        }
    }

    private func writeNothing(_ list: ClassList, _ html: inout HTML) {
        if query.order == .away {
            html.empty("Nobody has stopped", "Everybody who ever practised has done so within a week.")
        } else if query.order == .risk {
            html.empty("No streak ends tonight", "Everybody who has a streak has practised today, or holds a freeze.")
        } else if list.total > 0 || query.isFiltered {
            html.empty("Nobody is found", "No learner has this name or id in this cohort and language.")
        } else {
            html.empty(
                "Nobody has practised yet",
                "Learners appear here with their first event: send one to POST /v1/events."
            )
        }
    }

    private func writeTable(_ list: ClassList, _ html: inout HTML) {
        html.table("Learners", heads, class: "class") { rows in
            for row in list.rows { write(row, &rows) }
        }
        html.pages(list.page, query.link)
    }

    private var heads: [TableHead] {
        [
            head("Learner", .name), head("Streak", .streak, isNumber: true), head("Last practice", .recent),
            head("At risk", .risk), head("Level", .level, isNumber: true), head("XP this week", .week, isNumber: true),
            TableHead("Languages"), TableHead("Cohort"),
        ]
    }

    private func head(_ title: String, _ order: ClassQuery.Order, isNumber: Bool = false) -> TableHead {
        let isChosen = query.order == order
        let isAscending = order.isAscending != (isChosen && query.isReversed)
        return TableHead(
            title,
            isNumber: isNumber,
            link: query.sorted(by: order),
            sorted: isChosen ? (isAscending ? "ascending" : "descending") : nil
        )
    }

    private func write(_ row: ClassRow, _ html: inout HTML) {
        html.element("tr", ["data-key": row.learner]) { tr in
            tr.element("th", ["scope": "row", "class": "name"]) { cell in
                cell.element("a", ["href": Link("learners", row.learner, query: ["language": query.language]).text]) {
                    $0.data(row.displayName ?? row.learner)
                }
                if row.displayName != nil { cell.element("span", ["class": "id"]) { $0.data(row.learner) } }
            }
            tr.element("td", ["class": "n"]) { cell in
                cell.write(row.currentStreak > 0 ? WrittenText.count(row.currentStreak, "day") : "–")
            }
            tr.element("td") { cell in
                if let last = row.lastPracticeAt { cell.time(last, now: visit.now) } else { cell.write("–") }
            }
            tr.element("td") { cell in
                let weeks = ClassRow.weeksAway(since: row.lastPracticeAt, at: visit.now)
                if row.atRisk { cell.badge("ends tonight", "warn") }
                if weeks > 0 { cell.badge("away for \(WrittenText.count(weeks, "week"))", "bad") }
            }
            tr.number(row.currentLevel)
            tr.number(row.weeklyXP)
            tr.element("td", ["class": "tags"]) { cell in
                cell.element("bdi", text: row.languages.prefix(6).joined(separator: ", ").shortened)
            }
            tr.dataCell(row.cohort)
        }
    }
}

extension ClassQuery {
    init(_ fields: Fields, for caller: Caller) {
        self.init(for: caller)
        (search, cohort, language) = (fields["search"], fields["cohort"], fields["language"])
        order = fields["sort"].flatMap { Order(rawValue: $0) } ?? .name
        isReversed = fields["reverse"] == "true"
        page = fields.number("page") ?? 1
    }

    fileprivate var isFiltered: Bool { search != nil || cohort != nil || language != nil }

    fileprivate var link: Link {
        Link(
            "class",
            query: [
                "search": search, "cohort": cohort, "language": language,
                "sort": order == .name ? nil : order.rawValue, "reverse": isReversed ? "true" : nil,
            ]
        )
    }

    /// A link that sorts the list by an order. If the list has this order already, the link reverses the list.
    fileprivate func sorted(by new: Order) -> Link {
        link.with("sort", new == .name ? nil : new.rawValue)
            .with("reverse", new == order && !isReversed ? "true" : nil)
    }
}
