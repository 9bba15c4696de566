// SPDX-License-Identifier: Apache-2.0

/// The hashes of a learner's ids that do not count up. Each row of `identity_leaves` is a sorted range of hashes;
/// together they form a tree of one level.
///
/// Only the upper 28 bits of a hash are kept, so that one takes about two bytes. If a learner has a million ids, 4 in a
/// thousand new ids look known, and are searched for in the events.
struct HashIndex {
    static let bits: Int64 = 28

    /// The hashes from `low` up to the start of the next leaf.
    private struct Leaf {
        var low: Int64
        var end: Int64
        var hashes: [Int64]
    }

    /// The largest number of hashes in a leaf; a larger leaf is split. The row of a leaf fits into a quarter of a page,
    /// or SQLite would need an overflow page for it.
    private static let capacity = 256

    private let tables: any PartitionTables

    init(_ tables: any PartitionTables) { self.tables = tables }

    /// The bits of a hash that are kept.
    static func kept(of hash: Int64) -> Int64 { hash >> (IdentityKey.hashBits - bits) }

    /// Which of some hashes, ascending, may be stored. A hit must be checked against the events.
    func contains(_ learner: Int64, _ hashes: [Int64]) throws -> [Bool] {
        let hashes = hashes.map(HashIndex.kept)
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

    /// Adds hashes, ascending. Those that are stored already change nothing.
    func add(_ learner: Int64, _ hashes: [Int64]) throws {
        let hashes = hashes.map(HashIndex.kept)
        try forEachLeaf(learner, hashes) { leaf, range in
            let merged = HashIndex.merged(leaf.hashes, hashes[range])
            guard merged.count > leaf.hashes.count else { return }
            var leaves: [IdentityLeaf] = []
            let parts = (merged.count + HashIndex.capacity - 1) / HashIndex.capacity
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

    /// Calls `body` with each leaf that some of the hashes belong to, and with the places of these hashes.
    /// - Parameter hashes: ascending.
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
        // The first leaf of a learner begins at 0.
        guard let (leaf, end) = try tables.identityLeaf(of: learner, hash: hash) else {
            return Leaf(low: 0, end: .max, hashes: [])
        }
        return Leaf(low: leaf.low, end: end, hashes: try HashIndex.hashes(of: leaf))
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
