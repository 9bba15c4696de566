// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// The pages that manage keys and their rights.
extension Route {
    static let keyPages = [
        page("/keys", access: .scopes([.keys])) { try KeyPages($0).page() },
        form("/keys", access: .scopes([.keys])) { try KeyPages($0).add() },
        form("/keys/tokens", access: .scopes([.keys])) { try KeyPages($0).addToken() },
        page("/keys/rotate", access: .scopes([.keys])) { try KeyPages($0).askToRotate() },
        form("/keys/rotate", access: .scopes([.keys])) { visit in
            try KeyPages(visit).checkSigning()
            try SigningKeys(visit.engine).rotate(now: visit.fields.has("now"), auditing: visit.actor)
            try visit.service.keys.reload()
            return Visit.seeOther(Link("keys").with("done", "rotated"))
        },
        page("/keys/{id}/revoke", access: .scopes([.keys])) { try KeyPages($0).askToRevoke() },
        form("/keys/{id}/revoke", access: .scopes([.keys])) { visit in
            try KeyPages(visit).checkIsOther()
            try KeyRoutes.revoke(visit.path("id"), by: visit.caller, visit.service)
            return Visit.seeOther(Link("keys").with("done", "revoked"))
        },
    ]
}

private struct KeyPages {
    let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func page() throws -> Page {
        try visit.service.keys.reload()
        let keys = visit.service.keys.records.keys
        let secret = try visit.fields["made"].flatMap { try visit.service.drafts.redeemSecret($0) }
        return Page("Keys", .keys) { html in
            html.head(
                "Keys",
                "Who may send events, ask, and administer. A key is shown once; the store keeps its hash."
            )
            if let secret { html.secret(secret) }
            let notes: [String: PageText] = ["revoked": "Key revoked.", "rotated": "New signing key made."]
            if let done = visit.fields["done"].flatMap({ notes[$0] }) {
                html.element("p", ["class": "notice", "role": "status"], text: done)
            }
            let ending = visit.service.endingKeys
            if !ending.isEmpty {
                let names = ending.map { $0.name ?? $0.id }.joined(separator: ", ")
                html.element("p", ["class": "notice warn"], text: "Within 30 days these keys end: \(names).")
            }
            if !visit.service.hasKeys {
                html.element(
                    "p",
                    ["class": "notice warn"],
                    text: "There are no keys: every program on this machine may do everything. The first key needs the"
                        + " scope admin, and signs you in."
                )
            }
            if keys.isEmpty {
                html.empty("No keys yet", "Make one for each app and person, with the scopes that it needs.")
            } else {
                writeKeys(keys, &html)
            }
            html.element("div", ["class": "columns"]) { columns in
                columns.element("div", ["class": "column"]) { writeForm(&$0) }
                columns.element("div", ["class": "column"]) { column in
                    writeTokenForm(&column)
                    writeRotateForm(&column)
                }
            }
        }
    }

    private func writeKeys(_ keys: [AccessKey], _ html: inout HTML) {
        let heads = [
            TableHead("Key"), TableHead("Scopes"), TableHead("For"), TableHead("Made"), TableHead("Last used"),
            TableHead("Ends"), TableHead("Action"),
        ]
        html.table("Keys", heads) { rows in
            for key in keys { rows.element("tr") { write(key, &$0) } }
        }
    }

    private func write(_ key: AccessKey, _ row: inout HTML) {
        row.element("th", ["scope": "row"]) { cell in
            if let name = key.name { cell.element("span", text: name) }
            cell.element("code", ["class": "id"], text: key.id)
            if key.id == visit.caller.key { cell.element("span", ["class": "id"], text: "yours") }
        }
        row.cell("\(key.scopes.map(\.rawValue).joined(separator: ", "))")
        let limits: [PageText?] = [
            key.source.map { "source \($0)" }, key.learner.map { "learner \($0)" },
            key.types.map { "also \($0.joined(separator: ", "))" },
            key.cohorts.map { "cohort \($0.joined(separator: ", "))" },
        ]
        let written = limits.compactMap { $0?.written() }
        row.dataCell(written.isEmpty ? nil : written.joined(separator: "; "))
        row.element("td") { $0.time(key.createdAt, now: visit.now) }
        row.element("td") { cell in
            if let use = key.lastUsedAt { cell.time(use, now: visit.now) } else { cell.write("never") }
        }
        row.element("td") { cell in
            if let end = key.expiresAt { cell.time(end, now: visit.now) } else { cell.write("never") }
        }
        row.element("td") { cell in
            guard key.id != visit.caller.key else { return }
            cell.element(
                "a",
                [
                    "href": Link("keys", key.id, "revoke").text, "class": "button danger small",
                    "aria-label": WrittenText.text("Revoke the key \(key.name ?? key.id)"),
                ],
                text: "Revoke"
            )
        }
    }

