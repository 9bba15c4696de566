// SPDX-License-Identifier: Apache-2.0

/// A merge of one learner into another. From then on, the merged id means the other learner.
package struct MergeRecord: Sendable, Equatable {
    /// The id that was merged. No other merge has this id.
    package var subject: [UInt8]
    /// The id that the merged id means. A later merge may have merged this id, too.
    package var target: [UInt8]
    /// The two ids that the command named. They differ from the two ids above if the named ids were merged earlier.
    package var named: (subject: [UInt8], target: [UInt8])
    /// The time of the merge, in milliseconds since 1970.
    package var milliseconds: Int64

    package init(
        _ subject: [UInt8],
        into target: [UInt8],
        named: (subject: [UInt8], target: [UInt8])? = nil,
        at milliseconds: Int64
    ) {
        (self.subject, self.target, self.milliseconds) = (subject, target, milliseconds)
        self.named = named ?? (subject, target)
    }

    package static func == (one: MergeRecord, other: MergeRecord) -> Bool {
        (one.subject, one.target, one.milliseconds) == (other.subject, other.target, other.milliseconds)
            && one.named == other.named
    }

    /// The order in which merges are listed: by time, then by the merged id.
    package static func isBefore(_ one: MergeRecord, _ other: MergeRecord) -> Bool {
        one.milliseconds != other.milliseconds
            ? one.milliseconds < other.milliseconds : one.subject.lexicographicallyPrecedes(other.subject)
    }
}

/// The error of a transaction that was asked to create learners whose ids were merged into others. The caller starts
/// again with the current names.
package struct MergedLearners: Error {
    /// For each merged id, the id that it means now.
    package let currentNames: [[UInt8]: [UInt8]]
}
