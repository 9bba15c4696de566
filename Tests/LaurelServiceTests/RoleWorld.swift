// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import SeededRandom
import Testing

@testable import LaurelService

/// A sender with one kind of credential.
struct Role {
    var name: String
    var headers: HTTPHeaders
    var caller: Caller
    /// True if the credential is accepted at all.
    var isValid = true
    /// The learners that the sender may see; nil for all.
    var sees: Set<String>?
    var isCrossSite = false
}

/// The answer that a route's declared access requires.
enum RoleVerdict: Equatable {
    case signIn, forbidden, unknownLearner, admitted
    /// The action may refuse requests that the access admits, such as another learner's events.
    case anyRefusalOrAdmitted
    case anything

    func admits(_ answer: HTTPResponse) -> Bool {
        let isSentToSignIn = answer.status == 303 && answer.headers["Location"]?.hasPrefix("/sign-in") == true
        return switch self {
        case .signIn: answer.status == 401 || isSentToSignIn
        case .forbidden: answer.status == 403
        case .unknownLearner: answer.status == 404
        case .admitted: ![401, 403].contains(answer.status) && !isSentToSignIn
        case .anyRefusalOrAdmitted: answer.status != 401
        case .anything: true
        }
    }
}

extension Role {
    /// The verdict by the access and reach of the route alone.
    func verdict(on request: RoleRequest) -> RoleVerdict {
        let route = request.route
        // A form of the sign-in may be refused because of its content.
        if route.access == .anonymous { return route.isPage && route.method == "POST" ? .anything : .admitted }
        guard isValid else { return .signIn }
        if isCrossSite, route.method != "GET" { return .forbidden }
        if !route.access.scopes.allSatisfy(caller.may) { return .forbidden }
        if let own = caller.learner {
            switch route.reach {
            case .learner: return request.learner == own ? .admitted : .forbidden
            case .caller: return .anyRefusalOrAdmitted
            default: return .forbidden
            }
        }
        if caller.cohorts != nil {
            if route.reach == .allLearners { return .forbidden }
            if route.reach == .learner, case .immediate = route.action { return .admitted }
            if route.reach == .learner, let learner = request.learner, sees?.contains(learner) == false {
                return .unknownLearner
            }
        }
        // A key cannot grant more rights than it has, and only sends events of its source.
        let mayGive = caller.may(.admin) || route.access != .scopes([.keys])
        return mayGive && caller.source == nil ? .admitted : .anyRefusalOrAdmitted
    }
}

/// A request derived from a route's declaration.
struct RoleRequest {
    let route: Route
    let target: String
    /// The learner in the path.
    let learner: String?

    /// A request for one of the caller's learners, and one for another learner.
    static func all(of route: Route) -> [RoleRequest] {
        guard route.reach == .learner else { return [RoleRequest(route, learner: nil)] }
        return ["ana", "ben"].map { RoleRequest(route, learner: $0) }
    }

    private init(_ route: Route, learner: String?) {
        (self.route, self.learner) = (route, learner)
        let required = route.parameters.filter(\.isRequired).map { "\($0.name)=ana" }
        target = Self.path(of: route, learner) + (required.isEmpty ? "" : "?" + required.joined(separator: "&"))
    }

