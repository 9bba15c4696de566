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

    private let any: Statement
    private let find: Statement
    private let next: Statement
    private let insert: Statement
    private let delete: Statement

    init(_ connection: Connection) throws {
        any = try connection.statement("SELECT 1 FROM identity_leaves LIMIT 1")
        find = try connection.statement(
            "SELECT low, data FROM identity_leaves WHERE learner = ? AND low <= ? ORDER BY low DESC LIMIT 1"
        )
        next = try connection.statement(
            "SELECT low FROM identity_leaves WHERE learner = ? AND low > ? ORDER BY low LIMIT 1"
        )
        insert = try connection.statement("INSERT OR REPLACE INTO identity_leaves VALUES (?, ?, ?)")
        delete = try connection.statement("DELETE FROM identity_leaves WHERE learner = ?")
    }

    /// What is kept of a hash.
    static func kept(of hash: Int64) -> Int64 { hash >> (IdentityKey.hashBits - bits) }

    /// Whether any hash of anybody is there.
    func areThere() throws -> Bool {
        any.reset()
        defer { any.reset() }
        return try any.step()
    }

    /// Whether any hash of a learner is there.
    func has(_ learner: Int64) throws -> Bool {
        next.reset()
        try next.bind([.integer(learner), .integer(-1)])
        defer { next.reset() }
        return try next.step()
    }

    func removeAll(of learner: Int64) throws { try delete.run(.integer(learner)) }

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
            let parts = (merged.count + IdentityLeaves.capacity - 1) / IdentityLeaves.capacity
            for part in 0..<parts {
                let some = merged[merged.count * part / parts..<merged.count * (part + 1) / parts]
                let low = part == 0 ? leaf.low : some.first!
                try insert.run(.integer(learner), .integer(low), .blob(SortedNumbers.encode(some, from: low)))
            }
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
        find.reset()
        try find.bind([.integer(learner), .integer(hash)])
        defer { find.reset() }
        // A learner's first leaf starts at 0.
        guard try find.step() else { return Leaf(low: 0, end: .max, hashes: []) }
        let low = find.integer(0)
        next.reset()
        try next.bind([.integer(learner), .integer(hash)])
        defer { next.reset() }
        let end = try next.step() ? next.integer(0) : .max
        return Leaf(low: low, end: end, hashes: try IdentityLeaves.hashes(find.bytes(1), from: low))
    }

    /// The hashes of a leaf's bytes.
    static func hashes(_ data: UnsafeRawBufferPointer, from low: Int64) throws -> [Int64] {
        do throws(Corruption) {
            return try SortedNumbers.decode(data, from: low, limit: 1 << 16)
        } catch {
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
