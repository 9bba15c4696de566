// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The hashes of ids that do not count up (see ``IdentityKey``), in memory during a transaction. A learner is *open* if
/// all hashes of the learner's ids are here.
struct TransactionIdentities {
    /// The hashes of each learner, ascending.
    private var hashes: [Int64: [Int64]] = [:]
    /// The learners that got new hashes.
    private(set) var changed: Set<Int64> = []
    /// The learners that may have leaves. All other open learners have none.
    private(set) var mayHaveLeaves: Set<Int64> = []
    /// The approximate memory in bytes.
    private(set) var bytes = 0

    /// The bytes that a learner needs in addition to the hashes.
    private static let overhead = 64

    var learners: Dictionary<Int64, [Int64]>.Keys { hashes.keys }

    /// The hashes of a learner, ascending; nil if the learner is not open.
    subscript(learner: Int64) -> [Int64]? { hashes[learner] }

    /// Opens a learner with all hashes. If the learner is open already, the hashes are replaced.
    mutating func open(_ learner: Int64, _ all: [Int64], mayHaveLeaves: Bool = false) {
        if mayHaveLeaves { self.mayHaveLeaves.insert(learner) }
        bytes += TransactionIdentities.size(all)
        if let old = hashes.updateValue(all, forKey: learner) { bytes -= TransactionIdentities.size(old) }
    }

    mutating func forget(_ learner: Int64) {
        changed.remove(learner)
        if let old = hashes.removeValue(forKey: learner) { bytes -= TransactionIdentities.size(old) }
    }

    private static func size(_ hashes: [Int64]) -> Int {
        hashes.count * MemoryLayout<Int64>.stride + overhead
    }

    /// For each hash, true if the learner has it. The result is nil if the learner is not open.
    func contains(_ learner: Int64, _ some: [Int64]) -> [Bool]? {
        guard let all = hashes[learner] else { return nil }
        return all.withUnsafeBufferPointer { all in
            some.map { hash in
                let position = all.position(ofHash: hash, below: all.count)
                return position < all.count && all[position] == hash
            }
        }
    }

    /// Adds ascending hashes to an open learner.
    mutating func add(_ learner: Int64, _ new: [Int64]) {
        guard !new.isEmpty else { return }
        changed.insert(learner)
        hashes[learner]?.merge(new)
        bytes += new.count * MemoryLayout<Int64>.stride
    }
}

extension [Int64] {
    /// Merges ascending numbers into ascending ones. Begins at the end, so that each number is moved once.
    fileprivate mutating func merge(_ new: [Int64]) {
        let before = count
        var end = before
        // Doubling the memory would leave half of it unused, for thousands of learners.
        if capacity < count + new.count { reserveCapacity((count + new.count) * 5 / 4) }
        append(contentsOf: new)
        withUnsafeMutableBufferPointer { all in
            for (index, hash) in new.enumerated().reversed() {
                let old = UnsafeBufferPointer(rebasing: all[..<before])
                let position = old.position(ofHash: hash, below: end)
                let moved = UnsafeMutableBufferPointer(rebasing: all[(position + index + 1)..<(end + index + 1)])
                _ = moved.update(fromContentsOf: UnsafeMutableBufferPointer(rebasing: all[position..<end]))
                all[position + index] = hash
                end = position
            }
        }
    }
}

extension UnsafeBufferPointer<Int64> {
    /// The index of the first hash that is not less than the given hash; `end` if all hashes before `end` are less.
    /// The hashes are ascending and spread evenly. So the search begins at the index that equal distances would give,
    /// and reads far less memory than a binary search.
    fileprivate func position(ofHash hash: Int64, below end: Int) -> Int {
        let guess = Int(Double(hash) / Double(1 << IdentityKey.hashBits) * Double(count))
        var (low, high) = (Swift.min(guess, end), Swift.min(guess, end))
        var step = 8
        while low > 0, self[low - 1] >= hash {
            high = low - 1
            low = Swift.max(0, high - step)
            step *= 2
        }
        while high < end, self[high] < hash {
            low = high + 1
            high = Swift.min(end, low + step)
            step *= 2
        }
        return (low..<high).partitioningIndex { self[$0] >= hash }
    }
}
