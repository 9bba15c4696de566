// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The index of stored identities. The table `identities` has the ids that count up, as runs of a family's numbers
/// from `low` to `low + more`. ``HashedIdentities`` has the other ids.
struct IdentityIndex {
    private let session: StoreSession
    private let hashed: HashedIdentities

    init(_ session: StoreSession) {
        self.session = session
        hashed = HashedIdentities(session)
    }

    /// Reads the hashes of a batch's learners. Call it once before any other method, with the learners who have events
    /// and hashed ids.
    /// - Parameter learners: the learners, ascending, each with the ascending hashes of its ids in the batch.
    func open(_ learners: [(learner: Int64, hashes: [Int64])]) throws { try hashed.open(learners) }

    /// Writes the added identities that ``StoreSession/closeLearners()`` does not write.
    func write() throws { try hashed.write() }

    /// For each number of a family, true if the number is stored. In ``IdentityKey/hashedFamily``, true is not certain.
    /// - Parameter numbers: ascending.
    func contains(_ learner: Int64, _ family: Int64, _ numbers: [Int64]) throws -> [Bool] {
        if family == IdentityKey.hashedFamily { return try hashed.contains(learner, numbers) }
        var result = [Bool](repeating: false, count: numbers.count)
        let family = IdentityFamily(learner: learner, number: family)
        var known = try lastRun(family, of: session.part(of: learner))
        var position = numbers.count - 1
        // The search goes from the greatest number down. No other run lies between a number and the run that is found
        // for it.
        while let run = known {
            while position >= 0, numbers[position] >= run.lowerBound {
                result[position] = numbers[position] <= run.upperBound
                position -= 1
            }
            known = position < 0 ? nil : try self.run(family, atOrBefore: numbers[position])
        }
        return result
    }

    /// Adds ascending numbers of a family. None of them may be stored yet.
    func add(_ learner: Int64, _ family: Int64, _ numbers: [Int64]) throws {
        if family == IdentityKey.hashedFamily { return try hashed.add(learner, numbers) }
        guard let first = numbers.first else { return }
        let family = IdentityFamily(learner: learner, number: family)
        let part = try session.part(of: learner)
        let last = try lastRun(family, of: part)
        guard let last, first < last.lowerBound else { return try append(numbers[...], after: last, of: family, part) }
        let end = numbers.indices.partitioningIndex { numbers[$0] > last.upperBound }
        if part.openLearners[family]?.isWritten == false { try write(last, of: family) }
        part.openLearners[family] = nil
        try insert(numbers[..<end], of: family)
        try append(numbers[end...], after: try lastRun(family, of: part), of: family, part)
    }

    /// Adds numbers that are greater than all stored ones. Usually they continue the last run, which is cached.
    private func append(
        _ numbers: ArraySlice<Int64>,
        after last: ClosedRange<Int64>?,
        of family: IdentityFamily,
        _ part: PartitionState
    ) throws {
        guard !numbers.isEmpty else { return }
        var isWritten = part.openLearners[family]?.isWritten ?? true
        var run = last
        for number in numbers {
            if let known = run, number <= known.upperBound &+ 1 {
                run = known.lowerBound...max(known.upperBound, number)
            } else {
                if let run, !isWritten { try write(run, of: family) }
                run = number...number
            }
            isWritten = false
        }
        part.openLearners[family] = run.map { LearnerCountCache.LastRun(numbers: $0, isWritten: isWritten) }
    }

    /// Adds numbers between stored ones.
    private func insert(_ numbers: ArraySlice<Int64>, of family: IdentityFamily) throws {
        var position = numbers.startIndex
        while position < numbers.endIndex {
            var (low, high) = (numbers[position], numbers[position])
            position += 1
            while position < numbers.endIndex, numbers[position] <= high &+ 1 {
                high = numbers[position]
                position += 1
            }
            if let after = try run(family, atOrBefore: high + 1), after.lowerBound == high + 1 {
                high = after.upperBound
                try session.tables.delete([IdentityRun(family: family, numbers: after)])
            }
            if let before = try run(family, atOrBefore: low), before.upperBound >= low - 1 {
                low = before.lowerBound
                high = max(high, before.upperBound)
            }
            try write(low...high, of: family)
        }
    }

    private func write(_ run: ClosedRange<Int64>, of family: IdentityFamily) throws {
        try session.tables.write([IdentityRun(family: family, numbers: run)])
    }

    /// The run with the greatest numbers; nil if there is none.
    private func lastRun(_ family: IdentityFamily, of part: PartitionState) throws -> ClosedRange<Int64>? {
        if !part.openLearners.hasCached(family) { part.openLearners.open(family, try run(family, atOrBefore: .max)) }
        return part.openLearners[family]?.numbers
    }

    private func run(_ family: IdentityFamily, atOrBefore number: Int64) throws -> ClosedRange<Int64>? {
        try session.tables.identityRuns([(family, number)])[0]
    }
}
