// SPDX-License-Identifier: Apache-2.0

public import LaurelWire

/// The local days on which something can be done, and where an instant's day lies among them.
public struct ActivePeriod: Codable, Sendable, Hashable {
    /// Where a day lies.
    public enum Place: Sendable, Hashable {
        /// The period is to come.
        case ahead
        /// The period has begun, and is not over.
        case within
        /// The period is over.
        case over
    }

    /// Its first day; nil: from the beginning.
    public var from: LocalDay?
    /// Its last day; nil: without an end.
    public var through: LocalDay?
    /// Where the instant of the question lies.
    public var place: Place

    /// Creates one, for previews and tests.
    public init(from: LocalDay?, through: LocalDay?, place: Place) {
        (self.from, self.through, self.place) = (from, through, place)
    }

    /// Why not now: `not before 2026-12-24`, `not after 2026-12-26`; nil within the period.
    public var obstacle: String? {
        switch place {
        case .ahead: from.map { "\(ActivePeriod.ahead)\($0)" }
        case .within: nil
        case .over: through.map { "not after \($0)" }
        }
    }

    private static let ahead = "not before "

    private enum CodingKeys: CodingKey {
        case from, through, outOfPeriod
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
