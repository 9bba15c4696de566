// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The id of one of several events that tell of the same thing. Only the first of them counts.
///
///     GROUP~rOOOOOOOOOOOOtttttttttttthhhhhh
///
/// `GROUP` names the thing; `r` is the rank, a digit: of events of one group only those of the lowest rank count. `O` is a
/// digest of which occurrence it is: of events of one occurrence only the first by rank, time `t` (milliseconds since 1970)
/// and digest `h` of the content counts, whatever their groups. All that is read from ids, so that it does not matter which
/// event was stored first.
///
/// Where a program has come to read the same row otherwise than before, what it makes of it is a later edition: its `t` is as
/// many milliseconds less, so that of two events of one time the later edition counts.
package struct VersionID {
    /// Bytes behind the group.
    private static let length = 32
    private static let (rankAt, occurrenceAt, orderAt) = (1, 2, 14)

    /// An event whose id is the group itself stands before those of this rank and after those below.
    package static let plainRank = UInt8(ascii: "5")

    package let group: ArraySlice<UInt8>
    package let occurrence: ArraySlice<UInt8>
    /// An ASCII digit.
    package let rank: UInt8
    /// Time and content.
    private let order: ArraySlice<UInt8>

    /// nil where it is no such id.
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

    /// True if it comes before another of the same occurrence.
    package func isBefore(_ other: VersionID) -> Bool {
        if rank != other.rank { return rank < other.rank }
        return order.elementsEqual(other.order)
            ? group.lexicographicallyPrecedes(other.group) : order.lexicographicallyPrecedes(other.order)
    }

    /// - Parameters:
    ///   - rank: 0…9.
    ///   - edition: 0…9.
    ///   - occurrence: nil where the group is the occurrence.
    ///   - content: differs wherever the events do.
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
