// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// The page that makes a token for the learner.
extension Route {
    private static let granting = Access.scopes([.read, .keys])

    static let tokenPages = [
        page("/learners/{id}/token", access: granting) { try TokenPage($0).page() },
        form("/learners/{id}/token", access: granting) { visit in
            let at = try LearnerVisit(visit)
            let secret = try TokenForm.make(for: at.id, visit)
            return Visit.seeOther(at.link("token", query: ["made": secret]))
        },
    ]
}

/// The form that makes a token. Pages add the field for the learner themselves.
enum TokenForm {
    static func writeFields(_ html: inout HTML) {
        html.field("Hours", name: "hours", value: "24", type: "number", help: "At most 24.")
        html.element("div", ["class": "checks"]) { $0.check("May send events, too", name: "ingest") }
    }

    /// Makes the token that a form describes, and notes it in the audit log.
    /// - Returns: the name under which a page shows the token once.
    static func make(for learner: String, _ visit: Visit) throws -> String {
        let hours = min(max(visit.fields.number("hours") ?? 24, 1), 24)
        let scopes: [Scope] = visit.fields.has("ingest") ? [.read, .ingest] : [.read]
        let wanted = TokenTerms(learner: learner, scopes: scopes, ttl: hours * 3600)
        let token = try TokenRoutes.token(wanted, by: visit.caller, visit.engine, at: visit.now)
        let text = try visit.service.keys.text(of: token)
        let details = ["hours": "\(hours)", "scopes": scopes.map(\.rawValue).joined(separator: ",")]
        try visit.engine.note(AuditNote(.tokenMade, by: visit.actor, learner: learner, details: details))
        return try visit.service.drafts.storeSecret(once: text, at: visit.now)
    }
}

extension HTML {
    /// Writes a secret that is not shown again.
    mutating func secret(_ secret: String) {
        element("div", ["class": "notice", "role": "status"]) { notice in
            notice.element("p", ["class": "strong"], text: "Copy it now: it is not shown again.")
            notice.element("code", ["class": "secret"], text: secret)
        }
    }
}

private struct TokenPage {
    private let at: LearnerVisit

    init(_ visit: Visit) throws { at = try LearnerVisit(visit) }

    func page() throws -> Page {
        let secret = try at.visit.fields["made"].flatMap { try at.visit.service.drafts.redeemSecret($0) }
        let name = try at.learner.progress(at: at.now)?.displayName
        return Page("Make a token", .learners) { html in
            html.head(
                "Make a token",
                "Whoever has it sees the pages and numbers of \(data: (name ?? at.id).shortened) alone."
            ) { at.writePath("Make a token", name: name, &$0) }
            if let secret { html.secret(secret) }
            html.element("section", ["class": "exhibit"]) { card in
                card.post(at.link("token"), class: "stack") { form in
                    TokenForm.writeFields(&form)
                    form.element("div", ["class": "actions"]) { row in
                        row.button("Make a token", class: "primary")
                        row.link(at.link(), secret == nil ? "Cancel" : "To the learner", class: "button")
                    }
                }
            }
        }
    }
}
