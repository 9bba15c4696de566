// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelHTTP
import LaurelReports

/// A file that pages load, such as a style sheet. Its address contains a version, so that browsers can cache the file
/// for long.
struct Asset: Sendable {
    let name: String
    let mediaType: String
    let bytes: [UInt8]
    private let version: String

    private init(_ name: String, _ mediaType: String, _ bytes: [UInt8]) {
        (self.name, self.mediaType, self.bytes) = (name, mediaType, bytes)
        version = String(SHA256.hash(bytes).hexadecimal.prefix(16))
    }

    var path: String { "/assets/\(name)?v=\(version)" }
    var tag: String { "\"\(version)\"" }

    /// The style sheet of reports and of pages.
    static let style = Asset(
        "dashboard.css",
        "text/css; charset=utf-8",
        Array(PageChart.style.utf8) + PackageResources.dashboard_css
    )
    static let script = Asset("dashboard.js", "text/javascript; charset=utf-8", PackageResources.dashboard_js)
    static let icon = Asset("icon.svg", "image/svg+xml", PackageResources.icon_svg)
    static let all = [style, script, icon]
}

extension Route {
    static let assetPages = Asset.all.map { asset in
        Route(
            "GET",
            "/assets/\(asset.name)",
            "What pages load.",
            access: .anonymous,
            answer: .media(asset.mediaType),
            action: .immediate { _, request in
                var headers = Frame.headers
                headers["ETag"] = asset.tag
                // If the address names another version, the answer must not be cached.
                let isNamed = request.head.query == "v=\(asset.tag.dropFirst().dropLast())"
                headers["Cache-Control"] = isNamed ? "public, max-age=31536000, immutable" : "no-cache"
                if EntityTags(request.head.headers["If-None-Match"]).tags.contains(asset.tag) {
                    return HTTPResponse(304, headers: headers)
                }
                headers["Content-Type"] = asset.mediaType
                return HTTPResponse(200, headers: headers, body: asset.bytes)
            },
            isPage: true
        )
    }
}
