// SPDX-License-Identifier: Apache-2.0

import LaurelHTTP

/// The origins whose pages may call the service from a browser (CORS, as in the Fetch standard).
struct CrossOrigin: Sendable {
    /// The origins as browsers send them, such as `https://app.example`.
    let origins: [String]

    /// The answer to a browser's preflight request; nil for other requests.
    func preflight(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard head.method == "OPTIONS", head.headers["Origin"] != nil,
            head.headers["Access-Control-Request-Method"] != nil
        else { return nil }
        var response = HTTPResponse(204)
        guard origin(of: head) != nil else { return response }
        response.headers["Access-Control-Allow-Methods"] = "GET, POST, PUT, DELETE"
        response.headers["Access-Control-Allow-Headers"] = (Self.fields + cloudEventFields(head)).joined(
            separator: ", "
        )
        response.headers["Access-Control-Max-Age"] = "600"
        return response
    }

    private static let fields = [
        "Authorization", "Content-Type", "Content-Encoding", "If-Match", "If-None-Match", "Last-Event-ID",
        "traceparent",
        "tracestate",
        // RudderStack's SDK for browsers sends this field.
        "AnonymousId",
    ]

    /// The header fields of an event in binary mode that the browser wants to send. CORS has no pattern such as `ce-*`,
    /// so each field is listed.
    private func cloudEventFields(_ head: HTTPRequestHead) -> [String] {
        let asked = head.headers["Access-Control-Request-Headers"] ?? ""
        return asked.lowercased().split(separator: ",").map { String($0.filter { $0 != " " }) }.filter {
            $0.hasPrefix("ce-") && $0.utf8.allSatisfy { 97...122 ~= $0 || 48...57 ~= $0 || $0 == 45 }
        }
    }

    /// The answer to a sender of CloudEvents that asks for permission to deliver (HTTP 1.1 Web Hooks, section 4); nil
    /// for other requests.
    static func handshake(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard head.method == "OPTIONS", head.path == "/v1/events", let origin = head.headers["WebHook-Request-Origin"]
        else { return nil }
        let headers: HTTPHeaders = [
            "Allow": "POST", "WebHook-Allowed-Origin": origin, "WebHook-Allowed-Rate": "*",
        ]
        return HTTPResponse(200, headers: headers)
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
