// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP
import LaurelReports

/// The card on a learner's page with the choices to leave the learner out of leaderboards and leagues. Learners see it
/// for themselves, and administrators for every learner.
struct LeaderboardCard {
    private let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    /// True if the caller may set the learner's profile.
    private var mayChange: Bool { at.mayDecree || (at.visit.caller.learner != nil && at.visit.caller.may(.ingest)) }

    /// Writes the card. Writes nothing if the caller may not change the choices. The choice about leagues is written
    /// only if the rules have leagues.
    func write(_ html: inout HTML) throws {
        guard mayChange else { return }
        let engine = at.visit.engine
        let isListed = try engine.isOnLeaderboards(at.id, at: at.now)
        let competes = try engine.leagues(at: at.now).isEmpty ? nil : engine.isInLeagues(at.id, at: at.now)
        html.card("Leaderboards", id: "leaderboards") { card in
            card.post(at.link("leaderboards"), class: "stack") { form in
                form.element(
                    "p",
                    text: isListed
                        ? "This learner is shown in leaderboards." : "This learner is left out of leaderboards."
                )
                form.hidden("listed", isListed ? "false" : "true")
                form.button(isListed ? "Leave out of leaderboards" : "Show in leaderboards")
            }
            guard let competes else { return }
            card.post(at.link("leaderboards"), class: "stack") { form in
                form.element(
                    "p",
                    text: competes ? "This learner takes part in leagues." : "This learner is left out of leagues."
                )
                form.hidden("competes", competes ? "false" : "true")
                form.button(competes ? "Leave out of leagues" : "Let take part in leagues")
            }
        }
    }

    func change() throws -> HTTPResponse {
        guard mayChange else {
            throw Problem(403, "forbidden", "the learner, or a key of scope decree, leaves a learner out")
        }
        let (caller, fields) = (at.visit.caller, at.visit.fields)
        let choice = fields["competes"].map { ("leagues", $0) } ?? ("leaderboard", fields["listed"] ?? "")
        var event = DecreeForm.event(
            "learner.updated",
            [choice.0: .boolean(choice.1 == "true")],
            number: nil,
            for: at.id,
            try at.visit.engine.timeZone(of: at.id),
            at: at.now
        )
        // Only administrators may send events whose source begins with `laurel/`.
        if !at.mayDecree { event.source = caller.source ?? "dashboard" }
        if let refusal = try at.store(event) { throw Problem(422, "refused", refusal) }
        return Visit.seeOther(at.link().at("leaderboards"))
    }
}
