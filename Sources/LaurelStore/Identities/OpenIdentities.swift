// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Hashes of ids that do not count, of the learners whom a transaction under way has met: of each of them all.
struct OpenIdentities {
    /// Ascending.
    private var hashes: [Int64: [Int64]] = [:]
    /// Those to whom something was added.
    private(set) var changed: Set<Int64> = []
    /// What they take, about.
    private(set) var bytes = 0

    /// Of a learner, beside the hashes themselves.
    private static let overhead = 64

    var learners: Dictionary<Int64, [Int64]>.Keys { hashes.keys }

    /// The hashes of a learner, ascending; nil where nobody has looked for them.
    subscript(learner: Int64) -> [Int64]? { hashes[learner] }

    /// Opens a learner's hashes, or takes what a new search has found in place of those that are open.
    mutating func open(_ learner: Int64, _ all: [Int64]) {
        bytes += OpenIdentities.size(all)
        if let old = hashes.updateValue(all, forKey: learner) { bytes -= OpenIdentities.size(old) }
    }

    mutating func forget(_ learner: Int64) {
        changed.remove(learner)
        if let old = hashes.removeValue(forKey: learner) { bytes -= OpenIdentities.size(old) }
    }

    private static func size(_ hashes: [Int64]) -> Int {
        hashes.count * MemoryLayout<Int64>.stride + overhead
    }

    /// Which of some hashes, ascending, a learner has; nil where nobody has looked for the learner's.
    func contains(_ learner: Int64, _ some: [Int64]) -> [Bool]? {
        guard let all = hashes[learner] else { return nil }
        return all.withUnsafeBufferPointer { all in
            some.map { hash in
                let place = all.place(ofHash: hash, below: all.count)
                return place < all.count && all[place] == hash
            }
        }
    }

    /// Adds hashes, ascending, of a learner whose others are here.
    mutating func add(_ learner: Int64, _ new: [Int64]) {
        guard !new.isEmpty else { return }
        changed.insert(learner)
        hashes[learner]?.merge(new)
        bytes += new.count * MemoryLayout<Int64>.stride
    }
}

extension [Int64] {
    /// Puts ascending numbers among ascending ones, from the end: each of these moves once.
    fileprivate mutating func merge(_ new: [Int64]) {
        let before = count
        var end = before
        // Doubling would keep as much again free, for thousands of learners.
        if capacity < count + new.count { reserveCapacity((count + new.count) * 5 / 4) }
        append(contentsOf: new)
        withUnsafeMutableBufferPointer { all in
            for (index, hash) in new.enumerated().reversed() {
                let old = UnsafeBufferPointer(rebasing: all[..<before])
                let place = old.place(ofHash: hash, below: end)
                let moved = UnsafeMutableBufferPointer(rebasing: all[(place + index + 1)..<(end + index + 1)])
                _ = moved.update(fromContentsOf: UnsafeMutableBufferPointer(rebasing: all[place..<end]))
                all[place + index] = hash
                end = place
            }
        }
    }
}

extension UnsafeBufferPointer<Int64> {
    /// Of ascending hashes, the first that is not less than another; `end` where all before it are less.
    ///
    /// Hashes are spread evenly, so that it is looked for around where it would be if their distances were alike: far less
    /// memory is touched than by halving.
    fileprivate func place(ofHash hash: Int64, below end: Int) -> Int {
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
