// SPDX-License-Identifier: Apache-2.0

import LaurelHTTP

/// Which pages of other origins may ask from a browser (the Fetch standard's CORS protocol).
struct CrossOrigin: Sendable {
    /// As browsers send them, such as `https://app.example`.
    let origins: [String]

    /// The answer to a browser that asks whether it may; nil for any other request.
    func preflight(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard head.method == "OPTIONS", head.headers["Origin"] != nil,
            head.headers["Access-Control-Request-Method"] != nil
        else { return nil }
        var response = HTTPResponse(204)
        guard origin(of: head) != nil else { return response }
        response.headers["Access-Control-Allow-Methods"] = "GET, POST, PUT, DELETE"
        response.headers["Access-Control-Allow-Headers"] =
            "Authorization, Content-Type, Content-Encoding, If-Match, If-None-Match, Last-Event-ID"
        response.headers["Access-Control-Max-Age"] = "600"
        return response
    }

    func adding(to response: HTTPResponse, for head: HTTPRequestHead) -> HTTPResponse {
        guard !origins.isEmpty, head.headers["Origin"] != nil else { return response }
        var response = response
        response.headers.add("Vary", "Origin")
        guard let origin = origin(of: head) else { return response }
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = "ETag, Link, Location, Retry-After"
        return response
    }

    private func origin(of head: HTTPRequestHead) -> String? {
        head.headers["Origin"].flatMap { origin in origins.first { $0.utf8.elementsEqual(origin.utf8) } }
    }
}
