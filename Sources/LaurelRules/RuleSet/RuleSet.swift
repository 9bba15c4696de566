// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelYAML

/// The rules of a rules file: checked, compiled, immutable.
package struct RuleSet: Sendable {
    /// The version of the rules language; 1.
    package let version: Int
    /// The file's name without folder and extension where `name` is not set.
    package let name: String
    /// The file as it was read, byte for byte.
    package let source: [UInt8]
    package let fileName: String
    package let calendar: RulesCalendar
    /// The fields of event types that the catalogue does not know, by type and field.
    package let declaredTypes: [String: [String: FieldType]]
    /// The fields of `learner.updated` that only administrators may send, beside those of the catalogue, in byte order.
    package let administered: [String]
    package let metrics: [Metric]
    package let streak: StreakRule?
    package let xpRules: [XPRule]
    package let levels: LevelCurve
    package let mastery: MasteryRule
    package let cefr: CEFRRule?
    package let achievements: [AchievementRule]
    /// nil if they are read from the source when they are asked for.
    private let readTests: [RuleTest]?
    /// What the rules consist of, in the order of the file.
    package let parts: [RulePart]
    /// Where the expressions find what they name.
    package let layout: FrameLayout

    /// Reads, checks and compiles a rules file.
    /// - Parameters:
    ///   - bytes: The file, YAML or JSON in UTF-8, at most 1 MiB.
    ///   - file: Its name, for messages.
    ///   - isKnownTimezone: Whether an IANA timezone exists.
    /// - Throws: Every mistake in it.
    /// - Complexity: O(bytes), and at most 10,000 evaluations of the level curve.
    package init(
        yaml bytes: [UInt8],
        file: String,
        isKnownTimezone: (String) -> Bool
    ) throws(RulesError) {
        self = try RulesLoader.load(bytes, file: file, depth: .tests, isKnownTimezone: isKnownTimezone)
    }

    /// Reads a rules file that was checked before, such as the one a store has: without its tests, which are most of a file and
    /// come to no number, until they are asked for.
    package init(
        checkedBefore bytes: [UInt8],
        file: String,
        isKnownTimezone: (String) -> Bool
    ) throws(RulesError) {
        self = try RulesLoader.load(bytes, file: file, depth: .numbers, isKnownTimezone: isKnownTimezone)
    }

    package var tests: [RuleTest] {
        // The loader reads tests without asking for a timezone's rules.
        readTests ?? (try? RuleSet(yaml: source, file: fileName) { _ in true })?.tests ?? []
    }

    /// Warnings: what is doubtful, but not an error.
    /// - Complexity: reads the file again, and looks for what its author alone wants to know, which takes longer than all else.
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
