// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// The local days on which a rule applies, and the position of today relative to them.
public struct ActivePeriod: Codable, Sendable, Hashable {
    /// The position of a day relative to the period.
    public enum Place: Sendable, Hashable {
        /// The day is before the period.
        case ahead
        /// The day is in the period.
        case within
        /// The day is after the period.
        case over
    }

    /// The first day, inclusive; nil if there is none.
    public var from: LocalDay?
    /// The last day, inclusive; nil if there is none.
    public var through: LocalDay?
    /// The position of the local day at the requested instant.
    public var place: Place

    /// Creates a value, for previews and tests.
    public init(from: LocalDay?, through: LocalDay?, place: Place) {
        (self.from, self.through, self.place) = (from, through, place)
    }

    /// The reason why the rule does not apply on that day: `not before 2026-12-24` or `not after 2026-12-26`; nil
    /// within the period.
    public var obstacle: String? {
        switch place {
        case .ahead: from.map { "\(ActivePeriod.ahead)\($0)" }
        case .within: nil
        case .over: through.map { "not after \($0)" }
        }
    }

    private static let ahead = "not before "

    private enum CodingKeys: CodingKey {
        case from, through
        /// The reason why the rule does not apply on that day, such as `not before 2026-12-24`; nil within the period.
        case outOfPeriod
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(from, forKey: .from)
        try container.encodeIfPresent(through, forKey: .through)
        try container.encodeIfPresent(obstacle, forKey: .outOfPeriod)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        from = try container.decodeIfPresent(LocalDay.self, forKey: .from)
        through = try container.decodeIfPresent(LocalDay.self, forKey: .through)
        let obstacle = try container.decodeIfPresent(String.self, forKey: .outOfPeriod)
        place = obstacle.map { $0.hasPrefix(ActivePeriod.ahead) ? .ahead : .over } ?? .within
    }

    var isAlways: Bool { from == nil && through == nil }
}
