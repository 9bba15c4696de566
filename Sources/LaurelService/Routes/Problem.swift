// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelWire

/// The reason why a request failed: Problem Details (RFC 9457), with a stable code.
struct Problem: Error, Sendable, Hashable {
    var status: Int
    /// The code: lower-case words joined by hyphens.
    var code: String
    /// A description of the mistake, and of its correction.
    var detail: String
    var headers = HTTPHeaders()
    /// Further members of the problem document.
    var members: [String: JSONValue] = [:]

    init(_ status: Int, _ code: String, _ detail: String) {
        (self.status, self.code, self.detail) = (status, code, detail)
    }

    static func unauthorized(_ detail: String) -> Problem {
        var problem = Problem(401, "unauthorized", detail)
        problem.headers["WWW-Authenticate"] = "Bearer"
        return problem
    }

    static func notFound(_ detail: String) -> Problem { Problem(404, "not-found", detail) }
    static func badRequest(_ detail: String) -> Problem { Problem(400, "invalid-request", detail) }

    /// - Parameter seconds: the number of seconds after which the client may try again.
    static func busy(_ detail: String, code: String = "busy", after seconds: Int = 1) -> Problem {
        var problem = Problem(503, code, detail)
        problem.headers["Retry-After"] = "\(seconds)"
        return problem
    }

    /// - Parameter seconds: the number of seconds after which the client may continue.
    static func tooMany(_ detail: String, after seconds: Int) -> Problem {
        var problem = Problem(429, "too-many-requests", detail)
        problem.headers["Retry-After"] = "\(seconds)"
        return problem
    }

    /// The problem for an error of the engine.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as EngineError: self.init(engine: error)
        case is CancellationError: self = .busy("the service is ending", code: "shutting-down", after: 2)
        default: self.init(500, "internal", "an internal error; see the service's log")
        }
    }

    private init(engine error: EngineError) {
        let code = error.code.rawValue
        switch error.code {
        case .outcomeUnknown:
            self = .busy(
                "the connection to the store broke while the request was being stored; send it again: what is stored"
                    + " already is not stored twice",
                code: code
            )
        case .busy, .diskFull, .ioError, .readOnly, .unavailable:
            self = .busy(
                "the store cannot be written at present; nothing of the request is stored",
                code: code,
                after: 5
            )
        case .outOfThreads: self = .busy(error.message, code: code, after: 5)
        case .corrupt: self.init(500, "corrupt", "the store is damaged; `laurel verify` tells where")
        case .notFound: self.init(404, code, error.message)
        case .invalidRules, .invalidReport, .notWithdrawable:
            self.init(422, code, error.message)
            members["diagnostics"] = (try? JSONAnswer.encode(error.diagnostics)).flatMap { JSONValue(validated: $0) }
        case .rulesChanged, .otherRules, .insufficientBalance, .limitReached, .tooEarly, .conflict, .sameLearner:
            self.init(409, code, error.message)
        case .notAnonymous: self.init(403, code, error.message)
        case .unknownItem: self.init(422, code, error.message)
        case .invalidRequest, .unreadable: self.init(400, code, error.message)
        default: self.init(500, code, error.message)
        }
    }

    var response: HTTPResponse {
        var document: [String: JSONValue] = members
        document["type"] = "about:blank"
        document["title"] = .string(Problem.titles[status] ?? "Error")
        document["status"] = .integer(Int64(status))
        document["code"] = .string(code)
        document["detail"] = .string(detail)
        // Some clients of analytics services show this member.
        document["message"] = .string(detail)
        var headers = headers
        headers["Content-Type"] = "application/problem+json"
        headers["Cache-Control"] = "no-store"
        return HTTPResponse(status, headers: headers, body: Array(JSONValue.object(document).json.utf8))
    }

    private static let titles = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 409: "Conflict", 412: "Precondition Failed", 413: "Content Too Large",
        415: "Unsupported Media Type", 422: "Unprocessable Content", 428: "Precondition Required",
        429: "Too Many Requests",
        500: "Internal Server Error", 503: "Service Unavailable",
    ]
}
