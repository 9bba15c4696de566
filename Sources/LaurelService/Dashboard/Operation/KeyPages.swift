// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// Who may ask, and what.
extension Route {
    static let keyPages = [
        page("/keys", access: .scopes([.admin])) { try KeyPages($0).page() },
        form("/keys", access: .scopes([.admin])) { try KeyPages($0).add() },
        form("/keys/tokens", access: .scopes([.admin])) { try KeyPages($0).addToken() },
        form("/keys/{id}/revoke", access: .scopes([.admin])) { visit in
            try KeyRoutes.revoke(visit.path("id"), visit.service)
            return Visit.seeOther(Link("keys").with("done", "revoked"))
        },
    ]
}

private struct KeyPages {
    let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func page() throws -> Page {
        try visit.service.keys.reload()
        let keys = visit.service.keys.records.keys.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        let secret = try visit.fields["made"].flatMap { try visit.service.drafts.takeSecret($0) }
        return Page("Keys", .keys) { html in
            html.element("div", .class("head")) { head in
                head.element("h1", text: "Keys")
                head.element(
                    "p",
                    .class("lead"),
                    text: "Who may send events, ask, and administer. A key is shown once; the store keeps its hash."
                )
            }
            if let secret {
                html.element("div", .class("notice"), HTMLAttribute("role", "status")) { notice in
                    notice.element("p", .class("strong"), text: "Copy it now: it is not shown again.")
                    notice.element("code", .class("secret"), text: secret)
                }
            }
            if visit.fields["done"] == "revoked" {
                html.element(
                    "p",
                    .class("notice"),
                    HTMLAttribute("role", "status"),
                    text: "The key opens nothing any more."
                )
            }
            if !visit.service.hasKeys {
                html.element(
                    "p",
                    .class("notice warn"),
                    text:
                        "There are no keys: whoever reaches this machine’s loopback may do everything. The first key needs the scope admin, and signs you in."
                )
            }
            if keys.isEmpty {
                html.empty("No keys yet", "Make one for each app and person, with the scopes that it needs.")
            } else {
                writeKeys(keys, &html)
            }
            html.element("div", .class("columns")) { columns in
                columns.element("div", .class("column")) { writeForm(&$0) }
                columns.element("div", .class("column")) { writeTokenForm(&$0) }
            }
        }
    }

    private func writeKeys(_ keys: [AccessKey], _ html: inout HTML) {
        let heads = [
            TableHead("Key"), TableHead("Scopes"), TableHead("Source"), TableHead("Learner"), TableHead("Made"),
            TableHead("Ends"), TableHead("Action"),
        ]
        html.table("Keys", heads) { rows in
            for key in keys {
                rows.element("tr") { row in
                    row.element("th", HTMLAttribute("scope", "row")) { cell in
                        cell.element("code", text: key.id)
                        if key.id == visit.caller.name { cell.element("span", .class("id"), text: "yours") }
                    }
                    row.cell(key.scopes.map(\.rawValue).joined(separator: ", "))
                    row.dataCell(key.source)
                    row.dataCell(key.learner)
                    row.element("td") { $0.time(key.createdAt, now: visit.now) }
                    row.element("td") { cell in
                        if let end = key.expiresAt { cell.time(end, now: visit.now) } else { cell.write("never") }
                    }
                    row.element("td") { cell in
                        cell.post(Link("keys", key.id, "revoke")) { form in
                            form.element(
                                "button",
                                HTMLAttribute("type", "submit"),
                                .class("danger small"),
                                HTMLAttribute("aria-label", "Revoke the key \(key.id)"),
                                text: "Revoke"
                            )
                        }
                    }
                }
            }
        }
    }

    private func writeForm(_ html: inout HTML) {
        html.card("Make a key") { card in
            card.post(Link("keys"), class: "stack") { form in
                form.element("fieldset") { set in
                    set.element("legend", text: "Scopes")
                    set.element("div", .class("checks")) { checks in
                        checks.check("ingest: send events", name: "scope", value: "ingest")
                        checks.check("read: ask", name: "scope", value: "read", isOn: true)
                        checks.check(
                            "admin: everything else",
                            name: "scope",
                            value: "admin",
                            isOn: !visit.service.hasKeys
                        )
                    }
                }
                form.field("Only events of the source", name: "source", help: "Empty for any.")
                form.field("Days until it ends", name: "days", type: "number", help: "Empty for never.")
                form.button("Make a key", class: "primary")
            }
        }
    }

    private func writeTokenForm(_ html: inout HTML) {
        html.card("Make a token for one learner") { card in
            card.post(Link("keys", "tokens"), class: "stack") { form in
                form.field(
                    "Learner",
                    name: "learner",
                    help: "Whoever has it sees this learner alone.",
                    isRequired: true
                )
                form.field("Hours", name: "hours", value: "24", type: "number", help: "At most 24.")
                form.element("div", .class("checks")) { $0.check("May send events, too", name: "ingest") }
                form.button("Make a token", class: "primary")
            }
        }
    }

    func add() throws -> HTTPResponse {
        let scopes = visit.fields.all("scope").compactMap { Scope(rawValue: $0) }
        let days = visit.fields.number("days")
        let isFirst = !visit.service.hasKeys
        let made = try KeyRoutes.add(
            KeyRoutes.Wanted(
                scopes: scopes,
                source: visit.fields["source"],
                learner: nil,
                expiresAt: days.map { visit.now + Double($0) * 86_400 }
            ),
            visit.service
        )
        let place = Link("keys").with("made", try visit.service.drafts.hand(over: made.secret, at: visit.now))
        var response = Visit.seeOther(place)
        // Who has made the first key would be locked out by it.
        if isFirst {
            let cookie = try visit.service.keys.session(for: made.secret)
            response.headers["Set-Cookie"] = SignedSession.header(cookie, for: visit.request.head)
        }
        return response
    }

    func addToken() throws -> HTTPResponse {
        guard let learner = visit.fields["learner"] else { throw Problem.badRequest("name the learner") }
        let hours = min(max(visit.fields.number("hours") ?? 24, 1), 24)
        let scopes: [Scope] = visit.fields.has("ingest") ? [.read, .ingest] : [.read]
        let token = LearnerToken(learner: learner, scopes: scopes, seconds: hours * 3600, at: visit.now)
        let text = visit.service.keys.token(token)
        return Visit.seeOther(Link("keys").with("made", try visit.service.drafts.hand(over: text, at: visit.now)))
    }
}
