// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelResults

/// The routes about messages that were sent to webhooks.
extension Route {
    static let deliveryRoutes = [
        Route(
            "GET",
            "/v1/webhooks/{id}/deliveries",
            "Messages that wait, and the last hundred that this node has sent; the newest first.",
            access: .scopes([.webhooks]),
            answer: .list(Delivery.self),
            action: .question { service, request in
                JSONAnswer.response(try JSONAnswer.list(service.webhooks.deliveries(of: request.path("id"))))
            }
        ),
        Route(
            "POST",
            "/v1/webhooks/{id}/deliveries/{message}",
            "Sends a message again, under the same id.",
            access: .scopes([.webhooks]),
            answer: .nothing,
            action: .question { service, request in
                try service.webhooks.sendAgain(request.path("message"), to: request.path("id"))
                return HTTPResponse(204)
            }
        ),
    ]
}
