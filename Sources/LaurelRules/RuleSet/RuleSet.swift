// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelYAML

/// The rules of a rules file, checked and compiled. Outside this module they are immutable.
package struct RuleSet: Sendable {
    /// The content of the file, byte for byte.
    package let source: [UInt8]
    package let fileName: String
    /// The value of `name`. If it is not set, the file's name without folder and extension.
    package internal(set) var name = ""
    package internal(set) var calendar = RulesCalendar()
    /// The declared fields, by event type and then by field name. Fields that the rules add to the catalogue's types
    /// are included.
    package internal(set) var declaredTypes: [String: [String: FieldType]] = [:]
    /// The fields of `learner.updated` that only administrators may send, in byte order. The fields that the catalogue
    /// itself reserves for administrators are not included.
    package internal(set) var administered: [String] = []
    package internal(set) var experiments: [Experiment] = []
    /// The seasons, ascending.
    package internal(set) var seasons: [Season] = []
    package internal(set) var metrics: [Metric] = []
    package internal(set) var streak: StreakRule?
    /// The XP rules, followed by the awards of each currency.
    package internal(set) var xpRules: [XPRule] = []
    package internal(set) var currencies: [CurrencyRule] = []
    package internal(set) var items: [ItemRule] = []
    package internal(set) var goals: [GoalRule] = []
    package internal(set) var pools: [GoalPool] = []
    /// The rules for groups, by kind.
    package internal(set) var groups: [GroupRule] = []
    package internal(set) var leagues: [LeagueRule] = []
    package internal(set) var levels = LevelCurve(table: [0])
    package internal(set) var mastery = MasteryRule()
    package internal(set) var cefr: CEFRRule?
    package internal(set) var achievements: [AchievementRule] = []
    /// The limits of what a person can do, in file order.
    package internal(set) var plausible: [PlausibleLimit] = []
    /// The tests; nil if they were not read yet. They are then read from `source` on first use.
    var readTests: [RuleTest]?
    /// The parts that can be removed from the rules, in the order of the file.
    package internal(set) var parts: [RulePart] = []
    /// The slots of the names in expressions.
    package internal(set) var layout = FrameLayout(metricCount: 0)

    /// Creates rules without content. The loader fills them section by section.
    init(source: [UInt8], fileName: String) {
        self.source = source
        self.fileName = fileName
    }

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

    /// Reads a rules file that was checked before, such as the rules in a store. The tests are read only on first use,
    /// because they are often the largest part of a file, and no number depends on them.
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
        // Every timezone is accepted here, because only the tests of this rule set are used.
        readTests ?? (try? RuleSet(yaml: source, file: fileName) { _ in true })?.tests ?? []
    }

    /// The warnings about the file.
    /// - Complexity: reads the whole file again and analyses all rules, so this takes longer than loading the rules.
    package var warnings: [Diagnostic] { RulesLoader.warnings(source, file: fileName) }
}
