// SPDX-License-Identifier: Apache-2.0

/// Hashes of a learner's ids that do not count: rows of `identity_leaves`, each a sorted stretch of hashes, together a
/// tree of one level.
///
/// Of a hash the upper 28 bits are kept: so many that even of a million ids of one learner 3 in a thousand new ones look
/// known (and are then looked for among the events), so few that a hash costs some two bytes.
struct IdentityLeaves {
    static let bits: Int64 = 28

    /// A stretch of hashes: those from `low` on, up to where the next leaf starts.
    private struct Leaf {
        var low: Int64
        var end: Int64
        var hashes: [Int64]
    }

    /// A fuller leaf is split. With more its row would not fit into a quarter of a page, and SQLite would spill the rest
    /// into a page of its own.
    private static let capacity = 256

    private let tables: any PartitionTables

    init(_ tables: any PartitionTables) { self.tables = tables }

    /// What is kept of a hash.
    static func kept(of hash: Int64) -> Int64 { hash >> (IdentityKey.hashBits - bits) }

    /// Which of some hashes, ascending, look as if they were there.
    func contains(_ learner: Int64, _ hashes: [Int64]) throws -> [Bool] {
        let hashes = hashes.map(IdentityLeaves.kept)
        var result = [Bool](repeating: false, count: hashes.count)
        try forEachLeaf(learner, hashes) { leaf, range in
            var place = 0
            for index in range {
                while place < leaf.hashes.count, leaf.hashes[place] < hashes[index] { place += 1 }
                result[index] = place < leaf.hashes.count && leaf.hashes[place] == hashes[index]
            }
        }
        return result
    }

    /// Adds hashes, ascending; such as are there already change nothing.
    func add(_ learner: Int64, _ hashes: [Int64]) throws {
        let hashes = hashes.map(IdentityLeaves.kept)
        try forEachLeaf(learner, hashes) { leaf, range in
            let merged = IdentityLeaves.merged(leaf.hashes, hashes[range])
            guard merged.count > leaf.hashes.count else { return }
            var leaves: [IdentityLeaf] = []
            let parts = (merged.count + IdentityLeaves.capacity - 1) / IdentityLeaves.capacity
            for part in 0..<parts {
                let some = merged[merged.count * part / parts..<merged.count * (part + 1) / parts]
                let low = part == 0 ? leaf.low : some.first!
                leaves.append(
                    IdentityLeaf(learner: learner, low: low, data: SortedNumbers.encode(some, from: low))
                )
            }
            try tables.write(leaves)
        }
    }

    /// Tells each leaf that some of the hashes, ascending, belong to, with the places of those.
    private func forEachLeaf(_ learner: Int64, _ hashes: [Int64], _ body: (Leaf, Range<Int>) throws -> Void) throws {
        var start = 0
        while start < hashes.count {
            let leaf = try leaf(learner, hashes[start])
            let end = hashes[start...].firstIndex { $0 >= leaf.end } ?? hashes.count
            try body(leaf, start..<end)
            start = end
        }
    }

    private func leaf(_ learner: Int64, _ hash: Int64) throws -> Leaf {
        // A learner's first leaf starts at 0.
        guard let (leaf, end) = try tables.identityLeaf(of: learner, hash: hash) else {
            return Leaf(low: 0, end: .max, hashes: [])
        }
        return Leaf(low: leaf.low, end: end, hashes: try IdentityLeaves.hashes(of: leaf))
    }

    static func hashes(of leaf: IdentityLeaf) throws -> [Int64] {
        do {
            return try leaf.data.withUnsafeBytes { try SortedNumbers.decode($0, from: leaf.low, limit: 1 << 16) }
        } catch let error as Corruption {
            throw StoreError(
                .corrupt,
                "an index of identities cannot be read: \(error); \(StoreError.advice)"
            )
        }
    }

    private static func merged(_ old: [Int64], _ new: ArraySlice<Int64>) -> [Int64] {
        var result: [Int64] = []
        result.reserveCapacity(old.count + new.count)
        var place = 0
        for number in new {
            while place < old.count, old[place] <= number {
                result.append(old[place])
                place += 1
            }
            if result.last != number { result.append(number) }
        }
        result += old[place...]
        return result
    }
}
