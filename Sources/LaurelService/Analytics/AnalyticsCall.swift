// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelResults
import LaurelWire

/// The kinds of requests that analytics SDKs send.
enum AnalyticsCall: Sendable, Hashable {
    /// Calls such as `track`.
    case calls(AnalyticsMessage.Dialect)
    /// A question about feature flags.
    case flags

    /// The name of the input in quarantine.
    static let inputName = "analytics SDK"

    /// The format that the service's mapping for analytics SDKs defines.
    /// - Throws: ``EngineError`` if the mapping has mistakes, or does not convert single requests.
    static func format(_ options: ServiceOptions) throws(EngineError) -> InputFormat {
        let format =
            if let path = options.analyticsMapping { try InputFormat(mappingAt: path) } else {
                try InputFormat.named("analytics")
            }
        if let problem = format.requestProblem { throw EngineError(.invalidRequest, problem) }
        return format
    }

    /// The answer to a question about feature flags, which Laurel does not have. The SDK then uses its defaults.
    struct NoFlags: Codable, Sendable {
        /// The flags, in the form of newer SDKs: always empty.
        var flags: [String: Bool] = [:]
        /// The flags, in the form of older SDKs: always empty.
        var featureFlags: [String: Bool] = [:]
        /// The contents of the flags: always empty.
        var featureFlagPayloads: [String: String] = [:]
        /// True if flags could not be computed: never.
        var errorsWhileComputingFlags = false
        /// The products whose limit is reached: none.
        var quotaLimited: [String] = []
        /// The compressions in which the SDK may send its calls.
        var supportedCompression = ["gzip", "gzip-js"]
    }
    static let noFlags = NoFlags()
}

/// The routes with the paths of Segment's, RudderStack's and PostHog's SDKs. The key may be the user name of Basic
/// authentication, or a member of the body.
extension Route {
    static let analyticsRoutes: [Route] = {
        var routes = [
            analytics(
                "/v1/batch",
                .segment(nil),
                "Stores calls of Segment's or RudderStack's SDK. The user name is the key."
            )
        ]
        for kind in ["track", "identify", "alias", "page", "screen", "group"] {
            let summary = "Stores a call “\(kind)” of Segment's or RudderStack's SDK."
            // Segment's SDK for browsers uses the first letter alone.
            routes.append(analytics("/v1/\(kind)", .segment(kind), summary))
            routes.append(analytics("/v1/\(kind.prefix(1))", .segment(kind), summary))
        }
        for path in ["/batch", "/capture", "/e", "/i/v0/e"] {
            routes.append(analytics(path, .postHog, "Stores calls of PostHog's SDK. The key is the project's API key."))
        }
        return routes + ["/flags", "/decide"].map(flags)
    }()

    private static func flags(_ path: String) -> Route {
        Route(
            "POST",
            path,
            "Tells PostHog's SDK that there are no feature flags.",
            access: .scopes([.analytics]),
            reach: .caller,
            answer: .json(AnalyticsCall.NoFlags.self),
            body: BodyShape(["application/json": []], example: #"{"distinct_id":"ana"}"#),
            action: .analytics(.flags)
        )
    }

    private static func analytics(_ path: String, _ dialect: AnalyticsMessage.Dialect, _ summary: String) -> Route {
        Route(
            "POST",
            path,
            summary,
            access: .scopes([.analytics]),
            reach: .caller,
            answer: .json(RequestReport.self),
            body: BodyShape(["application/json": []], example: example(dialect)),
            codes: ["queue-full"],
            action: .analytics(.calls(dialect))
        )
    }

    private static func example(_ dialect: AnalyticsMessage.Dialect) -> String {
        let call =
            #"{"type":"track","event":"line.spoken","userId":"ana","messageId":"1","timestamp":"2026-04-05T18:00:00Z","#
            + #""properties":{"language":"es","accuracy":0.95}}"#
        switch dialect {
        case .segment(nil): return #"{"batch":[\#(call)],"sentAt":"2026-04-05T18:00:01Z"}"#
        case .segment: return call
        case .postHog:
            return #"{"event":"line.spoken","distinct_id":"ana","uuid":"1","timestamp":"2026-04-05T18:00:00Z","#
                + #""properties":{"language":"es","accuracy":0.95}}"#
        }
    }
}
