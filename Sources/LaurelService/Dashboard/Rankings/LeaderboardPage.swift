// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The page with learners by XP.
extension Route {
    static let leaderboardPages = [
        page("/leaderboard", access: .scopes([.read]), reach: .cohort) { try LeaderboardPage($0).page() }
    ]
}

private struct LeaderboardPage {
    private static let rows = 100
    private static let periods: [(value: String, title: PageText)] = [
        ("this", "This week"), ("last", "Last week"), ("all-time", "All time"),
    ]

    private let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    private var language: String? { visit.fields["language"] }
    private var cohort: String? { visit.fields["cohort"] }
    private var period: String {
        let wanted = visit.fields["period"] ?? "this"
        return Self.periods.contains { $0.value == wanted } ? wanted : "this"
    }

    func page() throws -> Page {
        let day = period == "all-time" ? nil : try visit.engine.week(named: period, at: visit.now)
        let board = try visit.engine.leaderboard(
            day.map { .week(of: $0) } ?? .allTime,
            language: language,
            cohort: cohort,
            part: .top(Self.rows),
            at: visit.now
        )
        let choices = try RankingChoices(visit)
        return Page("Leaderboard", .leaderboard, live: Link("v1", "changes", "stream")) { html in
            html.head(
                "Leaderboard",
                "Learners by XP. Equal XP is an equal rank. Learners can be left out on their own pages."
            )
            writeFilters(choices, &html)
            html.element("div", ["id": "live"]) { live in
                let rows = board?.rows ?? []
                if rows.isEmpty {
                    live.empty("Nobody has XP here", "Learners appear here with the first XP of the chosen time.")
                } else {
                    write(rows, of: board?.participants ?? 0, &live)
                }
            }
            guard visit.caller.cohorts == nil else { return }
            if !visit.engine.leagues(at: visit.now).isEmpty {
                html.element("p", ["class": "note"]) { $0.link(Link("leagues"), "Weekly leagues") }
            }
            html.element("p", ["class": "note"]) { $0.link(Link("flags"), "Learners with flagged events") }
        }
    }

    private func writeFilters(_ choices: RankingChoices, _ html: inout HTML) {
        html.ask(Link("leaderboard"), class: "filters", role: "search") { form in
            form.choice("Time", name: "period", Self.periods, chosen: period)
            if !choices.languages.isEmpty {
                let all: [(value: String, title: PageText)] =
                    [("", "All languages")] + choices.languages.map { ($0, "\($0)") }
                form.choice("Language", name: "language", all, chosen: language)
            }
            if !choices.cohorts.isEmpty {
                let all = RankingChoices.options("All cohorts", choices.cohorts, for: visit)
                form.choice("Cohort", name: "cohort", all, chosen: cohort)
            }
            form.button("Show")
        }
    }

    private func write(_ rows: [Leaderboard.Row], of participants: Int, _ html: inout HTML) {
        let heads = [
            TableHead("Rank", isNumber: true), TableHead("Learner"), TableHead("XP", isNumber: true),
            TableHead("Cohort"),
        ]
        html.table("Leaderboard", heads) { body in
            for row in rows {
                body.element("tr", ["data-key": row.learner]) { tr in
                    tr.number(row.rank)
                    tr.element("th", ["scope": "row", "class": "name"]) { cell in
                        cell.element("a", ["href": Link("learners", row.learner, query: ["language": language]).text]) {
                            $0.data(row.displayName ?? row.learner)
                        }
                    }
                    tr.number(row.xp)
                    tr.dataCell(row.cohort)
                }
            }
        }
        if participants > rows.count {
            html.element(
                "p",
                ["class": "note"],
                text: "The first \(rows.count) of \(participants, "learner")."
            )
        }
    }
}

/// The cohorts and languages that a page of rankings offers.
struct RankingChoices {
    let cohorts: [String]
    let languages: [String]
    /// The maximum number of options in a list.
    private static let most = 500

    init(_ visit: Visit) throws {
        let found = try visit.engine.cohortsAndLanguages()
        let limit = CohortLimit(visit.caller)
        cohorts = Array(found.cohorts.filter { limit?.admits($0) ?? true }.prefix(Self.most))
        languages = Array(found.languages.prefix(Self.most))
    }

    /// The options of a list of cohorts. A caller with a key for some cohorts can choose single cohorts only, not all
    /// learners.
    static func options(_ all: PageText, _ cohorts: [String], for visit: Visit) -> [(value: String, title: PageText)] {
        (visit.caller.cohorts == nil ? [("", all)] : []) + cohorts.map { ($0, "\($0.shortened)") }
    }
}
