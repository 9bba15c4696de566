// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// The pages that list webhooks, and the messages that were sent to them or wait to be sent.
extension Route {
    static let webhookPages = [
        page("/webhooks", access: .scopes([.webhooks])) { try WebhookPages($0).list() },
        form("/webhooks", access: .scopes([.webhooks])) { visit in
            let made = try WebhookRoutes.add(
                visit.fields["url"] ?? "",
                visit.fields.all("event"),
                by: visit.caller,
                visit.service
            )
            let receipt = try visit.service.drafts.storeSecret(once: made.secret, at: visit.now)
            return Visit.seeOther(Link("webhooks").with("made", receipt))
        },
        page("/webhooks/{id}", access: .scopes([.webhooks])) { try WebhookPages($0).one() },
        page("/webhooks/{id}/remove", access: .scopes([.webhooks])) { try WebhookPages($0).askToRemove() },
        form("/webhooks/{id}/remove", access: .scopes([.webhooks])) { visit in
            guard try visit.engine.removeWebhook(visit.path("id"), by: visit.actor) else {
                throw Problem.notFound("there is no such webhook")
            }
            try visit.service.keys.reload()
            return Visit.seeOther(Link("webhooks"))
        },
        form("/webhooks/{id}/deliveries/{message}", access: .scopes([.webhooks])) { visit in
            try visit.service.webhooks.sendAgain(visit.path("message"), to: visit.path("id"))
            return Visit.seeOther(Link("webhooks", visit.path("id")).with("done", "again"))
        },
    ]
}

