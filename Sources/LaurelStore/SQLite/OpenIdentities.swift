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
        var place = 0
        return some.map { hash in
            place = (place..<all.count).partitioningIndex { all[$0] >= hash }
            return place < all.count && all[place] == hash
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
        var end = count
        // Doubling would keep as much again free, for thousands of learners.
        if capacity < count + new.count { reserveCapacity((count + new.count) * 5 / 4) }
        append(contentsOf: new)
        withUnsafeMutableBufferPointer { all in
            for (before, number) in new.enumerated().reversed() {
                let place = (0..<end).partitioningIndex { all[$0] > number }
                let moved = UnsafeMutableBufferPointer(rebasing: all[(place + before + 1)..<(end + before + 1)])
                _ = moved.update(fromContentsOf: UnsafeMutableBufferPointer(rebasing: all[place..<end]))
                all[place + before] = number
                end = place
            }
        }
    }
}
