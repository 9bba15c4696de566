// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The id of an event of which there may be several versions. Only the first version counts.
///
///     GROUP~rOOOOOOOOOOOOtttttttttttthhhhhh
///
/// `GROUP` identifies the activity. `r` is the rank, a digit. Only the events with the lowest rank in a group count.
/// `O` is a digest of the occurrence. Of all events with the same occurrence, even in different groups, only the first
/// counts. Events are ordered by rank, then by time `t` (milliseconds since 1970), then by digest `h` of the content.
/// All these values are in the id, so the order of storing does not matter.
///
/// A later version of Laurel may read the same row differently. Then the new event has a higher edition. The edition is
/// subtracted from `t`, in milliseconds. So of two events with the same time, the one with the higher edition comes
/// first.
package struct VersionID {
    /// The number of bytes that follow the group.
    private static let length = 32
    private static let (rankAt, occurrenceAt, orderAt) = (1, 2, 14)

    /// The rank of an event whose id is only the group. The event comes before other events of this rank, and after
    /// events of lower ranks.
    package static let plainRank = UInt8(ascii: "5")

    package let group: ArraySlice<UInt8>
    package let occurrence: ArraySlice<UInt8>
    /// The rank as an ASCII digit.
    package let rank: UInt8
    /// The time and the digest, in the form in which ids are ordered.
    private let order: ArraySlice<UInt8>

    /// Parses an id. Returns nil if the id does not have this form.
    package init?(_ id: ArraySlice<UInt8>) {
        guard id.count > Self.length else { return nil }
        let start = id.endIndex - Self.length
        let suffix = id[start...]
        guard suffix.first == UInt8(ascii: "~"), 48...57 ~= id[start + Self.rankAt],
            suffix.dropFirst(Self.occurrenceAt).allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 })
        else { return nil }
        group = id[..<start]
        rank = id[start + Self.rankAt]
        occurrence = id[(start + Self.occurrenceAt)..<(start + Self.orderAt)]
        order = id[(start + Self.orderAt)...]
    }

    /// True if the event comes before another event of the same occurrence.
    package func isBefore(_ other: VersionID) -> Bool {
        if rank != other.rank { return rank < other.rank }
        return order.elementsEqual(other.order)
            ? group.lexicographicallyPrecedes(other.group) : order.lexicographicallyPrecedes(other.order)
    }

    /// Creates an id.
    /// - Parameters:
    ///   - rank: 0 … 9.
    ///   - edition: 0 … 9.
    ///   - occurrence: identifies the occurrence; nil to use the group.
    ///   - content: a digest that differs if the contents of two events differ.
    static func make(
        group: [UInt8],
        rank: Int,
        edition: Int,
        occurrence: [UInt8]?,
        milliseconds: Int64,
        content: ArraySlice<UInt8>
    ) -> [UInt8] {
        var hash = SHA256()
        hash.update(occurrence ?? group)
        let time = String(max(0, milliseconds - Int64(edition)), radix: 16)
        let padded = String(repeating: "0", count: max(0, 12 - time.utf8.count)) + time
        return group + [UInt8(ascii: "~"), 48 + UInt8(rank)]
            + Array("\(hash.finish().prefix(6).hexadecimal)\(padded)\(content.prefix(3).hexadecimal)".utf8)
    }
}
