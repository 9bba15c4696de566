// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelStore

/// A request about one learner.
struct LearnerQuestion: Sendable {
    let engine: ProgressEngine
    let request: ServiceRequest
    let learner: Learner
    /// The instant as of which results are read.
    let date: Date

    init(_ engine: ProgressEngine, _ request: ServiceRequest, now: Date) {
        let at = request.at
        (self.engine, self.request) = (engine, request)
        date = at?.date ?? now
        var zone: TimeZone?
        if case .minutes(let minutes)? = at?.offset { zone = TimeZone(secondsFromGMT: Int(minutes) * 60) }
        learner = engine.learner(request.path("id"), timeZone: zone, locale: request.query.text(.locale))
    }

    var query: Query { request.query }
    var language: String? { query.text(.language) }

    /// The learner's progress in the requested language.
    /// - Throws: a problem that lists the learner's languages, if the requested language is not among them.
    @discardableResult
    func existingProgress() throws -> LearnerProgress {
        if let progress = try learner.progress(language: language, at: date) { return progress }
        let languages = try learner.languages(at: date)
        guard let language, !languages.isEmpty else {
            throw Problem.notFound("the learner has no events as of \(Timestamp.utc(date.milliseconds))")
        }
        throw Problem(
            404,
            "unknown-language",
            "the learner has no events in “\(language)”; languages: \(languages.joined(separator: ", "))"
        )
    }
}

/// Answers requests about learners, and determines how long each answer is valid.
///
/// A learner's results stay the same until a commit changes the learner or all learners, the local day ends, or a
/// word falls due. So the version of an answer has two parts: the numbers of the latest such commits, and the time at
/// which the day or a word's interval ends. The store finds the numbers within microseconds.
final class LearnerAnswers: Sendable {
    private struct Lease {
        var version: LearnerVersion
        var until: Date
    }

    private let engine: ProgressEngine
    private let leases = BoundedCache<String, Lease>(limit: 100_000)
    private let bodies: BoundedCache<String, [UInt8]>

    init(_ engine: ProgressEngine, bytes: Int = 32 << 20) {
        self.engine = engine
        bodies = BoundedCache(limit: bytes)
    }

    func answer(
        _ request: ServiceRequest,
        now: Date,
        _ make: (LearnerQuestion) throws -> [UInt8]
    ) throws -> HTTPResponse {
        let question = LearnerQuestion(engine, request, now: now)
        let id = question.learner.id
        guard let version = try engine.version(ofLearner: id) else {
            throw Problem(404, "unknown-learner", "there is no learner “\(id.prefix(64))” in the store")
        }
        let clientTags = EntityTags(request.head.headers["If-None-Match"])
        let prefix = "\(version.learner).\(version.allLearners)."
        // If the client's answer is still valid, the learner's events are not read. Any node may have given that
        // answer.
        if request.at == nil, let until = clientTags.tags.lazy.compactMap({ Self.end(in: $0, after: prefix) }).max(),
            until > now
        {
            return notModified(prefix, until, now)
        }
        let until = request.at == nil ? try lease(id, version, now) : question.date
        let tag = Self.tag(prefix, until)
        if clientTags.isAny || clientTags.tags.contains(tag) { return notModified(prefix, until, now) }
        let key = "\(request.head.path)?\(request.head.query ?? "") \(tag)"
        let body: [UInt8]
        if let kept = bodies[key] {
            body = kept
        } else {
            body = try make(question)
            if request.at != nil || until > now { bodies.set(key, body, cost: body.count + key.utf8.count + 128) }
        }
        return HTTPResponse(200, headers: headers(tag, request.at == nil ? until : nil, now), body: body)
    }

    private func lease(_ id: String, _ version: LearnerVersion, _ now: Date) throws -> Date {
        if let lease = leases[id], lease.version == version, lease.until > now { return lease.until }
        let until = try engine.holds(id, from: now) ?? now
        leases.set(id, Lease(version: version, until: until), cost: 1)
        return until
    }

    private func notModified(_ prefix: String, _ until: Date, _ now: Date) -> HTTPResponse {
        var headers = headers(Self.tag(prefix, until), until, now)
        headers["Content-Type"] = nil
        return HTTPResponse(304, headers: headers)
    }

    /// The header fields of an answer. An event may arrive at any time, so clients must revalidate a cached answer.
    /// During the revalidation, they may show the cached answer for the given time.
    private func headers(_ tag: String, _ until: Date?, _ now: Date) -> HTTPHeaders {
        let seconds = until.map { max(0, Int($0.timeIntervalSince(now))) } ?? 0
        let control = seconds > 0 ? "private, max-age=0, stale-while-revalidate=\(seconds)" : "private, max-age=0"
        return [
            "Content-Type": "application/json", "ETag": tag, "Cache-Control": control, "Vary": "Authorization",
        ]
    }

    private static func tag(_ prefix: String, _ until: Date) -> String { "\"\(prefix)\(until.milliseconds)\"" }

    /// The time until which an answer is valid, from a tag of the same version; nil for other tags.
    private static func end(in tag: String, after prefix: String) -> Date? {
        guard tag.hasPrefix("\"\(prefix)"), tag.hasSuffix("\"") else { return nil }
        return Int64(tag.dropFirst(prefix.utf8.count + 1).dropLast()).map { Date(milliseconds: $0) }
    }
}
