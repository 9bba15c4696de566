// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelWire

extension Route {
    static let purchaseRoutes = [
        Route(
            "POST",
            "/v1/learners/{id}/purchases",
            "Buys items for the learner, or refuses with what is missing. 200 means that the purchase is durable.",
            access: .scopes([.ingest]),
            reach: .learner,
            answer: .json(PurchaseReceipt.self),
            body: PurchaseTerms.shape,
            codes: ["insufficient-balance", "limit-reached", "too-early", "unknown-item"],
            action: .document(limit: 64 << 10) { service, request, bytes in
                var purchase = try PurchaseTerms.read(bytes).purchase(by: request.path("id"))
                purchase.actor = request.caller.actor
                return try JSONAnswer.response(service.engine.buy(purchase))
            }
        )
    ]
}

/// A purchase that a client asks for.
struct PurchaseTerms: JSONBody {
    /// The item, as the rules name it.
    var item: String
    /// The number of items, 1 … 1000; 1 if it is left out.
    var count: Int?
    /// The id of the purchase; a random one if it is left out. With id and time, sending the purchase again is safe.
    var id: String?
    /// The time of the purchase, RFC 3339; now if it is left out.
    var time: String?
    /// The IANA name of the learner's time zone.
    var timezone: String?

    static let example = #"{"item":"streak_freeze","count":1,"id":"7","time":"2026-04-05T18:00:00+02:00"}"#

    func purchase(by learner: String) throws(Problem) -> Purchase {
        var purchase = Purchase(of: item, by: learner)
        purchase.count = count ?? 1
        purchase.timezone = timezone
        if let id { purchase.id = id }
        if let time {
            guard let parsed = try? Timestamp(time) else {
                throw .badRequest("time is “\(time.prefix(64))”; it must be an RFC 3339 time")
            }
            purchase.time = parsed
        }
        return purchase
    }
}
