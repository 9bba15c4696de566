// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// The event that caused something.
public struct EventReference: Codable, Sendable, Hashable {
    /// Why an event does not count.
    public enum VoidReason: String, Codable, Sendable, CaseIterable {
        /// `event.retracted` names it.
        case retracted
        /// `session.discarded` names its session.
        case sessionDiscarded
    }

    /// When it happened.
    public var time: Date
    /// On the learner's own clock.
    public var day: LocalDay
    /// What says which clock that is: the event's timezone, the offset written in its time, or the rules' default timezone.
    public var zone: String
    /// An event is known by its source and its id together.
    public var source: String
    /// Its id, unique to its learner and source.
    public var id: String
    /// Such as `line.spoken`.
    public var type: String
    /// The session it belongs to; nil outside sessions.
    public var session: String?
    /// A tag, such as `es`; nil if it names none.
    public var language: String?
    /// Where a correction voids the event: which.
    public var void: VoidReason?
    /// Of the learner's clock at the event, seconds east of UTC. It is not in the JSON: nil if the reference was decoded.
    public var secondsFromGMT: Int?

    /// Creates one, for previews and tests.
    public init(time: Date, day: LocalDay, zone: String, source: String, id: String, type: String) {
        (self.time, self.day, self.zone) = (time, day, zone)
        (self.source, self.id, self.type) = (source, id, type)
    }

    private enum CodingKeys: CodingKey {
        case time, day, zone, source, id, type, session, language, void
    }
}
