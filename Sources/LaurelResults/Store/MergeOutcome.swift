// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The result of merging a learner into another.
public struct MergeOutcome: Codable, Sendable, Hashable {
    /// The id of the learner that stays.
    public var learner: String
    /// The id that now means the other learner.
    public var merged: String
    /// True if the same merge was made before, and so nothing changed.
    public var isRepeated: Bool
    /// The number of events that the learner got from the merged learner.
    public var events: Int
    /// The number of the merged learner's events that the learner already had.
    public var duplicates: Int
    /// The number of events whose id the other learner had used with other content. They are in quarantine.
    public var conflicts: Int

    /// Creates a value, for previews and tests.
    public init(
        learner: String,
        merged: String,
        isRepeated: Bool = false,
        events: Int = 0,
        duplicates: Int = 0,
        conflicts: Int = 0
    ) {
        (self.learner, self.merged, self.isRepeated) = (learner, merged, isRepeated)
        (self.events, self.duplicates, self.conflicts) = (events, duplicates, conflicts)
    }

    private enum CodingKeys: String, CodingKey {
        case learner, merged
        case isRepeated = "repeated"
        case events, duplicates, conflicts
    }
}

/// A merge of one learner into another, as an export lists it.
public struct LearnerMerge: Codable, Sendable, Hashable {
    /// The id that was merged.
    public var merged: String
    /// The id that it means. A later merge may have merged this id, too.
    public var into: String
    /// The instant of the merge.
    public var at: Date

    /// Creates a value, for previews and tests.
    public init(merged: String, into: String, at: Date) { (self.merged, self.into, self.at) = (merged, into, at) }
}
