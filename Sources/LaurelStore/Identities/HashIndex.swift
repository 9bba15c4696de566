// SPDX-License-Identifier: Apache-2.0

/// The hashes of a learner's ids that do not count up (see ``IdentityKey``). Each row of `identity_leaves` is a leaf:
/// a sorted range of hashes. The leaves of a learner form a tree of one level.
///
/// Only the upper 28 bits of a hash are kept, so that a hash takes about two bytes. So a new id may seem to be stored.
/// For a learner with a million ids, this happens for 4 of 1,000 new ids. Such ids are then looked up in the events.
///
/// All leaves that a batch needs are read together, and all changed leaves are written together.
final class HashIndex {
    static let bits: Int64 = 28

    /// The hashes from `low` up to the start of the next leaf, packed.
    private struct Leaf {
        var row: IdentityLeaf
        var end: Int64
    }

    /// The largest number of hashes in a leaf; a larger leaf is split. The row of a leaf fits into a quarter of a page.
    /// A larger row would need an overflow page in SQLite.
    private static let capacity = 256

    private let tables: any PartitionTables
    /// For each learner, the leaves that the batch's hashes belong to, ascending.
    private var open: [Int64: [Leaf]] = [:]
    private var unwritten: [IdentityLeaf] = []

    init(_ tables: any PartitionTables) { self.tables = tables }

    /// Returns the upper bits of a hash. Only these bits are stored.
    static func kept(of hash: Int64) -> Int64 { hash >> (IdentityKey.hashBits - bits) }

    /// Reads the leaves that hashes belong to. Call it once for all learners, before any other method.
    /// - Parameter learners: the learners with their hashes, ascending.
    func open(_ learners: [(learner: Int64, hashes: [Int64])]) throws {
        let positions = learners.flatMap { learner, hashes in
            hashes.map { IdentityHash(learner: learner, hash: HashIndex.kept(of: $0)) }
        }
        guard !positions.isEmpty else { return }
        for (row, end) in try tables.identityLeaves(positions) {
            open[row.learner, default: []].append(Leaf(row: row, end: end))
        }
    }

    /// Returns true if the learner has stored hashes. Call ``open(_:)`` for the learner first.
    func hasLeaves(_ learner: Int64) -> Bool { open[learner] != nil }

    /// For each hash, true if the hash may be stored. True is not certain, so the events must be checked.
    /// - Parameter hashes: ascending. They must have been passed to ``open(_:)``.
    func contains(_ learner: Int64, _ hashes: [Int64]) throws -> [Bool] {
        let hashes = hashes.map(HashIndex.kept)
        var result = [Bool](repeating: false, count: hashes.count)
        for (leaf, range) in shares(learner, hashes) where !range.isEmpty {
            let stored = try HashIndex.hashes(of: leaf.row)
            var position = 0
            for index in range {
                while position < stored.count, stored[position] < hashes[index] { position += 1 }
                result[index] = position < stored.count && stored[position] == hashes[index]
            }
        }
        return result
    }

    /// Adds ascending hashes. If the learner has leaves, the hashes must have been passed to ``open(_:)``. Adding a
    /// stored hash has no effect.
    func add(_ learner: Int64, _ hashes: [Int64]) throws {
        let hashes = hashes.map(HashIndex.kept)
        var leaves: [Leaf] = []
        for (leaf, range) in shares(learner, hashes) {
            let stored = range.isEmpty ? [] : try HashIndex.hashes(of: leaf.row)
            let merged = range.isEmpty ? [] : HashIndex.merged(stored, hashes[range])
            guard merged.count > stored.count else {
                leaves.append(leaf)
                continue
            }
            let parts = HashIndex.split(merged, of: leaf)
            unwritten += parts.map(\.row)
            leaves += parts
        }
        if !leaves.isEmpty { open[learner] = leaves }
    }

    /// Writes the added hashes.
    func write() throws {
        guard !unwritten.isEmpty else { return }
        // One statement cannot write two rows with the same key.
        let rows = Dictionary(unwritten.map { (IdentityHash(learner: $0.learner, hash: $0.low), $0) }) { $1 }
        unwritten = []
        try tables.write(rows.sorted { $0.key < $1.key }.map(\.value))
    }

    private static func split(_ hashes: [Int64], of leaf: Leaf) -> [Leaf] {
        let parts = (hashes.count + capacity - 1) / capacity
        let starts = (0..<parts).map { $0 == 0 ? leaf.row.low : hashes[hashes.count * $0 / parts] }
        return starts.indices.map { part in
            let some = hashes[hashes.count * part / parts..<hashes.count * (part + 1) / parts]
            let data = SortedNumbers.encode(some, from: starts[part])
            return Leaf(
                row: IdentityLeaf(learner: leaf.row.learner, low: starts[part], data: data),
                end: part + 1 < parts ? starts[part + 1] : leaf.end
            )
        }
    }

    /// The open leaves that the hashes belong to. For each leaf, `range` has the indexes of its hashes.
    /// - Parameter hashes: ascending.
    private func shares(_ learner: Int64, _ hashes: [Int64]) -> [(leaf: Leaf, range: Range<Int>)] {
        // The first leaf of a learner begins at 0.
        let first = Leaf(
            row: IdentityLeaf(learner: learner, low: 0, data: SortedNumbers.encode([], from: 0)),
            end: .max
        )
        var shares: [(leaf: Leaf, range: Range<Int>)] = []
        var start = 0
        for leaf in open[learner] ?? [first] {
            let end = hashes[start...].firstIndex { $0 >= leaf.end } ?? hashes.count
            shares.append((leaf, start..<end))
            start = end
        }
        return shares
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
        var position = 0
        for number in new {
            while position < old.count, old[position] <= number {
                result.append(old[position])
                position += 1
            }
            if result.last != number { result.append(number) }
        }
        result += old[position...]
        return result
    }
}
