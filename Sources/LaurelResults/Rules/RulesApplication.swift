// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// The effect of applying rules.
public struct RulesApplication: Codable, Sendable, Hashable {
    /// The ways to update progress to new rules.
    public enum Method: String, Codable, Sendable, CaseIterable {
        /// Nothing was done, because the rules are already in force.
        case nothing
        /// No learner was folded again, because no number depends on the change.
        case listings
        /// Only thresholds of achievements changed. Learners with progress towards these achievements were folded
        /// again.
        case thresholds
        /// All learners were folded again.
        case replay
    }

    /// The number of the version that is in force on the latest days, from 1.
    public var version: Int
    /// The first local day on which the rules are in force; nil if they are in force from the beginning.
    public var from: LocalDay?
    /// The way in which progress was updated to the new rules.
    public var method = Method.nothing
    /// The number of learners that were folded again.
    public var learners = 0
    /// The number of events that were folded again.
    public var events = 0
    /// The number of `achievement.granted` events recorded so that learners keep achievements.
    public var granted = 0
    /// The number of `xp.declared` events recorded so that learners keep XP.
    public var declared = 0
    /// The duration in seconds.
    public var seconds = 0.0
    /// The changes of the rules, set by callers that compared the rules first. Applying rules does not compare them and
    /// sets nil.
    public var diff: DifferenceSummary?

    /// Creates the report of rules that were already in force.
    /// - Parameters:
    ///   - version: the number of the version in force, from 1.
    ///   - day: the first local day on which it is in force; nil if from the beginning.
    public init(inForce version: Int, from day: LocalDay? = nil) { (self.version, from) = (version, day) }

    private enum CodingKeys: OmittableKey {
        case version, from, method, learners, events, granted, declared, seconds, diff

        var isOmittedIfNil: Bool { self == .diff }
    }
}

/// The effect of withdrawing a version of the rules.
public struct RulesWithdrawal: Codable, Sendable, Hashable {
    /// The first local day on which the version would have been in force.
    public var withdrawn: LocalDay
    /// The number of the version that is now in force on the latest days, from 1.
    public var version: Int
    /// The number of learners that were folded again.
    public var learners = 0
    /// The number of events that were folded again.
    public var events = 0
    /// The duration in seconds.
    public var seconds = 0.0

    /// Creates a value, for previews and tests.
    public init(withdrawn day: LocalDay, version: Int) { (withdrawn, self.version) = (day, version) }
}
