// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

extension Route {
    private static let from = Parameter("from", .day, "The learner's local day from which the rules are in force.")
    private static let sample = Parameter(
        "sample",
        .number(1...1_000_000),
        "Compare only this many learners, and estimate the rest."
    )
    private static let variant = Parameter(
        "variant",
        .text,
        "Compare as if every learner were in this variant: experiments.NAME=VARIANT."
    )
    private static let keepAchievements = Parameter("keep-achievements", .flag, "Keep achievements that would be lost.")
    private static let keepXP = Parameter("keep-xp", .flag, "Keep XP that would be lost.")
    /// The maximum size of a rules file, in bytes.
    private static let mostBytes = 1 << 20
    private static let rulesBody = BodyShape(
        ["application/yaml": [String.self], "application/json": [[String: AnyJSON].self]],
        example: "version: 1\nname: example\nxp:\n  - {id: line, on: line.spoken, award: 1}\n"
    )

    static let rulesRoutes = [
        Route(
            "GET",
            "/v1/rules",
            "The versions of the rules that are in force, with their texts.",
            access: .scopes([.read]),
            reach: .noLearner,
            answer: AnswerShape(types: [[AppliedRulesSource].self], fields: [.etag]),
            action: .question { service, _ in
                let rules = try service.engine.rulesInForce()
                var response = JSONAnswer.response(try JSONAnswer.list(rules))
                if let last = rules.last { response.headers["ETag"] = "\"\(last.hash)\"" }
                return response
            }
        ),
        Route(
            "GET",
            "/v1/rules/history",
            "Every version that was applied, and what it changed.",
            access: .scopes([.read]),
            reach: .noLearner,
            answer: .list(AppliedRules.self),
            action: .question { service, _ in
                JSONAnswer.response(try JSONAnswer.list(service.engine.rulesHistory()))
            }
        ),
        Route(
            "POST",
            "/v1/rules/check",
            "Checks rules and runs their tests; nothing is applied.",
            access: .scopes([.rules]),
            answer: .json(RulesCheck.self),
            body: rulesBody,
            action: .document(limit: mostBytes) { _, request, bytes in
                do {
                    return try JSONAnswer.response(rules(bytes, request).check())
                } catch let error as EngineError where error.code == .invalidRules {
                    return try JSONAnswer.response(RulesCheck(diagnostics: error.diagnostics))
                }
            }
        ),
        Route(
            "POST",
            "/v1/rules/diff",
            "Computes what these rules would change for each learner; nothing is written.",
            access: .scopes([.rules]),
            parameters: [.at, from, sample, variant],
            answer: .json(RulesDiff.self),
            body: rulesBody,
            codes: ["invalid-rules", "not-withdrawable"],
            action: .document(limit: mostBytes) { service, request, bytes in
                var options = DiffOptions(at: request.at ?? Timestamp(milliseconds: Date().milliseconds))
                options.sample = request.query.number(sample)
                options.variant = try request.query.text(variant).map(assumedVariant)
                let new = try rules(bytes, request)
                return try JSONAnswer.response(
                    service.engine.diff(new, from: request.query.day(from), options: options)
                )
            }
        ),
        Route(
            "PUT",
            "/v1/rules",
            "Applies rules, as a job; readers see either the old state or the new. If-Match has the hash of the present rules.",
            access: .scopes([.rules]),
            parameters: [from, keepAchievements, keepXP],
            answer: .job,
            body: rulesBody,
            codes: ["invalid-rules", "rules-changed", "if-match-needed"],
            action: .document(limit: mostBytes) { try apply($0, $1, $2) }
        ),
    ]

    private static func assumedVariant(_ text: String) throws -> AssumedVariant {
        if let variant = AssumedVariant(text) { return variant }
        throw Problem.badRequest("variant: “\(text.shortened)” does not have the form experiments.NAME=VARIANT")
    }

    private static func rules(_ bytes: [UInt8], _ request: ServiceRequest) throws -> Rules {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem.badRequest("the rules are no UTF-8")
        }
        guard bytes.contains(where: { $0 > 0x20 }) else {
            throw Problem.badRequest("the body is empty; send the rules as YAML")
        }
        return try Rules(yaml: text, name: "rules")
    }

    private static func apply(_ service: LaurelService, _ request: ServiceRequest, _ bytes: [UInt8]) throws
        -> HTTPResponse
    {
        let new = try rules(bytes, request)
        guard let field = request.head.headers["If-Match"] else {
            throw Problem(
                428,
                "if-match-needed",
                "send the present rules' hash as If-Match, lest another's change is undone"
            )
        }
        let present = try service.engine.rulesInForce().last?.hash ?? ""
        let wanted = EntityTags(field)
        guard wanted.isAny || wanted.strong.contains("\"\(present)\"") || field == present else {
            throw Problem(412, "rules-changed", "the rules are others than If-Match says; their hash is \(present)")
        }
        var job = RulesJob(
            yaml: String(decoding: new.source, as: UTF8.self),
            from: request.query.day(from),
            follows: wanted.isAny ? nil : present
        )
        job.keepsAchievements = request.query.flag(keepAchievements)
        job.keepsXP = request.query.flag(keepXP)
        job.actor = request.caller.actor
        return try service.jobs.answer(service.jobs.begin(.rules(job)))
    }
}
