// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelEvents
import LaurelProgress
public import LaurelResults
package import LaurelRules
public import LaurelWire

/// Rules, read from a file, checked and compiled: what counts for how much.
public struct Rules: Sendable {
    package let ruleSet: RuleSet

    package init(_ ruleSet: RuleSet) { self.ruleSet = ruleSet }

    /// Reads, checks and compiles a rules file.
    /// - Parameter path: of a file in YAML or JSON, UTF-8, at most 1 MiB.
    /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidRules``, whose diagnostics are all mistakes in it.
    public init(path: String) throws(EngineError) {
        ruleSet = try EngineError.translating { try ProgressEngine.loadRules(file: path) }
    }

    /// As ``init(path:)``.
    public init(contentsOf file: URL) throws(EngineError) { try self.init(path: file.path) }

    /// Reads, checks and compiles what would stand in a rules file.
    /// - Parameters:
    ///   - yaml: the text.
    ///   - name: for messages.
    /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidRules``, whose diagnostics are all mistakes in it.
    public init(yaml: String, name: String = "rules") throws(EngineError) {
        ruleSet = try EngineError.translating {
            try RuleSet(yaml: Array(yaml.utf8), file: name) { TimeZoneDatabase.shared.zone(named: $0) != nil }
        }
    }

    /// A version that was applied to a store.
    /// - Throws: ``EngineError`` with code ``EngineError/Code/invalidRules`` where this program cannot read it any more.
    public init(_ version: AppliedRulesSource) throws(EngineError) {
        ruleSet = try EngineError.translating { try RuleSet(applied: Array(version.source), name: version.name) }
    }

    /// The file's name without folder and extension where the rules say none.
    public var name: String { ruleSet.name }
    /// SHA-256 of the file, hexadecimal.
    public var hash: String { ruleSet.contentHash }
    /// The file as it was read, byte for byte.
    public var source: Data { Data(ruleSet.source) }
    /// What is doubtful, but no mistake.
    public var warnings: [Diagnostic] { ruleSet.warnings }
    /// Whether they keep a streak.
    public var hasStreak: Bool { ruleSet.streak != nil }
    /// What says when a word's next review is due.
    public var scheduler: WordScheduler { ruleSet.mastery.scheduler == .sm2 ? .sm2 : .fsrs }
    /// The mastery from which a word is learned, 0 … 5.
    public var learnedMastery: Int { ruleSet.mastery.learnedAt }
    /// 1 Monday … 7 Sunday.
    public var firstWeekday: Int { ruleSet.calendar.weekStartsOn }

    /// What would be over before the rules were in force.
    /// - Parameter day: from which they would be.
    public func warnings(inForceFrom day: LocalDay) -> [Diagnostic] { ruleSet.warnings(inForceFrom: day) }

    /// The XP at which a level begins; nil if there is no such level.
    /// - Parameter level: from 1.
    public func xp(atStartOfLevel level: Int) -> Int? { ruleSet.levels.start(of: level).map { Int($0) } }

    /// What can be unlocked, in the order of the file.
    public var achievements: [AchievementDefinition] { ruleSet.achievements.map(AchievementDefinition.init) }

    /// One achievement; nil for an id that the rules do not have.
    public func achievement(_ id: String) -> AchievementDefinition? {
        ruleSet.achievements.first { $0.id.utf8.elementsEqual(id.utf8) }.map(AchievementDefinition.init)
    }
}

/// How reviews of words are scheduled.
public enum WordScheduler: String, Codable, Sendable, CaseIterable {
    /// SuperMemo 2, which goes by an ease factor.
    case sm2
    /// FSRS-6, which goes by stability and difficulty.
    case fsrs
}

/// An achievement as the rules define it.
public struct AchievementDefinition: Codable, Sendable, Hashable, Identifiable {
    public var id: String
    /// What people call it.
    public var name: String
    /// What it is given for, for people.
    public var description: String
    /// Such as `SOCIAL`: the rules say which there are.
    public var category: String?
    /// How many tiers it has.
    public var tiers: Int
    /// Whether each language has its own.
    public var isPerLanguage: Bool
    /// Whether it stays out of listings until it is unlocked.
    public var isHidden: Bool

    init(_ rule: AchievementRule) {
        (id, name, description, category) = (rule.id, rule.name, rule.description, rule.category)
        (tiers, isPerLanguage, isHidden) = (rule.thresholds.count, rule.isPerLanguage, rule.isHidden)
    }
}

extension ProgressEngine {
    /// The rules that an instant falls under for nobody in particular.
    /// - Parameter date: nil for now.
    public func rules(at date: Date? = nil) -> Rules { Rules(rules(at: Timestamp(date ?? Date(), in: nil))) }

    /// The version of the rules for the latest days, which may be in force nowhere yet.
    public var latestRules: Rules { Rules(rules) }
}
