// SPDX-License-Identifier: Apache-2.0

/// The codes of the problems that a route may answer with. The route's description lists them.
extension Route {
    func mayAnswer(_ code: ProblemCode) -> Bool { ownCodes.contains(code.code) }

    private var ownCodes: Set<String> {
        var all = Set(Self.everywhere + codes)
        if access != .anonymous { all.formUnion(Self.ofAccess) }
        if body != nil { all.formUnion(Self.ofBody) }
        if path.hasPrefix("/v1/learners/{id}") { all.formUnion(["unknown-learner", "unknown-language"]) }
        if !parameters.isEmpty { all.formUnion(Self.ofParameters) }
        if answer.mediaType == "text/event-stream" { all.insert("too-many-streams") }
        if method != "GET" { all.formUnion(Self.ofChange) }
        return all
    }

    private static let everywhere = [
        "invalid-request", "unknown-parameter", "too-many-requests", "internal", "busy", "out-of-threads",
        "shutting-down",
        "corrupt", "unreadable", "disk-full", "io-error", "read-only", "unavailable", "outcome-unknown", "not-found",
    ]
    private static let ofAccess = ["unauthorized", "missing-scope", "forbidden", "keys-needed"]
    private static let ofParameters = ["unknown-learner", "unknown-language", "unknown-cohort"]
    private static let ofBody = [
        "invalid-json", "unknown-member", "damaged-body", "body-too-large", "unsupported-media-type",
        "unsupported-coding",
        "malformed-request",
    ]
    private static let ofChange = [
        "conflict", "other-rules", "last-admin-key", "own-key", "signed-by-file", "cross-site",
    ]
}
