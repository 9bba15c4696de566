// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The id of one of several events about the same thing, only the first of which counts.
///
///     GROUP~rOOOOOOOOOOOOtttttttttttthhhhhh
///
/// `GROUP` names the thing. `r` is the rank, a digit: only events of a group's lowest rank count. `O` is a digest of
/// the occurrence. Of the events of one occurrence only the first counts, whatever their groups. They are ordered by
/// rank, time `t` (milliseconds since 1970) and digest `h` of the content. Ids contain everything, so the order of
/// storing does not matter.
///
/// A later version of the program may read the same row in another way. Its event is a later edition: `t` is lower by
/// as many milliseconds, so that of two events of one time the later edition counts.
package struct VersionID {
    /// The number of bytes after the group.
    private static let length = 32
    private static let (rankAt, occurrenceAt, orderAt) = (1, 2, 14)

    /// The rank of an event whose id is the group itself. It comes before events of this rank, and after those of lower
    /// ranks.
    package static let plainRank = UInt8(ascii: "5")

    package let group: ArraySlice<UInt8>
    package let occurrence: ArraySlice<UInt8>
    /// The rank, an ASCII digit.
    package let rank: UInt8
    /// The time and the digest of the content.
    private let order: ArraySlice<UInt8>

    /// Parses an id; nil if it has another form.
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

    /// True if the event comes before another of the same occurrence.
    package func isBefore(_ other: VersionID) -> Bool {
        if rank != other.rank { return rank < other.rank }
        return order.elementsEqual(other.order)
            ? group.lexicographicallyPrecedes(other.group) : order.lexicographicallyPrecedes(other.order)
    }

    /// Makes an id.
    /// - Parameters:
    ///   - rank: 0…9.
    ///   - edition: 0…9.
    ///   - occurrence: nil if the group is the occurrence.
    ///   - content: a digest that differs whenever the events do.
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
