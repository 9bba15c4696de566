// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The page with a week of a league: its tiers, rooms and ranks.
extension Route {
    static let leaguePages = [
        page("/leagues", access: .scopes([.read])) { try LeaguesPage($0).page() },
        form("/leagues/settle", access: .scopes([.rules, .admin])) { visit in
            let job = EngineJob.leagues(LeagueJob(now: visit.now, actor: visit.actor))
            return Visit.seeOther(Link("jobs", try visit.service.jobs.begin(job)))
        },
    ]
}

private struct LeaguesPage {
    /// The maximum number of rooms of a tier that the page shows.
    private static let rooms = 20

    private let visit: Visit
    private let week: WeekChoice
    private let names: [String]
    /// The league that the address names, or the first league of the rules; nil if the rules have no league.
    private let name: String?
    private let table: LeagueTable?

    init(_ visit: Visit) throws {
        self.visit = visit
        week = try WeekChoice(visit.fields["week"], visit)
        names = visit.engine.leagues(at: visit.now)
        name = visit.fields["league"] ?? names.first
        let day = week.name == nil ? nil : week.first
        table = try name.flatMap { try visit.engine.league($0, day: day, at: visit.now) }
    }

    func page() -> Page {
        Page("Leagues", .leaderboard) { html in
            html.head(
                "Leagues",
                "Each week, learners of a tier compete in rooms for XP. The first ranks rise to the next tier, the last fall."
            )
            writeFilters(&html)
            guard let table else {
                return html.empty("No league in this week", "Leagues of the rules appear here.")
            }
            writeSettlement(of: table, &html)
            for tier in table.tiers { write(tier, &html) }
            guard visit.may(.rules), visit.may(.admin) else { return }
            html.card("Settling leagues") { card in
                card.post(Link("leagues", "settle")) { $0.button("Settle the weeks that have ended") }
            }
        }
    }

    private func writeFilters(_ html: inout HTML) {
        html.ask(Link("leagues"), class: "filters", role: "search") { form in
            if names.count > 1 { form.choice("League", name: "league", names.map { ($0, "\($0)") }, chosen: name) }
            form.choice(week)
            form.button("Show")
        }
    }

    private func writeSettlement(of table: LeagueTable, _ html: inout HTML) {
        let time = HTML { $0.time(table.settlesAt, now: visit.now) }
        html.element("p", ["class": "note"]) { note in
            if table.isSettled {
                note.write("This week is settled.")
            } else if table.settlesAt <= visit.now {
                note.write("This week can be settled since \(time).")
            } else {
                note.write("This week can be settled \(time). Until then, the rooms may change.")
            }
        }
    }

    private func write(_ tier: LeagueTable.Tier, _ html: inout HTML) {
        html.card("\(data: tier.tier)") { card in
            if tier.rooms.isEmpty {
                card.empty("Nobody competes here", "Learners appear here with the first XP of the week.")
            }
            for room in tier.rooms.prefix(Self.rooms) { write(room, in: tier.tier, &card) }
            guard tier.rooms.count > Self.rooms else { return }
            card.element("p", ["class": "note"], text: "The first \(Self.rooms) of \(tier.rooms.count, "room").")
        }
    }

    private func write(_ room: LeagueRoom, in tier: String, _ html: inout HTML) {
        let heads = [
            TableHead("Rank", isNumber: true), TableHead("Learner"), TableHead("XP", isNumber: true),
            TableHead("Outcome"),
        ]
        html.element("h3", text: "Room \(room.room)")
        html.table("\(tier), room \(room.room)", heads) { body in
            for member in room.members {
                body.element("tr", ["data-key": member.learner]) { tr in
                    tr.number(member.rank)
                    tr.element("th", ["scope": "row", "class": "name"]) { write(member, &$0) }
                    tr.number(member.xp)
                    tr.element("td") { writeOutcome(member.outcome, &$0) }
                }
            }
        }
    }

    private func write(_ member: LeagueMember, _ html: inout HTML) {
        guard let learner = member.learner else { return html.data(member.displayName ?? "–") }
        html.element("a", ["href": Link("learners", learner).text]) { $0.data(member.displayName ?? learner) }
    }

    private func writeOutcome(_ outcome: String, _ html: inout HTML) {
        switch outcome {
        case "promoted": html.badge("rises", "good")
        case "demoted": html.badge("falls", "bad")
        default: html.write("stays")
        }
    }
}