private struct WebhookPages {
    let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    private func webhooks() throws -> [Webhook] {
        try visit.service.keys.reload()
        return visit.service.keys.records.webhooks.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func list() throws -> Page {
        let webhooks = try webhooks()
        let secret = try visit.fields["made"].flatMap { try visit.service.drafts.redeemSecret($0) }
        return Page("Webhooks", .webhooks) { html in
            html.head("Webhooks", "Send events to your server, as Standard Webhooks. Retried until acknowledged.")
            if let secret {
                html.element("div", ["class": "notice", "role": "status"]) { notice in
                    notice.element(
                        "p",
                        ["class": "strong"],
                        text: "Messages are signed with this secret. Copy it now: it is not shown again."
                    )
                    notice.element("code", ["class": "secret"], text: secret)
                }
            }
            if webhooks.isEmpty {
                html.empty(
                    "No webhooks yet",
                    "Add a server to hear of achievements, goals, balances, streaks and mastered words."
                )
            } else {
                write(webhooks, &html)
            }
            writeForm(&html)
        }
    }

    private func write(_ webhooks: [Webhook], _ html: inout HTML) {
        let heads = [TableHead("Address"), TableHead("Events"), TableHead("State"), TableHead("Since")]
        html.table("Webhooks", heads) { rows in
            for webhook in webhooks {
                rows.element("tr") { row in
                    row.element("th", ["scope": "row", "class": "name"]) { cell in
                        cell.element("a", ["href": Link("webhooks", webhook.id).text]) { $0.data(webhook.url) }
                    }
                    row.cell(webhook.events.isEmpty ? "all" : "\(webhook.events.joined(separator: ", "))")
                    row.element("td") { cell in
                        if webhook.disabledAt == nil {
                            cell.badge("on", "good")
                        } else {
                            cell.badge("off: it answered 410", "bad")
                        }
                    }
                    row.element("td") { $0.time(webhook.createdAt, now: visit.now) }
                }
            }
        }
    }

    private func writeForm(_ html: inout HTML) {
        html.card("Add a webhook") { card in
            card.post(Link("webhooks"), class: "stack") { form in
                form.field("Address", name: "url", type: "url", help: "Must start with https://", isRequired: true)
                form.element("fieldset") { set in
                    set.element("legend", text: "Events (leave empty for all)")
                    set.element("div", ["class": "checks"]) { checks in
                        for kind in Announcement.Kind.allCases {
                            checks.check("\(kind.rawValue)", name: "event", value: kind.rawValue)
                        }
                    }
                }
                form.button("Add", class: "primary")
            }
        }
    }

    private func webhook() throws -> Webhook {
        guard let webhook = try webhooks().first(where: { $0.id == visit.path("id") }) else {
            throw Problem.notFound("there is no such webhook")
        }
        return webhook
    }

    func askToRemove() throws -> Page {
        let webhook = try webhook()
        let waiting = try visit.service.webhooks.deliveries(of: webhook.id).count { $0.state == "waiting" }
        let confirmation = Confirmation(
            question: "Remove the webhook to \(data: webhook.url.shortened)?",
            button: "Remove the webhook",
            action: Link("webhooks", webhook.id, "remove"),
            back: Link("webhooks", webhook.id)
        )
        return confirmation.page(.webhooks) { card in
            card.element(
                "p",
                text: waiting > 0
                    ? "Its messages that wait, at least \(waiting), are not delivered. Its secret is gone."
                    : "No further message is sent there. Its secret is gone."
            )
        }
    }

    func one() throws -> Page {
        let webhook = try webhook()
        let deliveries = try visit.service.webhooks.deliveries(of: webhook.id)
        return Page("Webhook", .webhooks) { html in
            html.head(
                "\(data: webhook.url.shortened)",
                webhook.events.isEmpty ? "Told of everything." : "Told of \(webhook.events.joined(separator: ", "))."
            ) { $0.crumb(to: .webhooks, "Webhook") }
            if visit.fields["done"] == "again" {
                html.element("p", ["class": "notice", "role": "status"], text: "It is sent again, under the same id.")
            }
            if deliveries.isEmpty {
                html.empty(
                    "Nothing was sent yet",
                    "Messages that wait appear here, and the last hundred that this node has sent."
                )
            } else {
                write(deliveries, webhook, &html)
            }
            html.element("p", ["class": "actions"]) { row in
                row.link(Link("webhooks", webhook.id, "remove"), "Remove the webhook", class: "button danger")
            }
        }
    }

    private func write(_ deliveries: [Delivery], _ webhook: Webhook, _ html: inout HTML) {
        let heads = [
            TableHead("Message"), TableHead("Learner"), TableHead("Made"), TableHead("Attempts", isNumber: true),
            TableHead("Last status", isNumber: true), TableHead("State"), TableHead("Action"),
        ]
        html.table("Messages", heads) { rows in
            for delivery in deliveries.prefix(200) {
                rows.element("tr") { row in
                    row.element("th", ["scope": "row", "class": "name"]) { cell in
                        cell.data(delivery.event)
                        cell.element("span", ["class": "id"], text: delivery.id)
                    }
                    row.dataCell(delivery.learner ?? delivery.group ?? "")
                    row.element("td") { $0.time(delivery.createdAt, now: visit.now) }
                    row.number(delivery.attempts)
                    row.element("td", ["class": "n"], text: delivery.lastStatus.map(String.init) ?? "–")
                    row.element("td") { cell in
                        cell.badge(
                            PageText(english: delivery.state),
                            delivery.state == "delivered" ? "good" : delivery.state == "waiting" ? "" : "bad"
                        )
                        if let next = delivery.nextAttemptAt {
                            cell.write(" ")
                            cell.write("next \(HTML { $0.time(next, now: visit.now) })")
                        }
                    }
                    row.element("td") { cell in
                        cell.post(Link("webhooks", webhook.id, "deliveries", delivery.id)) { form in
                            form.element(
                                "button",
                                [
                                    "type": "submit", "class": "small",
                                    "aria-label": WrittenText.text("Send \(delivery.id) again"),
                                ],
                                text: "Send again"
                            )
                        }
                    }
                }
            }
        }
    }
}
