// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelResults

/// A job as data. Any process can run the job with the same result, and can start it again from the beginning.
enum EngineJob: Sendable {
    case replay, verify, merge, fit
    case rules(RulesJob)
    case comparison(RulesJob)
    case leagues(LeagueJob)

    static let kinds = ["replay", "verify", "merge", "fit", "rules", "comparison", "leagues"]
    /// The jobs that need no parameters, so that a button can start them.
    static let plain: [EngineJob] = [.replay, .verify]

    var kind: String {
        switch self {
        case .replay: "replay"
        case .verify: "verify"
        case .merge: "merge"
        case .fit: "fit"
        case .rules: "rules"
        case .comparison: "comparison"
        case .leagues: "leagues"
        }
    }

    /// True if no other exclusive job may run at the same time. Replays and applications of rules are exclusive. A
    /// job that changes no numbers is not exclusive.
    var isExclusive: Bool {
        switch self {
        case .replay, .rules: true
        case .verify, .merge, .fit, .comparison, .leagues: false
        }
    }

    /// The scope needed to start the job.
    var scope: Scope {
        switch self {
        case .replay, .rules, .comparison: .rules
        case .verify, .merge, .fit, .leagues: .admin
        }
    }

    var namesLearners: Bool { if case .comparison = self { true } else { false } }

    // MARK: Stored form

    func parameters() throws -> String {
        switch self {
        case .replay, .verify, .merge, .fit: "{}"
        case .rules(let job), .comparison(let job): String(decoding: try LaurelJSON.encode(job), as: UTF8.self)
        case .leagues(let job): String(decoding: try LaurelJSON.encode(job), as: UTF8.self)
        }
    }

    init(_ kind: String, parameters: String) throws {
        func value<Value: Decodable>() throws -> Value {
            try LaurelJSON.decode(Value.self, from: Data(parameters.utf8))
        }
        switch kind {
        case "replay": self = .replay
        case "verify": self = .verify
        case "merge": self = .merge
        case "fit": self = .fit
        case "rules": self = .rules(try value())
        case "comparison": self = .comparison(try value())
        case "leagues": self = .leagues(try value())
        default: throw Problem(500, "unknown-job", "this node does not know jobs of the kind \(kind)")
        }
    }

    // MARK: Running

    /// Runs the job.
    /// - Returns: the result of the job as JSON.
    func run(_ engine: ProgressEngine, _ progress: (Double) -> Void) throws -> Data {
        switch self {
        case .replay: try LaurelJSON.encode(engine.replay { progress($0.share) })
        case .verify: try LaurelJSON.encode(engine.verify { progress(Double($0) / Double(max($1, 1))) })
        case .merge: try LaurelJSON.encode(["generations": engine.mergeBlocks(progress)])
        case .fit: try LaurelJSON.encode(Self.fit(engine, progress))
        case .rules(let job): try LaurelJSON.encode(job.apply(engine, progress))
        case .leagues(let job): try LaurelJSON.encode(job.settle(engine))
        case .comparison(let job):
            try LaurelJSON.encode(
                ShownDifference(
                    engine.diff(job.rules(), from: job.from, options: job.diffOptions) { progress($0.share) }
                )
            )
        }
    }
}

extension EngineJob {
    /// Fits FSRS's parameters to the reviews of all learners. Each new fit has an entry in the audit log.
    /// - Returns: the numbers of learners and of new fits. The ids of learners are left out, so that an erasure need not
    ///   change the job's result.
    private static func fit(_ engine: ProgressEngine, _ progress: (Double) -> Void) throws -> [String: Int] {
        var options = FitOptions()
        options.actor = AuditActor(name: "laurel serve")
        let report = try engine.fitAll(options: options) { done, all in progress(Double(done) / Double(all)) }
        return ["learners": report.learners, "fitted": report.fitted]
    }
}

/// A request to apply rules, or to compare them with the store's rules.
struct RulesJob: Codable, Sendable {
    var yaml: String
    /// The first local day on which the rules apply; nil for the beginning.
    var from: LocalDay?
    var keepsAchievements = false
    var keepsXP = false
    /// The variant that a comparison assumes for every learner; nil for each learner's own variants. The application of
    /// rules ignores the variant.
    var variant: AssumedVariant?
    /// The hash of the rules that the job may replace; nil for any rules. If other rules were applied while the job
    /// waited, the job fails, so that it does not undo them.
    var follows: String?
    /// The actor for the audit log.
    var actor: AuditActor?

    func rules() throws -> Rules { try Rules(yaml: yaml, name: "rules") }

    var diffOptions: DiffOptions {
        var options = DiffOptions()
        options.variant = variant
        return options
    }

    /// The variants of the rules' experiments; empty if the rules have mistakes.
    var variants: [AssumedVariant] { (try? rules())?.variants ?? [] }

    func apply(_ engine: ProgressEngine, _ progress: (Double) -> Void) throws -> RulesApplication {
        let rules = try rules()
        let present = try engine.rulesInForce().last?.hash ?? ""
        // If an earlier process ended right after it had applied the rules, the rules are already in force.
        if let follows, present != follows, present != rules.hash {
            throw Problem(412, "rules-changed", "other rules were applied meanwhile; their hash is \(present)")
        }
        var options = ApplyOptions()
        (options.keepsAchievements, options.keepsXP) = (keepsAchievements, keepsXP)
        options.actor = actor
        return try engine.apply(rules, from: from, options: options) { progress($0.share) }
    }
}

/// A request to settle the weeks of leagues that have ended.
struct LeagueJob: Codable, Sendable {
    /// The instant that decides which weeks have ended.
    var now: Date
    /// The actor for the audit log.
    var actor: AuditActor

    func settle(_ engine: ProgressEngine) throws -> [LeagueSettlement] {
        let settlements = try engine.settleLeagues(actor: actor, now: now)
        try engine.setServiceRecords([ServiceRecordName.lastSettlement: "\(now.timeIntervalSince1970)"])
        return settlements
    }
}

extension ReplayProgress {
    var share: Double { Double(learnersDone) / Double(max(learnersTotal, 1)) }
}
