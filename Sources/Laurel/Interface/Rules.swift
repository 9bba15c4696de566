// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelEvents
import LaurelProgress
public import LaurelResults
package import LaurelRules
public import LaurelWire

/// Rules, read from a file, checked and compiled. They say what each event is worth.
public struct Rules: Sendable {
    package let ruleSet: RuleSet

    package init(_ ruleSet: RuleSet) { self.ruleSet = ruleSet }

    /// Reads, checks and compiles a rules file.
    /// - Parameter path: the path of a file in YAML or JSON, UTF-8, at most 1 MiB.
    /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidRules``, whose diagnostics are all errors in it.
    public init(path: String) throws(EngineError) {
        ruleSet = try EngineError.translating { try ProgressEngine.loadRules(file: path) }
    }

    /// Reads, checks and compiles a rules file, like ``init(path:)``.
    public init(contentsOf file: URL) throws(EngineError) { try self.init(path: file.path) }

    /// Reads, checks and compiles the text of a rules file.
    /// - Parameters:
    ///   - yaml: the text.
    ///   - name: the name for messages.
    /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidRules``, whose diagnostics are all errors in it.
    public init(yaml: String, name: String = "rules") throws(EngineError) {
        ruleSet = try EngineError.translating {
            try RuleSet(yaml: Array(yaml.utf8), file: name) { TimeZoneDatabase.shared.zone(named: $0) != nil }
        }
    }

    /// Compiles a version that was applied to a store.
    /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidRules`` if this program can no longer
    ///   read the version.
    public init(_ version: AppliedRulesSource) throws(EngineError) {
        ruleSet = try EngineError.translating { try RuleSet(applied: Array(version.source), name: version.name) }
    }

    /// The name in the rules; without one, the file's name without folder and extension.
    public var name: String { ruleSet.name }
    /// The SHA-256 of the file, hexadecimal.
    public var hash: String { ruleSet.contentHash }
    /// The file as it was read, byte for byte.
    public var source: Data { Data(ruleSet.source) }
    /// Warnings about parts of the file that are valid but probably wrong.
    public var warnings: [Diagnostic] { ruleSet.warnings }
    /// True if the rules define a streak.
    public var hasStreak: Bool { ruleSet.streak != nil }
    /// The scheduler of words' reviews.
    public var scheduler: WordScheduler { ruleSet.mastery.scheduler == .sm2 ? .sm2 : .fsrs }
    /// The mastery at which a word counts as learned, 0 … 5.
    public var learnedMastery: Int { ruleSet.mastery.learnedAt }
    /// The variants of all experiments.
    package var variants: [AssumedVariant] {
        ruleSet.experiments.flatMap { experiment in
            experiment.variants.map { AssumedVariant(experiment: experiment.name, variant: $0.name) }
        }
    }
    /// The first day of the week: 1 Monday … 7 Sunday.
    public var firstWeekday: Int { ruleSet.calendar.weekStartsOn }

    /// Warnings about periods that would end before the rules are in force.
    /// - Parameter day: the first day on which the rules would be in force.
    public func warnings(inForceFrom day: LocalDay) -> [Diagnostic] { ruleSet.warnings(inForceFrom: day) }

    /// The XP at which a level begins; nil if there is no such level.
    /// - Parameter level: from 1.
    public func xp(atStartOfLevel level: Int) -> Int? { ruleSet.levels.start(of: level).map { Int($0) } }

    /// The achievements, in the order of the file.
    public var achievements: [AchievementDefinition] { ruleSet.achievements.map(AchievementDefinition.init) }

    /// The achievement with an id; nil if the rules do not have it.
    public func achievement(_ id: String) -> AchievementDefinition? {
        ruleSet.achievements.first { $0.id.utf8.elementsEqual(id.utf8) }.map(AchievementDefinition.init)
    }
}

/// The scheduler of words' reviews.
public enum WordScheduler: String, Codable, Sendable, CaseIterable {
    /// SuperMemo 2, based on an ease factor.
    case sm2
    /// FSRS-6, based on stability and difficulty.
    case fsrs
}

/// An achievement as the rules define it.
public struct AchievementDefinition: Codable, Sendable, Hashable, Identifiable {
    public var id: String
    /// The name that learners see.
    public var name: String
    /// The condition for unlocking the achievement, in words for people.
    public var description: String
    /// A category defined by the rules, such as `SOCIAL`.
    public var category: String?
    /// The number of tiers.
    public var tiers: Int
    /// True if each language has its own achievement.
    public var isPerLanguage: Bool
    /// True if listings leave the achievement out until it is unlocked.
    public var isHidden: Bool

    init(_ rule: AchievementRule) {
        (id, name, description, category) = (rule.id, rule.name, rule.description, rule.category)
        (tiers, isPerLanguage, isHidden) = (rule.thresholds.count, rule.isPerLanguage, rule.isHidden)
    }
}

extension ProgressEngine {
    /// The version of the rules in force at an instant, by the rules' own clock.
    /// - Parameter date: the instant; nil for now.
    public func rules(at date: Date? = nil) -> Rules { Rules(rules(at: Timestamp(date ?? Date(), in: nil))) }

    /// The latest version of the rules, which may not be in force yet.
    public var latestRules: Rules { Rules(rules) }
}
