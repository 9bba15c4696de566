// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelResults
import LaurelWire

/// Queries about groups. A group is computed from its members at each query. So an event that comes late is always
/// included.
extension ProgressEngine {
    /// A group with its members, streak and goals.
    /// - Parameters:
    ///   - id: the group's id, the field `group` of `group.joined`.
    ///   - date: the instant to answer as of; nil for now.
    ///   - timeZone: decides which day is today for all members; nil for the clock of each member's events.
    /// - Returns: nil if nobody ever joined the group.
    /// - Complexity: O(learners who ever joined the group), plus the fold of those who are not cached.
    public func group(
        _ id: String,
        at date: Date? = nil,
        timeZone: Foundation.TimeZone? = nil
    ) throws(EngineError) -> LearnerGroup? {
        try EngineError.translating { try group(id, at: Timestamp(date ?? Date(), in: timeZone)) }
    }

    /// Groups that have members, in byte order of their ids.
    /// - Parameters:
    ///   - id: the last id of the previous page; nil for the first page.
    ///   - limit: the maximum number of groups; nil for all.
    ///   - date: the instant to answer as of; nil for now.
    ///   - timeZone: decides which day is today for all members; nil for the clock of each member's events.
    /// - Complexity: as for ``group(_:at:timeZone:)``, for each group.
    public func groups(
        after id: String? = nil,
        limit: Int? = nil,
        at date: Date? = nil,
        timeZone: Foundation.TimeZone? = nil
    ) throws(EngineError) -> [LearnerGroup] {
        try EngineError.translating {
            let instant = Timestamp(date ?? Date(), in: timeZone)
            return try groups(after: id, limit: max(0, limit ?? .max), at: instant)
        }
    }
}

extension Learner {
    /// The groups of which the learner is a member, in byte order of their ids. Each member's own clock decides which day
    /// is today, so all members see the same group.
    /// - Complexity: as for `engine.group(_:at:timeZone:)`, for each of the groups.
    public func groups(at date: Date? = nil) throws(EngineError) -> [LearnerGroup] {
        try EngineError.translating { try engine.groups(of: id, at: Timestamp(date ?? Date(), in: nil)) }
    }
}