    private func writeForm(_ html: inout HTML) {
        let scopes: [(scope: Scope, text: PageText)] = [
            (.ingest, "send events"), (.analytics, "send calls of analytics SDKs, from public pages too"),
            (.read, "ask"), (.rules, "check and apply rules"),
            (.keys, "make keys and tokens"),
            (.webhooks, "set webhooks"), (.erase, "erase learners"), (.decree, "grant, adjust and repair for learners"),
            (.admin, "everything"),
        ]
        html.card("Make a key") { card in
            card.post(Link("keys"), class: "stack") { form in
                form.field("Name", name: "name", help: "The person or the program that will use it.")
                form.element("fieldset") { set in
                    set.element("legend", text: "Scopes")
                    set.element("div", ["class": "checks"]) { checks in
                        for (scope, text) in scopes where visit.may(scope) {
                            let isOn = visit.service.hasKeys ? scope == .read : scope == .admin
                            checks.check("\(scope.rawValue): \(text)", name: "scope", value: scope.rawValue, isOn: isOn)
                        }
                    }
                }
                form.field("Only events of the source", name: "source", help: "Empty for any.")
                form.field(
                    "Only learners of the cohort",
                    name: "cohort",
                    help: "Empty for all. The key can only read."
                )
                form.field("Days until it ends", name: "days", value: "365", type: "number", help: "Empty for never.")
                form.button("Make a key", class: "primary")
            }
        }
    }

    private func writeRotateForm(_ html: inout HTML) {
        html.card("Make a new signing key") { card in
            card.element(
                "p",
                text:
                    "Learners’ tokens are signed with it. Tokens signed before hold until they expire, unless they end now."
            )
            card.ask(Link("keys", "rotate"), class: "stack") { form in
                form.element("div", ["class": "checks"]) { $0.check("End all tokens now", name: "now") }
                form.button("Make a new signing key")
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
                TokenForm.writeFields(&form)
                form.button("Make a token", class: "primary")
            }
        }
    }

    // MARK: Revoking

    /// Refuses to revoke the key with which the caller has signed in. Revoking it would sign the caller out.
    func checkIsOther() throws {
        guard visit.path("id") != visit.caller.key else {
            throw Problem(
                409,
                "own-key",
                "this is the key that you signed in with; sign in with another one to revoke it"
            )
        }
    }

    func askToRevoke() throws -> Page {
        try checkIsOther()
        try visit.service.keys.reload()
        guard let key = visit.service.keys.key(visit.path("id")) else { throw Problem.notFound("there is no such key") }
        let confirmation = Confirmation(
            question: "Revoke the key \(data: (key.name ?? key.id).shortened)?",
            button: "Revoke the key",
            action: Link("keys", key.id, "revoke"),
            back: Link("keys")
        )
        return confirmation.page(.keys) { card in
            card.element("p", text: use(of: key))
            card.element(
                "p",
                text: "Apps and people that use the key are refused at once. A revoked key cannot come back."
            )
        }
    }

    /// A sentence with the scopes of a key, and one with the time of its last use.
    private func use(of key: AccessKey) -> PageText {
        let id = HTML { $0.element("code") { $0.data(key.id) } }
        let scopes = key.scopes.map(\.rawValue).joined(separator: ", ")
        guard let date = key.lastUsedAt else { return "\(id) may use: \(scopes). It was never used." }
        let time = HTML { $0.time(date, now: visit.now) }
        return "\(id) may use: \(scopes). It was last used \(time)."
    }

    func checkSigning() throws {
        guard !visit.service.keys.signsByFile else {
            throw Problem(
                409,
                "signed-by-file",
                "tokens are signed with the key in signing-key-file; replace that file"
            )
        }
    }

    func askToRotate() throws -> Page {
        try checkSigning()
        let endsTokens = visit.fields.has("now")
        let confirmation = Confirmation(
            question: endsTokens ? "Make a new signing key, and end all tokens?" : "Make a new signing key?",
            button: "Make a new signing key",
            action: Link("keys", "rotate"),
            back: Link("keys"),
            fields: endsTokens ? [("now", "true")] : []
        )
        return confirmation.page(.keys) { card in
            card.element(
                "p",
                text: endsTokens
                    ? "Every learner’s token stops working at once, until the app fetches a new one."
                    : "Tokens signed before hold until they expire. New tokens are signed with the new key."
            )
        }
    }

    // MARK: Making

    func add() throws -> HTTPResponse {
        let cohort = visit.fields["cohort"]
        let grant = KeyGrant(
            name: visit.fields["name"],
            visit.fields.all("scope").compactMap { Scope(rawValue: $0) },
            source: visit.fields["source"],
            cohorts: cohort.map { [$0] },
            expiresAt: visit.fields.number("days").map { visit.now + Double($0) * 86_400 }
        )
        let isFirst = !visit.service.hasKeys
        let made = try KeyRoutes.add(grant, by: visit.caller, visit.service)
        let location = Link("keys").with("made", try visit.service.drafts.storeSecret(once: made.secret, at: visit.now))
        var response = Visit.seeOther(location)
        // When the first key exists, every request needs a key. So its maker gets a session, and is not locked out.
        if isFirst {
            let session = try visit.service.keys.signIn(made.secret)
            response.headers["Set-Cookie"] = DashboardSession.header(session, for: visit.request.head)
        }
        return response
    }

    func addToken() throws -> HTTPResponse {
        guard let learner = visit.fields["learner"] else { throw Problem.badRequest("name the learner") }
        return Visit.seeOther(Link("keys").with("made", try TokenForm.make(for: learner, visit)))
    }
}
