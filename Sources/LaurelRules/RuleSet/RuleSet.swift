// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelYAML

/// The rules of a rules file: checked, compiled and immutable.
package struct RuleSet: Sendable {
    /// The version of the rules language; 1.
    package let version: Int
    /// The name; if `name` is not set, the file's name without folder and extension.
    package let name: String
    /// The file, byte for byte.
    package let source: [UInt8]
    package let fileName: String
    package let calendar: RulesCalendar
    /// The fields of event types that the catalogue does not know, by type and field.
    package let declaredTypes: [String: [String: FieldType]]
    /// The fields of `learner.updated` that only administrators may send, besides those of the catalogue, in byte
    /// order.
    package let administered: [String]
    package let metrics: [Metric]
    package let streak: StreakRule?
    package let xpRules: [XPRule]
    package let levels: LevelCurve
    package let mastery: MasteryRule
    package let cefr: CEFRRule?
    package let achievements: [AchievementRule]
    /// The tests; nil if they are read from the source on demand.
    private let readTests: [RuleTest]?
    /// The removable parts of the rules, in the order of the file.
    package let parts: [RulePart]
    /// The slots of the names in expressions.
    package let layout: FrameLayout

    /// Reads, checks and compiles a rules file.
    /// - Parameters:
    ///   - bytes: the file, YAML or JSON in UTF-8, at most 1 MiB.
    ///   - file: its name, for messages.
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

    /// Reads a rules file that was checked before, such as a store's. Its tests are read on demand, because they are
    /// most of a file and affect no number.
    package init(
        checkedBefore bytes: [UInt8],
        file: String,
        isKnownTimezone: (String) -> Bool
    ) throws(RulesError) {
        self = try RulesLoader.load(bytes, file: file, depth: .numbers, isKnownTimezone: isKnownTimezone)
    }

    package var tests: [RuleTest] {
        // Timezones need no check here, because only the tests are used.
        readTests ?? (try? RuleSet(yaml: source, file: fileName) { _ in true })?.tests ?? []
    }

    /// The warnings about the file.
    /// - Complexity: reads the file again, and analyses it for its author, which takes longer than anything else.
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
        metrics = parts.metrics
        streak = parts.streak
        xpRules = parts.xpRules
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
        metrics = rules.metrics
        streak = rules.streak
        xpRules = rules.xpRules
        levels = rules.levels
        mastery = rules.mastery
        cefr = rules.cefr
        achievements = rules.achievements
        tests = rules.tests
        parts = rules.parts
        layout = rules.layout
    }
}
