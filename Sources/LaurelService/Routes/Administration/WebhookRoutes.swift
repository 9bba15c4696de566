// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelWire

extension Route {
    static let webhookRoutes = [
        Route(
            "GET",
            "/v1/webhooks",
            "The webhooks that receive messages.",
            access: .scopes([.webhooks]),
            answer: .list(WebhookListing.self),
            action: .question { service, _ in
                try service.keys.reload()
                let webhooks = service.keys.records.webhooks.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
                return try JSONAnswer.response(webhooks.map { WebhookListing($0) })
            }
        ),
        Route(
            "POST",
            "/v1/webhooks",
            "Adds a webhook, by Standard Webhooks; the secret is shown only once.",
            access: .scopes([.webhooks]),
            answer: .json(WebhookListing.self, status: 201),
            body: WebhookTerms.shape,
            codes: ["invalid-webhook"],
            action: .document(limit: 64 << 10) { service, request, bytes in
                try WebhookRoutes.add(service, bytes, by: request.caller)
            }
        ),
        Route(
            "DELETE",
            "/v1/webhooks/{id}",
            "Removes a webhook, and drops its waiting messages.",
            access: .scopes([.webhooks]),
            answer: .nothing,
            action: .question { service, request in
                guard try service.engine.removeWebhook(request.path("id"), by: request.caller.actor) else {
                    throw Problem.notFound("there is no such webhook")
                }
                try service.keys.reload()
                return HTTPResponse(204)
            }
        ),
    ]
}

/// A webhook to be added.
struct WebhookTerms: JSONBody {
    /// Address that messages are posted to, https.
    var url: String
    /// Types of messages to send; all types if left out.
    var events: [String]?

    static let example =
        #"{"url":"https://example.com/laurel","events":["achievement.unlocked","streak.at_risk"]}"#
}

/// The operations on webhooks, for routes and for the dashboard.
enum WebhookRoutes {
    static func add(_ service: LaurelService, _ bytes: [UInt8], by caller: Caller) throws -> HTTPResponse {
        let wanted = try WebhookTerms.read(bytes)
        let webhook = try add(wanted.url, wanted.events ?? [], by: caller, service)
        return try JSONAnswer.response(WebhookListing(webhook, secret: webhook.secret), status: 201)
    }

    /// Adds a webhook.
    /// - Parameter events: the types of messages; empty for all.
    static func add(_ address: String, _ events: [String], by caller: Caller, _ service: LaurelService) throws
        -> Webhook
    {
        let allowsPrivate = service.options.allowsPrivateWebhooks
        guard let url = URL(string: address), url.host?.isEmpty == false, url.user == nil,
            url.scheme == "https" || (allowsPrivate && url.scheme == "http")
        else { throw Problem(422, "invalid-webhook", "the url must be one of https, without a user") }
        guard allowsPrivate || !AddressGuard.isPrivate(url.host ?? "") else {
            throw Problem(422, "invalid-webhook", "only this machine or its network can reach that address")
        }
        let names = Announcement.Kind.allCases.map(\.rawValue)
        for event in events where !names.contains(event) {
            let nearest = didYouMean(nearestName(to: event, among: names))
            throw Problem(422, "invalid-webhook", "there is no event “\(event.prefix(64))”\(nearest)")
        }
        let webhook = Webhook(
            id: Secrets.random(6).hexadecimal,
            url: address,
            events: events,
            secret: Webhook.newSecret(),
            createdAt: service.options.now()
        )
        var records: [String: String?] = [ServiceRecords.name(ofWebhook: webhook.id): ServiceRecords.text(webhook)]
        let details: [String: String?] = [
            "host": url.host, "events": events.isEmpty ? "all" : events.joined(separator: ","),
        ]
        records.add(AuditNote(.webhookAdded, by: caller.actor, target: webhook.id, details: details))
        try service.engine.setServiceRecords(records)
        try service.keys.reload()
        return webhook
    }
}
