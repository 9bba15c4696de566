// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelYAML

/// The rules of a rules file: checked, compiled and immutable.
package struct RuleSet: Sendable {
    /// The version of the rules language; always 1.
    package let version: Int
    /// The value of `name`; if it is not set, the file's name without folder and extension.
    package let name: String
    /// The content of the file, byte for byte.
    package let source: [UInt8]
    package let fileName: String
    package let calendar: RulesCalendar
    /// The declared fields: by event type, then by field name. They include fields added to the catalogue's types.
    package let declaredTypes: [String: [String: FieldType]]
    /// The fields of `learner.updated` that only administrators may send, in byte order. The catalogue's own such
    /// fields are not included.
    package let administered: [String]
    package let experiments: [Experiment]
    /// The seasons, ascending.
    package let seasons: [Season]
    package let metrics: [Metric]
    package let streak: StreakRule?
    /// The XP rules, followed by the awards of each currency.
    package let xpRules: [XPRule]
    package let currencies: [CurrencyRule]
    package let items: [ItemRule]
    package let goals: [GoalRule]
    package let pools: [GoalPool]
    package let levels: LevelCurve
    package let mastery: MasteryRule
    package let cefr: CEFRRule?
    package let achievements: [AchievementRule]
    /// The tests; nil if they must be read from `source` when they are needed.
    private let readTests: [RuleTest]?
    /// The removable parts of the rules, in the order of the file.
    package let parts: [RulePart]
    /// The slots of the names in expressions.
    package let layout: FrameLayout

    /// Reads, checks and compiles a rules file.
    /// - Parameters:
    ///   - bytes: the content of the file, YAML or JSON in UTF-8, at most 1 MiB.
    ///   - file: the file's name, for messages.
    ///   - isKnownTimezone: returns true if an IANA timezone exists.
    /// - Throws: all mistakes in the file.
    /// - Complexity: O(bytes), and at most 10,000 evaluations of the level curve.
    package init(
        yaml bytes: [UInt8],
        file: String,
        isKnownTimezone: (String) -> Bool
    ) throws(RulesError) {
        self = try RulesLoader.load(bytes, file: file, depth: .tests, isKnownTimezone: isKnownTimezone)
    }

    /// Reads a rules file that was checked before, such as the rules in a store. The tests are read only when they
    /// are needed: they are often most of a file, and no number depends on them.
    package init(
        checkedBefore bytes: [UInt8],
        file: String,
        isKnownTimezone: (String) -> Bool
    ) throws(RulesError) {
        self = try RulesLoader.load(bytes, file: file, depth: .numbers, isKnownTimezone: isKnownTimezone)
    }

    /// The type of a field of `learner.updated`; nil for a list, and for a field that neither the catalogue nor the
    /// rules declare.
    package func learnerFieldType(_ name: String) -> ValueType? {
        let type = AdministeredEvents.profileType
        return (Catalogue.type(named: type)?.field(named: name)?.type ?? declaredTypes[type]?[name])?.valueType
    }

    package var tests: [RuleTest] {
        // Every timezone is accepted here, because only the tests of the result are used.
        readTests ?? (try? RuleSet(yaml: source, file: fileName) { _ in true })?.tests ?? []
    }

    /// The warnings about the file.
    /// - Complexity: reads the whole file again and analyses all rules, so this takes longer than loading the rules.
    package var warnings: [Diagnostic] { RulesLoader.warnings(source, file: fileName) }
}

extension RuleSet {
    init(_ parts: RulesLoader.Parts, source: [UInt8], file: String) {
        version = 1
        name = parts.name
        self.source = source
        fileName = file
        calendar = parts.calendar
        declaredTypes = parts.declaredTypes
        administered = parts.administered
        experiments = parts.experiments
        seasons = parts.seasons
        metrics = parts.metrics
        streak = parts.streak
        xpRules = parts.xpRules
        currencies = parts.currencies
        items = parts.items
        goals = parts.goals
        pools = parts.pools
        levels = parts.levels
        mastery = parts.mastery
        cefr = parts.cefr
        achievements = parts.achievements
        readTests = parts.tests
        self.parts = parts.parts
        layout = parts.layout
    }
}

extension RulesLoader.Parts {
    init(_ rules: RuleSet) {
        name = rules.name
        calendar = rules.calendar
        declaredTypes = rules.declaredTypes
        administered = rules.administered
        experiments = rules.experiments
        seasons = rules.seasons
        metrics = rules.metrics
        streak = rules.streak
        xpRules = rules.xpRules
        currencies = rules.currencies
        items = rules.items
        goals = rules.goals
        pools = rules.pools
        levels = rules.levels
        mastery = rules.mastery
        cefr = rules.cefr
        achievements = rules.achievements
        tests = rules.tests
        parts = rules.parts
        layout = rules.layout
    }
}
