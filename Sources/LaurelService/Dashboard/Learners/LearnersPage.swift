// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The page with the list of all learners.
extension Route {
    static let learnersPages = [
        page("/learners", access: .scopes([.read]), reach: .caller) { visit in
            try LearnersPage(visit).page()
        },
        // The address of the list in earlier versions.
        page("/class", access: .scopes([.read]), reach: .caller) { visit in
            throw Redirect(try LearnersQuery(visit).link)
        },
    ]
}

/// The query of the page. It decides which learners and which columns the page lists.
struct LearnersQuery {
    private(set) var list: ClassQuery
    private(set) var columns: [LearnersColumn]
    let week: WeekChoice

    init(_ visit: Visit) throws {
        let fields = visit.fields
        list = ClassQuery(for: visit.caller)
        (list.search, list.cohort, list.language) = (fields["search"], fields["cohort"], fields["language"])
        list.order = fields["sort"].flatMap { ClassQuery.Order(rawValue: $0) } ?? .name
        list.isReversed = fields["reverse"] == "true"
        list.group = fields["practice"].flatMap { PracticeGroup(rawValue: $0) }
        list.need = fields["need"].flatMap { LearnerNeed.Reason(rawValue: $0) }
        list.day = fields["day"].flatMap { LocalDay(parsing: $0.utf8) }
        list.active = fields["active"].flatMap(ActiveDays.span)
        list.page = fields.number("page") ?? 1
        week = try WeekChoice(fields["week"], visit)
        list.weeksAgo = week.weeksAgo
        columns = LearnersColumn.chosen(fields.all("columns"))
    }

    var isFiltered: Bool {
        list.search != nil || list.cohort != nil || list.language != nil || list.group != nil
            || list.need != nil || list.day != nil || list.active != nil || isShort
    }

    /// True if the order lists only some learners.
    var isShort: Bool { list.order == .risk || list.order == .away }

    /// The page's address with everything that the reader chose, except the number of the page.
    var link: Link {
        Link(
            "learners",
            query: [
                "search": list.search, "cohort": list.cohort, "language": list.language,
                "practice": list.group?.rawValue, "need": list.need?.rawValue, "day": list.day?.description,
                "active": list.active.map(ActiveDays.text), "week": week.name,
                "sort": list.order == .name ? nil : list.order.rawValue, "reverse": list.isReversed ? "true" : nil,
                "columns": columns == LearnersColumn.usual ? nil : columns.map(\.rawValue).joined(separator: ","),
            ]
        )
    }

    /// A link that sorts the list by an order. If the list has this order already, the link reverses the list.
    func sorted(by new: ClassQuery.Order) -> Link {
        link.with("sort", new == .name ? nil : new.rawValue)
            .with("reverse", new == list.order && !list.isReversed ? "true" : nil)
    }
}

private struct LearnersPage {
    let visit: Visit
    let query: LearnersQuery

    init(_ visit: Visit) throws {
        if let own = visit.caller.learner { throw Redirect(Link("learners", own)) }
        self.visit = visit
        query = try LearnersQuery(visit)
    }

    func page() throws -> Page {
        let list = try ClassList.read(visit.service, query.list, at: visit.now)
        return Page("Learners", .learners, live: Link("v1", "changes", "stream")) { html in
            html.head(
                "Learners",
                "Rows change as learners practise. A name opens the learner, and why each number is what it is."
            )
            writeFilters(list, &html)
            html.element("div", ["id": "live"]) { live in
                writeCount(list, &live)
                if list.found == 0 { writeNothing(list, &live) } else { writeTable(list, &live) }
                if list.total > 0 { writeGroups(list, &live) }
            }
        }
    }

    private func writeCount(_ list: ClassList, _ html: inout HTML) {
        html.element("p", ["class": "found", "role": "status"]) { text in
            text.write(
                list.found == list.total
                    ? "\(list.total, "learner")." : "\(list.found) of \(list.total, "learner")."
            )
            if let day = query.list.day {
                text.write(" ")
                text.write("Practised on \(WrittenText.day(day)).")
            }
            if let active = query.list.active {
                let (first, last) = (WrittenText.day(active.lowerBound), WrittenText.day(active.upperBound))
                text.write(" ")
                text.write(first == last ? "Active on \(first)." : "Active from \(first) to \(last).")
            }
            guard list.away > 0, query.list.order != .away else { return }
            text.write(" ")
            text.link(query.sorted(by: .away), "\(list.away, "learner has", "learners have") stopped.")
        }
    }

