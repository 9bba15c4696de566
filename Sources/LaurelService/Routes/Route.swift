// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP

/// One kind of request: what the router goes by, and what `/openapi.json` says.
final class Route: Sendable {
    /// Who may ask.
    enum Access: Sendable, Hashable {
        case everyone
        case scopes([Scope])
        /// Those who may read; and the learner of the path with a token of their own.
        case learner
    }

    /// How it is answered.
    enum Action: Sendable {
        /// On the server's thread, at once.
        case immediate(@Sendable (LaurelService, ServiceRequest) throws -> HTTPResponse)
        /// By one of the threads for questions.
        case question(@Sendable (LaurelService, ServiceRequest) throws -> HTTPResponse)
        /// By one of these threads, with a body of at most so many bytes.
        case document(limit: Int, @Sendable (LaurelService, ServiceRequest, [UInt8]) throws -> HTTPResponse)
        /// About a learner: with a version, so that whoever has the answer need not be sent it again.
        case learner(@Sendable (LearnerQuestion) throws -> [UInt8])
        /// Events, to be stored.
        case intake

        var isImmediate: Bool { if case .immediate = self { true } else { false } }
    }

    let method: String
    /// With names in braces: `/v1/learners/{id}/progress`.
    let path: String
    let summary: String
    let access: Access
    let reach: Reach
    let parameters: [Parameter]
    /// The type of the answer, and its media type.
    let answer: AnswerShape
    /// What the body must be; nil where there is none.
    let body: BodyShape?
    let action: Action
    /// The codes of problems that it has beside those that its access, parameters, body and action bring along.
    let codes: [String]
    /// True if it is for people, and in no description.
    let isPage: Bool
    /// Of the path, in their order.
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
        // The intake looks at the learner of each event.
        if access == .scopes([.ingest]) { return .caller }
        return parameters.contains { $0.name == Parameter.cohort.name } ? .cohort : .everybody
    }

    /// What stands in a path of this route for the names in braces.
    func values(in path: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for (pattern, text) in zip(segments, path) where pattern.utf8.first == UInt8(ascii: "{") {
            values[String(pattern.dropFirst().dropLast())] = text
        }
        return values
    }
}

/// What an answer looks like.
struct AnswerShape: Sendable {
    var status = 200
    var mediaType = "application/json"
    /// The types that it may be; none for any JSON.
    var types: [DescribedType] = []
    /// Other media types that may be asked for.
    var others: [String] = []
    /// True if one that a client has may hold still, which 304 says.
    var isVersioned = false
    /// The fields that its head has beside the usual.
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

/// What a body must be.
struct BodyShape: Sendable {
    /// Media types, the first preferred, each with the types that it may hold.
    let media: KeyValuePairs<String, [DescribedType]>
    /// A body that works, of the first media type.
    let example: String

    init(_ media: KeyValuePairs<String, [DescribedType]>, example: String) {
        (self.media, self.example) = (media, example)
    }

    var mediaTypes: [String] { media.map(\.key) }
}

/// A field of an answer's head that clients go by.
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

/// A request that was let through.
struct ServiceRequest: Sendable {
    let head: HTTPRequestHead
    let route: Route
    /// What stands in the path for the names in braces.
    let path: [String: String]
    let query: Query
    let caller: Caller

    /// As of when it asks; nil for now.
    var at: Timestamp? { query.time(.at) }

    func path(_ name: String) -> String { path[name] ?? "" }
}
