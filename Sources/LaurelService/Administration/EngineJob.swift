// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelResults

/// A job as data. Any process can run it with the same result, and can run it again from the beginning.
enum EngineJob: Sendable {
    case replay, verify, merge
    case rules(RulesJob)
    case comparison(RulesJob)

    static let kinds = ["replay", "verify", "merge", "rules", "comparison"]
    /// The jobs that a button starts.
    static let plain: [EngineJob] = [.replay, .verify]

    var kind: String {
        switch self {
        case .replay: "replay"
        case .verify: "verify"
        case .merge: "merge"
        case .rules: "rules"
        case .comparison: "comparison"
        }
    }

    /// True if the job excludes other exclusive jobs, such as replays and applications of rules. A job that changes no
    /// numbers can run beside them.
    var isExclusive: Bool {
        switch self {
        case .replay, .rules: true
        case .verify, .merge, .comparison: false
        }
    }

    /// The scope needed to start the job.
    var scope: Scope {
        switch self {
        case .replay, .rules, .comparison: .rules
        case .verify, .merge: .admin
        }
    }

    var namesLearners: Bool { if case .comparison = self { true } else { false } }

    // MARK: In the store

    func parameters() throws -> String {
        switch self {
        case .replay, .verify, .merge: "{}"
        case .rules(let job), .comparison(let job): String(decoding: try LaurelJSON.encode(job), as: UTF8.self)
        }
    }

    init(_ kind: String, parameters: String) throws {
        func rules() throws -> RulesJob { try LaurelJSON.decode(RulesJob.self, from: Data(parameters.utf8)) }
        switch kind {
        case "replay": self = .replay
        case "verify": self = .verify
        case "merge": self = .merge
        case "rules": self = .rules(try rules())
        case "comparison": self = .comparison(try rules())
        default: throw Problem(500, "unknown-job", "this node does not know jobs of the kind \(kind)")
        }
    }

    // MARK: Doing it

    /// Runs the job.
    /// - Returns: its result as JSON.
    func run(_ engine: ProgressEngine, _ progress: (Double) -> Void) throws -> Data {
        switch self {
        case .replay: try LaurelJSON.encode(engine.replay { progress($0.share) })
        case .verify: try LaurelJSON.encode(engine.verify { progress(Double($0) / Double(max($1, 1))) })
        case .merge: try LaurelJSON.encode(["generations": engine.mergeBlocks(progress)])
        case .rules(let job): try LaurelJSON.encode(job.apply(engine, progress))
        case .comparison(let job):
            try LaurelJSON.encode(
                ShownDifference(engine.diff(job.rules(), from: job.from) { progress($0.share) })
            )
        }
    }
}

/// Rules to apply, or to compare with the store's.
struct RulesJob: Codable, Sendable {
    var yaml: String
    /// The first day; nil from the beginning.
    var from: LocalDay?
    var keepsAchievements = false
    var keepsXP = false
    /// The hash of the rules that the job replaces, so that a change made while the job waited is not undone unnoticed;
    /// nil for any rules.
    var follows: String?
    /// The actor for the audit log.
    var actor: AuditActor?

    func rules() throws -> Rules { try Rules(yaml: yaml, name: "rules") }

    func apply(_ engine: ProgressEngine, _ progress: (Double) -> Void) throws -> RulesApplication {
        let rules = try rules()
        let present = try engine.rulesInForce().last?.hash ?? ""
        // The rules are already in force if a process ended right after it had applied them.
        if let follows, present != follows, present != rules.hash {
            throw Problem(412, "rules-changed", "other rules were applied meanwhile; their hash is \(present)")
        }
        var options = ApplyOptions()
        (options.keepsAchievements, options.keepsXP) = (keepsAchievements, keepsXP)
        options.actor = actor
        return try engine.apply(rules, from: from, options: options) { progress($0.share) }
    }
}

extension ReplayProgress {
    var share: Double { Double(learnersDone) / Double(max(learnersTotal, 1)) }
}