    private func writeFilters(_ list: ClassList, _ html: inout HTML) {
        html.ask(Link("learners"), class: "filters live-filters", role: "search") { form in
            form.field("Search", name: "search", value: query.list.search, type: "search")
            if !list.cohorts.isEmpty || query.list.cohort != nil {
                form.choice("Cohort", name: "cohort", all: "All cohorts", list.cohorts, chosen: query.list.cohort)
            }
            let languages = Set(list.languages + [query.list.language].compactMap(\.self)).sorted()
            if !languages.isEmpty {
                form.choice("Language", name: "language", all: "All languages", languages, chosen: query.list.language)
            }
            form.choice(
                "Last practice",
                name: "practice",
                [("", "At any time")] + PracticeGroup.allCases.map { ($0.rawValue, $0.title) },
                chosen: query.list.group?.rawValue
            )
            form.choice(
                "Needs attention",
                name: "need",
                [("", "All learners")] + LearnerNeed.Reason.allCases.map { ($0.rawValue, $0.title) },
                chosen: query.list.need?.rawValue
            )
            form.choice(query.week)
            writeColumns(&form)
            form.hidden("day", query.list.day?.description)
            form.hidden("active", query.list.active.map(ActiveDays.text))
            if query.list.order != .name { form.hidden("sort", query.list.order.rawValue) }
            if query.list.isReversed { form.hidden("reverse", "true") }
            form.button("Show")
            if query.isFiltered { form.link(Link("learners"), "Show all", class: "quiet-link") }
        }
    }

    private func writeColumns(_ form: inout HTML) {
        form.element("details", ["class": "chooser"]) { details in
            details.element("summary", ["class": "button"], text: "Columns")
            details.element("fieldset", ["class": "checks"]) { set in
                set.element("legend", ["class": "hidden"], text: "Columns of the list")
                for column in LearnersColumn.allCases {
                    set.check(
                        column.title(query.week),
                        name: "columns",
                        value: column.rawValue,
                        isOn: query.columns.contains(column)
                    )
                }
            }
        }
    }

    private func writeNothing(_ list: ClassList, _ html: inout HTML) {
        if query.list.order == .away {
            html.empty("Nobody has stopped", "Everybody who ever practised has done so within a week.")
        } else if query.list.order == .risk {
            html.empty("No streak ends tonight", "Everybody who has a streak has practised today, or holds a freeze.")
        } else if list.total > 0 || query.isFiltered {
            html.empty("Nobody is found", "No learner has this name or id, and fits all other choices.")
        } else {
            html.empty(
                "Nobody has practised yet",
                "Learners appear here with their first event."
            )
        }
    }

    private func writeTable(_ list: ClassList, _ html: inout HTML) {
        var heads =
            [head("Learner", .name)] + query.columns.map { head($0.title(query.week), $0.order, isNumber: $0.isNumber) }
        if TableExport.isRequested { heads.insert(TableHead("Name"), at: 1) }
        html.table("Learners", heads, class: "class") { rows in
            for member in list.page.rows { write(member, &rows) }
        }
        html.pages(list.page, query.link)
    }

    private func writeGroups(_ list: ClassList, _ html: inout HTML) {
        html.card("By last practice", note: "A bar leads to its learners. All other choices stay.") { card in
            card.linkedBars(
                "Learners by last practice",
                value: "Learners",
                PracticeGroup.allCases.map { group in
                    let count = list.groups[group] ?? 0
                    return LinkedBar(
                        name: group.title,
                        value: count,
                        text: "\(count, "learner")",
                        link: query.link.with("practice", group.rawValue)
                    )
                }
            )
        }
    }

    private func head(_ title: PageText, _ order: ClassQuery.Order?, isNumber: Bool = false) -> TableHead {
        guard let order else { return TableHead(title, isNumber: isNumber) }
        let isChosen = query.list.order == order
        let isAscending = order.isAscending != (isChosen && query.list.isReversed)
        return TableHead(
            title,
            isNumber: isNumber,
            link: query.sorted(by: order),
            sorted: isChosen ? (isAscending ? "ascending" : "descending") : nil
        )
    }

    private func write(_ member: ClassMember, _ html: inout HTML) {
        html.element("tr", ["data-key": member.id]) { tr in
            if TableExport.isRequested {
                tr.cell("\(member.id)")
                tr.cell("\(member.displayName ?? "")")
            } else {
                writeName(member, &tr)
            }
            for column in query.columns { column.write(member, visit, &tr) }
        }
    }

    private func writeName(_ member: ClassMember, _ tr: inout HTML) {
        tr.element("th", ["scope": "row", "class": "name"]) { cell in
            let link = Link("learners", member.id, query: ["language": query.list.language])
            cell.element("a", ["href": link.text]) { $0.data(member.displayName ?? member.id) }
            if member.displayName != nil { cell.element("span", ["class": "id"]) { $0.data(member.id) } }
        }
    }
}
