// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The key of an event's identity in the table `identities`: a family, and a number in it.
///
/// Ids that count up, such as `a-1` and `a-2`, form a family by source, prefix and style. Their numbers are stored as
/// runs. All other ids are in one family, numbered by a hash of source and id. A family is itself named by a hash of
/// 48 bits. So if a key is found, the events must be checked; if it is not found, the identity is new.
struct IdentityKey: Hashable, Comparable {
    static let hashedFamily: Int64 = 0
    /// The size of a hash, in bits.
    static let hashBits: Int64 = 48

    var family: Int64
    var number: Int64

    static func < (one: IdentityKey, other: IdentityKey) -> Bool {
        (one.family, one.number) < (other.family, other.number)
    }
}

/// Computes the keys of one table's rows, and caches the families.
struct IdentityKeys {
    private struct Origin: Hashable {
        var source: UInt32
        var prefix: UInt32
        var style: UInt8
    }

    private var families: [Origin: Int64] = [:]
    private var last = (origin: Origin(source: 0, prefix: 0, style: 0), family: Int64(-1))

    mutating func key(_ table: EventTable, _ row: Int) -> IdentityKey {
        let id = table.identifiers[row]
        let isWhole = id.style == EventIdentifier.whole
        let origin = Origin(source: table.source[row], prefix: isWhole ? 0 : id.prefix, style: id.style)
        if last.family < 0 || last.origin != origin {
            let known = families[origin]
            let family = known ?? IdentityKeys.hash(table, origin)
            if known == nil { families[origin] = family }
            last = (origin, family)
        }
        guard isWhole else { return IdentityKey(family: last.family, number: Int64(id.number)) }
        let hash = IdentityKeys.hash(table, id.prefix, seed: UInt64(bitPattern: last.family))
        return IdentityKey(family: IdentityKey.hashedFamily, number: Int64(hash & mask48))
    }

    private static func hash(_ table: EventTable, _ origin: Origin) -> Int64 {
        let source = hash(table, origin.source, seed: 0x6C61_7572_656C_0001)
        let prefix = hash(table, origin.prefix, seed: source ^ UInt64(origin.style))
        return Int64(max(1, prefix & mask48))
    }

    private static func hash(_ table: EventTable, _ index: UInt32, seed: UInt64) -> UInt64 {
        table.texts.bytes.withUnsafeBufferPointer {
            TextTable.hash(UnsafeBufferPointer(rebasing: $0[table.texts.range(index)]), seed: seed)
        }
    }
}

private let mask48: UInt64 = (1 << 48) - 1
