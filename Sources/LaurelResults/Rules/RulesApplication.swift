// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// What applying rules did.
public struct RulesApplication: Codable, Sendable, Hashable {
    /// How progress was brought under the rules.
    public enum Method: String, Codable, Sendable, CaseIterable {
        /// The rules are the store's already.
        case nothing
        /// No number depends on what changed.
        case listings
        /// Learners with progress in the achievements whose thresholds changed were folded again.
        case thresholds
        /// Everyone was folded again.
        case replay
    }

    /// That is in force for the latest days, from 1.
    public var version: Int
    /// The local day from which the rules are in force; nil for the whole of time.
    public var from: LocalDay?
    /// How much had to be done.
    public var method = Method.nothing
    /// Learners and events that were folded.
    public var learners = 0
    /// How many events were folded again.
    public var events = 0
    /// `achievement.granted` events that were recorded.
    public var granted = 0
    /// `xp.declared` events that were recorded.
    public var declared = 0
    /// How long it took.
    public var seconds = 0.0
    /// What the rules change, where that was asked for before: applying them does not find it out.
    public var diff: DifferenceSummary?

    /// Nothing was to be done.
    /// - Parameter version: that is in force.
    public init(inForce version: Int, from day: LocalDay? = nil) { (self.version, from) = (version, day) }

    private enum CodingKeys: OmittableKey {
        case version, from, method, learners, events, granted, declared, seconds, diff

        var isOmittedIfNil: Bool { self == .diff }
    }
}

/// What taking back a version of the rules did.
public struct RulesWithdrawal: Codable, Sendable, Hashable {
    /// The local day from which it would have been in force.
    public var withdrawn: LocalDay
    /// That is in force for the latest days now, from 1.
    public var version: Int
    /// Learners and events that were folded.
    public var learners = 0
    /// How many events were folded again.
    public var events = 0
    /// How long it took.
    public var seconds = 0.0

    /// Creates one, for previews and tests.
    public init(withdrawn day: LocalDay, version: Int) { (withdrawn, self.version) = (day, version) }
}