    /// A request with parameters that try to see more.
    init(fuzzed route: Route, _ random: inout SeededGenerator) {
        self.route = route
        learner =
            route.reach == .learner ? ["ana", "ben", "cy", "%62en", "nobody"].randomElement(using: &random)! : nil
        let values = [
            "ben", "%62en", "cy", "ana", "amy", "blue+class", "blue%20class", "red%20class", "sessions-ben", "", "1",
            "0",
            "true", "es", "html", "json", "md", "xp", "risk", "this", "last", "2026-04-07T00:00:00Z", "2026-04-05",
            "Ben", "name", "%00", "%zz", "%27%20OR%201%3D1", "*", "-1", "YmVu", "99999999999999999999",
        ]
        let fields = [
            "learner", "cohort", "around", "search", "session", "at", "show", "week", "page", "format", "cursor",
        ]
        let known = route.parameters.map(\.name)
        let names = route.isPage || known.isEmpty ? fields : known + known + fields
        let count = Int.random(in: 0...4, using: &random)
        let query = (0..<count).map { _ in
            "\(names.randomElement(using: &random)!)=\(values.randomElement(using: &random)!)"
        }
        target = Self.path(of: route, learner) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private static func path(of route: Route, _ learner: String?) -> String {
        let parts = route.segments.map { segment in
            switch segment {
            case "{id}": learner ?? "nobody"
            case "{name}": "weekly-xp"
            case "{group}": "team"
            case "{version}", "{line}": "1"
            case "{session}", "{message}", "{draft}", "{event}", "{source}": "nothing"
            default: String(segment)
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}

/// A service with two classes, and every kind of sender.
final class RoleWorld {
    let test: TestService
    private(set) var roles: [Role] = []

    /// Texts and numbers that only answers about a learner contain.
    static let marks: [String: [String]] = [
        "ana": ["Ana-name-q7", "7111100", "711,110,0"], "amy": ["Amy-name-q7", "7222200", "722,220,0"],
        "ben": ["Ben-name-q7", "7333300", "733,330,0"], "cy": ["Cy-name-q7", "7444400", "744,440,0"],
    ]
    /// The members of the group `team`.
    private static let team: Set<String> = ["ana", "ben"]
    private static let cohorts: [String: String] = ["ana": "red class", "amy": "red class", "ben": "blue class"]

    init() throws {
        test = try TestService()
        for (learner, marks) in Self.marks {
            var lines = [event("1", learner: learner), Self.adjustment(learner, marks[1] + "00")]
            let profile = Self.profile(learner, marks[0], Self.cohorts[learner], 1)
            lines.append(String(decoding: profile, as: UTF8.self))
            if Self.team.contains(learner) { lines.append(Self.joining(learner)) }
            try test.post(lines.joined(separator: "\n"))
        }
        try addKeys()
        try addTokensAndCookies()
    }

    static func profile(_ learner: String, _ name: String, _ cohort: String?, _ number: Int) -> [UInt8] {
        let cohort = cohort.map { #","cohort":"\#($0)""# } ?? ""
        return Array(
            (#"{"id":"profile-\#(number)","source":"app","type":"learner.updated","subject":"\#(learner)","#
                + #""time":"2026-04-06T18:00:0\#(number)Z","data":{"display_name":"\#(name)"\#(cohort)}}"#).utf8
        )
    }

    private static func adjustment(_ learner: String, _ xp: String) -> String {
        #"{"id":"adjusted","source":"app","type":"xp.adjusted","subject":"\#(learner)","#
            + #""time":"2026-04-06T18:00:00Z","data":{"amount":\#(xp),"reason":"\#(learner)"}}"#
    }

    private static func joining(_ learner: String) -> String {
        #"{"id":"joined","source":"app","type":"group.joined","subject":"\#(learner)","#
            + #""time":"2026-04-06T18:00:00Z","data":{"group":"team"}}"#
    }

    // MARK: Senders

    private func caller(_ headers: HTTPHeaders) throws -> Caller {
        let head = HTTPRequestHead(method: "GET", target: "/", headers: headers)
        return try test.service.keys.caller(of: head, token: nil)
    }

    private func add(_ name: String, _ headers: HTTPHeaders, sees: Set<String>? = nil) throws {
        roles.append(Role(name: name, headers: headers, caller: try caller(headers), sees: sees))
    }

    private func addKeys() throws {
        try add("admin", test.key([.admin]))
        for scope in Scope.allCases where scope != .admin {
            // Comparisons of rules and webhooks' messages concern learners.
            let isNone = [.ingest, .analytics, .keys, .erase, .decree].contains(scope)
            try add("\(scope.rawValue) alone", test.key([scope]), sees: isNone ? [] : nil)
        }
        try add("cohort", test.key(KeyGrant([.read], cohorts: ["red class"])), sees: ["ana", "amy"])
        try add(
            "two cohorts",
            test.key(KeyGrant([.read], cohorts: ["red class", "green class"])),
            sees: ["ana", "amy"]
        )
        try add("source", test.key(KeyGrant([.ingest], source: "my-app")), sees: [])
        try add("key of ana", test.key(KeyGrant([.read, .ingest], learner: "ana")), sees: ["ana"])
        let nobody = Caller(name: "-", scopes: [])
        let revoked = try test.key([.admin])
        let id = try test.id(ofKey: revoked)
        _ = try AccessKeys(test.service.engine).revoke(id)
        let expired = try test.key(KeyGrant([.admin], expiresAt: Date(timeIntervalSince1970: 1)))
        let unknown: HTTPHeaders = ["Authorization": "Bearer laurel_000000000000_AAAA"]
        for (name, headers) in [("none", [:]), ("unknown", unknown), ("revoked", revoked), ("expired", expired)] {
            roles.append(Role(name: name, headers: headers, caller: nobody, isValid: false, sees: []))
        }
    }

    private func addTokensAndCookies() throws {
        for learner in ["ana", "ben"] {
            let token = LearnerToken(learner: learner, scopes: [.read, .ingest], seconds: 3600, at: Date())
            let text = try test.service.keys.text(of: token)
            try add("token of \(learner)", ["Authorization": "Bearer \(text)"], sees: [learner])
        }
        for role in roles where role.isValid && role.caller.may(.read) {
            let cookie = try EntranceTests.cookie(test, role.headers)
            try add("cookie of \(role.name)", cookie, sees: role.sees)
            guard ["admin", "cohort"].contains(role.name) else { continue }
            var strange = roles[roles.count - 1]
            (strange.name, strange.isCrossSite) = ("cross-site \(strange.name)", true)
            roles.append(strange)
        }
    }

    // MARK: Asking

    func ask(_ request: RoleRequest, as role: Role) throws -> HTTPResponse {
        var headers = role.headers
        headers["Sec-Fetch-Site"] = role.isCrossSite ? "cross-site" : "same-origin"
        var (body, type) = ("", request.route.body?.mediaTypes.first)
        if let example = request.route.body?.example { body = example }
        if request.route.isPage, request.route.method == "POST" { type = "application/x-www-form-urlencoded" }
        let answer = try test.send(request.route.method, request.target, body, type: type, headers: headers)
        if case .stream(let stream) = answer.body { stream.end() }
        return answer
    }

    /// The marks of learners that a sender may not see.
    func leaks(in answer: HTTPResponse, to role: Role, of request: RoleRequest) -> [String] {
        guard var seen = role.sees else { return [] }
        // The board of a cohort shows classmates: names that they chose, and XP.
        if request.route.path == "/v1/learners/{id}/leaderboard", let own = role.caller.learner {
            seen.formUnion(Self.cohorts.filter { $0.value == Self.cohorts[own] }.keys)
        }
        // A group shows its members the names that the others chose, and nothing else of them.
        let pathsOfGroups = ["/v1/groups/{group}", "/v1/learners/{id}/groups", "/groups/{group}"]
        let isOfGroup = pathsOfGroups.contains(request.route.path)
        let shown = isOfGroup && !seen.isDisjoint(with: Self.team) ? Self.team.map { Self.marks[$0]![0] } : []
        let text = answer.text + answer.headers.fields.map { "\n\($0.name): \($0.value)" }.joined()
        return Self.marks.filter { !seen.contains($0.key) }.flatMap(\.value)
            .filter { text.contains($0) && !shown.contains($0) }
    }
}
