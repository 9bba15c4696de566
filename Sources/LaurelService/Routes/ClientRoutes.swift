// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelHTTP

/// The route of the JavaScript client. A page that loads the client from the service gets the version that fits the
/// service.
extension Route {
    static let clientRoutes = [
        client(
            "laurel.js",
            "text/javascript; charset=utf-8",
            "The client for browsers, an ES module.",
            PackageResources.laurel_js
        ),
        client("laurel.d.ts", "text/plain; charset=utf-8", "Its types, for TypeScript.", PackageResources.laurel_d_ts),
    ]

    private static func client(_ name: String, _ type: String, _ summary: String, _ bytes: [UInt8]) -> Route {
        let tag = "\"\(SHA256.hash(bytes).prefix(16).hexadecimal)\""
        return Route(
            "GET",
            "/\(name)",
            summary,
            access: .anonymous,
            answer: AnswerShape(mediaType: type, isVersioned: true),
            action: .immediate { _, request in
                var headers: HTTPHeaders = ["ETag": tag, "Cache-Control": "public, max-age=300"]
                let clientTags = EntityTags(request.head.headers["If-None-Match"])
                if clientTags.isAny || clientTags.tags.contains(tag) { return HTTPResponse(304, headers: headers) }
                headers["Content-Type"] = type
                headers["X-Content-Type-Options"] = "nosniff"
                return HTTPResponse(200, headers: headers, body: bytes)
            }
        )
    }
}
