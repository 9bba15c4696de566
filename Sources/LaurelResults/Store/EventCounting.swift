// SPDX-License-Identifier: Apache-2.0

/// The counts that are common to all reports of stored events.
protocol EventCounting {
    var read: Int { get set }
    var stored: Int { get set }
    var duplicates: Int { get set }
    var conflicts: Int { get set }
    var refused: Int { get set }
    var notKept: Int { get set }
}

private enum EventCountKeys: CodingKey {
    case read, stored, duplicates, conflicts, refused, notKept
}

extension EventCounting {
    /// Writes the counts as members of the report's own object. ``notKept`` is left out if it is 0.
    func encodeCounts(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EventCountKeys.self)
        try container.encode(read, forKey: .read)
        try container.encode(stored, forKey: .stored)
        try container.encode(duplicates, forKey: .duplicates)
        try container.encode(conflicts, forKey: .conflicts)
        try container.encode(refused, forKey: .refused)
        if notKept > 0 { try container.encode(notKept, forKey: .notKept) }
    }

    mutating func decodeCounts(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: EventCountKeys.self)
        read = try container.decode(Int.self, forKey: .read)
        stored = try container.decode(Int.self, forKey: .stored)
        duplicates = try container.decode(Int.self, forKey: .duplicates)
        conflicts = try container.decode(Int.self, forKey: .conflicts)
        refused = try container.decode(Int.self, forKey: .refused)
        notKept = try container.decodeIfPresent(Int.self, forKey: .notKept) ?? 0
    }
}
