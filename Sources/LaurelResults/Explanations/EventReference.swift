// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// A reference to an event, as shown in explanations.
public struct EventReference: Codable, Sendable, Hashable {
    /// The correction that voids an event.
    public enum VoidReason: String, Codable, Sendable, CaseIterable {
        /// An `event.retracted` names the event.
        case retracted
        /// A `session.discarded` names the event's session.
        case sessionDiscarded
    }

    /// The limit of the rules that an event exceeds.
    public struct Flag: Codable, Sendable, Hashable {
        /// The largest plausible number of events of the type in the span that ends at the event.
        public var atMost: Int
        /// The length of the span: `second`, `minute`, `hour` or `day`.
        public var per: String
        /// True if a `flag.cleared` took the flag away.
        public var isCleared: Bool

        /// Creates a value, for previews and tests.
        public init(atMost: Int, per: String, isCleared: Bool) {
            (self.atMost, self.per, self.isCleared) = (atMost, per, isCleared)
        }
    }

    /// The time of the event.
    public var time: Date
    /// The local day of the event. The learner's clock and the rules' `day_starts_at` decide it.
    public var day: LocalDay
    /// The clock that decided the local day: the event's time zone. Without a zone, the offset in the event's time;
    /// without both, the rules' default time zone.
    public var zone: String
    /// The source of the event. Source and id together identify a learner's event.
    public var source: String
    /// The event's id, unique among the events of its learner and source.
    public var id: String
    /// The event's type, such as `line.spoken`.
    public var type: String
    /// The id of its session; nil outside sessions.
    public var session: String?
    /// The tag of its language, such as `es`; nil if it has none.
    public var language: String?
    /// The correction that voids the event; nil if it counts.
    public var void: VoidReason?
    /// The limit that the event exceeds. If it exceeds none, it is nil and left out of the JSON.
    public var flag: Flag?
    /// The offset of the learner's clock at the event, in seconds east of UTC. The JSON leaves it out, so it is nil in
    /// a decoded reference.
    public var secondsFromGMT: Int?

    /// The time that the learner's clock showed, as if it were UTC. Between midnight and `day_starts_at` its date is
    /// one day after `day`.
    package var clockTime: Date { time + Double(secondsFromGMT ?? 0) }

    /// Creates a value, for previews and tests.
    public init(time: Date, day: LocalDay, zone: String, source: String, id: String, type: String) {
        (self.time, self.day, self.zone) = (time, day, zone)
        (self.source, self.id, self.type) = (source, id, type)
    }

    private enum CodingKeys: OmittableKey {
        case time, day, zone, source, id, type, session, language, void, flag

        var isOmittedIfNil: Bool { self == .flag }
    }
}
