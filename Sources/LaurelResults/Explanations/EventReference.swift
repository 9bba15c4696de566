// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// An event, as explanations name it.
public struct EventReference: Codable, Sendable, Hashable {
    /// The correction that keeps an event from counting.
    public enum VoidReason: String, Codable, Sendable, CaseIterable {
        /// `event.retracted` names it.
        case retracted
        /// `session.discarded` names its session.
        case sessionDiscarded
    }

    /// The time of the event.
    public var time: Date
    /// The local day of the event. The learner's clock and the rules' `day_starts_at` decide it.
    public var day: LocalDay
    /// The clock that decided the local day: the event's time zone, else the offset written in its time, else the
    /// rules' default time zone.
    public var zone: String
    /// The source of the event. Source and id together identify a learner's event.
    public var source: String
    /// The event's id, unique to its learner and source.
    public var id: String
    /// The event's type, such as `line.spoken`.
    public var type: String
    /// The id of its session; nil outside sessions.
    public var session: String?
    /// The tag of its language, such as `es`; nil if it carries none.
    public var language: String?
    /// The correction that voids the event; nil if it counts.
    public var void: VoidReason?
    /// The offset of the learner's clock at the event, in seconds east of UTC. The JSON leaves it out, so it is nil in
    /// a decoded reference.
    public var secondsFromGMT: Int?

    /// The time that the learner's clock showed, as if it were UTC. Its date differs from `day` before `day_starts_at`.
    package var clockTime: Date { time + Double(secondsFromGMT ?? 0) }

    /// Creates a value, for previews and tests.
    public init(time: Date, day: LocalDay, zone: String, source: String, id: String, type: String) {
        (self.time, self.day, self.zone) = (time, day, zone)
        (self.source, self.id, self.type) = (source, id, type)
    }

    private enum CodingKeys: CodingKey {
        case time, day, zone, source, id, type, session, language, void
    }
}
