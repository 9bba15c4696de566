// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP

/// A kind of request, for the router and for `/openapi.json`.
final class Route: Sendable {
    /// The callers that may use the route.
    enum Access: Sendable, Hashable {
        case anonymous
        case scopes([Scope])
        /// Callers with the scope `read`. A learner's token gives access to that learner's paths only.
        case learner
    }

    /// The ways in which a route answers.
    enum Action: Sendable {
        /// Answers at once, on the server's thread.
        case immediate(@Sendable (LaurelService, ServiceRequest) throws -> HTTPResponse)
        /// Answers on one of the threads for reading.
        case question(@Sendable (LaurelService, ServiceRequest) throws -> HTTPResponse)
        /// Answers on one of the threads for reading, after a body of at most `limit` bytes has arrived.
        case document(limit: Int, @Sendable (LaurelService, ServiceRequest, [UInt8]) throws -> HTTPResponse)
        /// Answers about a learner. The answer has a version, so that a client need not receive an unchanged answer
        /// again.
        case learner(@Sendable (LearnerQuestion) throws -> [UInt8])
        /// Stores the events in the body.
        case intake
        /// Stores the calls of an analytics SDK.
        case analytics(AnalyticsCall)

        var isImmediate: Bool { if case .immediate = self { true } else { false } }
    }

    let method: String
    /// The path, with names in braces: `/v1/learners/{id}/progress`.
    let path: String
    let summary: String
    let access: Access
    let reach: Reach
    let parameters: [Parameter]
    /// The type of the answer, and its media type.
    let answer: AnswerShape
    /// The form of the body; nil if the route accepts no body.
    let body: BodyShape?
    let action: Action
    /// The codes of problems. Problems that follow from access, parameters, body and action are not listed here.
    let codes: [String]
    /// True for a page for people. The description of the API leaves the route out.
    let isPage: Bool
    /// The segments of the path.
    let segments: [Substring]

    init(
        _ method: String,
        _ path: String,
        _ summary: String,
        access: Access,
        reach: Reach? = nil,
        parameters: [Parameter] = [],
        answer: AnswerShape,
        body: BodyShape? = nil,
        codes: [String] = [],
        action: Action,
        isPage: Bool = false
    ) {
        (self.method, self.path, self.summary, self.access) = (method, path, summary, access)
        (self.parameters, self.answer, self.body, self.action) = (parameters, answer, body, action)
        (self.codes, self.isPage) = (codes, isPage)
        self.reach = reach ?? Self.reach(access, parameters)
        segments = path.split(separator: "/", omittingEmptySubsequences: true)
    }

    private static func reach(_ access: Access, _ parameters: [Parameter]) -> Reach {
        if access == .learner { return .learner }
        // The intake checks the learner of each event.
        if access == .scopes([.ingest]) { return .caller }
        return parameters.contains { $0.name == Parameter.cohort.name } ? .cohort : .allLearners
    }

    /// True for a request of an analytics SDK. Such a request may have any query, and its key may be in the body.
    var isAnalytics: Bool { if case .analytics = action { true } else { false } }

    /// The values that a path contains for the names in braces.
    func values(in path: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for (pattern, text) in zip(segments, path) where pattern.utf8.first == UInt8(ascii: "{") {
            values[String(pattern.dropFirst().dropLast())] = text
        }
        return values
    }
}

/// The form of an answer.
struct AnswerShape: Sendable {
    var status = 200
    var mediaType = "application/json"
    /// The types that the answer may have; empty for any JSON.
    var types: [DescribedType] = []
    /// Other media types that can be requested.
    var others: [String] = []
    /// True if the answer has a version. Then the service can answer with status 304.
    var isVersioned = false
    /// The header fields that this answer has in addition to those of every answer.
    var fields: [AnswerField] = []

    static func json(_ types: DescribedType..., status: Int = 200) -> AnswerShape {
        AnswerShape(status: status, types: types)
    }

    static func list<Element: Decodable & SendableMetatype>(_ type: Element.Type) -> AnswerShape {
        .json([Element].self)
    }
    static func page<Element: Decodable & SendableMetatype>(of type: Element.Type) -> AnswerShape {
        AnswerShape(types: [[Element].self], fields: [.link])
    }
    static let job = AnswerShape(status: 202, types: [Job.self], fields: [.location])
    static func media(_ type: String, or others: String...) -> AnswerShape {
        AnswerShape(mediaType: type, others: others)
    }
    static let nothing = AnswerShape(status: 204, mediaType: "")
}

/// The form of a body.
struct BodyShape: Sendable {
    /// The media types, the preferred one first, each with the types that describe its content.
    let media: KeyValuePairs<String, [DescribedType]>
    /// An example of a valid body, of the first media type.
    let example: String

    init(_ media: KeyValuePairs<String, [DescribedType]>, example: String) {
        (self.media, self.example) = (media, example)
    }

    var mediaTypes: [String] { media.map(\.key) }
}

/// A header field of an answer that clients use.
enum AnswerField: String, Sendable {
    case etag = "ETag"
    case link = "Link"
    case location = "Location"
    case retryAfter = "Retry-After"

    var meaning: String {
        switch self {
        case .etag: "The answer's version: send it as If-None-Match, or as If-Match where that is asked for."
        case .link: "The address of the next page, with rel=next; missing on the last."
        case .location: "The path of the job."
        case .retryAfter: "Seconds after which it may be tried again."
        }
    }
}

/// A request that was admitted.
struct ServiceRequest: Sendable {
    let head: HTTPRequestHead
    let route: Route
    /// The values in the path for the names in braces.
    let path: [String: String]
    let query: Query
    let caller: Caller

    /// The instant as of which the request reads; nil for now.
    var at: Timestamp? { query.time(.at) }

    func path(_ name: String) -> String { path[name] ?? "" }
}
