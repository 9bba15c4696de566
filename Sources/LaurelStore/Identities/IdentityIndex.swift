// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The identities a learner has in the store: rows of `identities`, each a run of numbers low … low + more of a family,
/// and ``HashedIdentities`` for ids that do not count.
struct IdentityIndex {
    private let session: SQLiteSession
    private let hashed: HashedIdentities
    private let find: Statement
    private let insert: Statement
    private let delete: Statement

    init(_ session: SQLiteSession) throws {
        self.session = session
        let connection = session.connection
        hashed = try HashedIdentities(session)
        find = try connection.statement(
            """
            SELECT low, more FROM identities WHERE learner = ? AND family = ? AND low <= ?
            ORDER BY low DESC LIMIT 1
            """
        )
        insert = try connection.statement("INSERT OR REPLACE INTO identities VALUES (?, ?, ?, ?)")
        delete = try connection.statement("DELETE FROM identities WHERE learner = ? AND family = ? AND low = ?")
    }

    /// Which of some numbers of a family, ascending, are there.
    func contains(_ learner: Int64, _ family: Int64, _ numbers: [Int64]) throws -> [Bool] {
        if family == IdentityKey.hashedFamily { return try hashed.contains(learner, numbers) }
        var result = [Bool](repeating: false, count: numbers.count)
        var known = try lastRun(OpenLearners.Family(learner: learner, number: family))
        var place = numbers.count - 1
        // From the greatest down: between a run that was found and the number it was found for there is none.
        while let run = known {
            while place >= 0, numbers[place] >= run.lowerBound {
                result[place] = numbers[place] <= run.upperBound
                place -= 1
            }
            known = place < 0 ? nil : try self.run(learner, family, atOrBefore: numbers[place])
        }
        return result
    }

    /// Adds numbers, ascending, none of which is there.
    func add(_ learner: Int64, _ family: Int64, _ numbers: [Int64]) throws {
        if family == IdentityKey.hashedFamily { return try hashed.add(learner, numbers) }
        guard let first = numbers.first else { return }
        let family = OpenLearners.Family(learner: learner, number: family)
        let last = try lastRun(family)
        guard let last, first < last.lowerBound else { return try append(numbers[...], after: last, of: family) }
        let end = numbers.indices.partitioningIndex { numbers[$0] > last.upperBound }
        if session.openLearners[family]?.isWritten == false { try write(last, of: family) }
        session.openLearners[family] = nil
        try insert(numbers[..<end], of: family)
        try append(numbers[end...], after: try lastRun(family), of: family)
    }

    /// Adds numbers that come after all others, which mostly are the next ones: nothing need be looked for.
    private func append(
        _ numbers: ArraySlice<Int64>,
        after last: ClosedRange<Int64>?,
        of family: OpenLearners.Family
    ) throws {
        guard !numbers.isEmpty else { return }
        var isWritten = session.openLearners[family]?.isWritten ?? true
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
        session.openLearners[family] = run.map { OpenLearners.LastRun(numbers: $0, isWritten: isWritten) }
    }

    /// Adds numbers among those that are written.
    private func insert(_ numbers: ArraySlice<Int64>, of family: OpenLearners.Family) throws {
        let (learner, number) = (family.learner, family.number)
        var place = numbers.startIndex
        while place < numbers.endIndex {
            var (low, high) = (numbers[place], numbers[place])
            place += 1
            while place < numbers.endIndex, numbers[place] <= high &+ 1 {
                high = numbers[place]
                place += 1
            }
            if let after = try run(learner, number, atOrBefore: high + 1), after.lowerBound == high + 1 {
                high = after.upperBound
                try delete.run(.integer(learner), .integer(number), .integer(after.lowerBound))
            }
            if let before = try run(learner, number, atOrBefore: low), before.upperBound >= low - 1 {
                low = before.lowerBound
                high = max(high, before.upperBound)
            }
            try write(low...high, of: family)
        }
    }

    func write(_ run: ClosedRange<Int64>, of family: OpenLearners.Family) throws {
        try insert.run(
            .integer(family.learner),
            .integer(family.number),
            .integer(run.lowerBound),
            .integer(run.upperBound - run.lowerBound)
        )
    }

    /// The run with the greatest numbers; nil where there is none.
    private func lastRun(_ family: OpenLearners.Family) throws -> ClosedRange<Int64>? {
        if let open = session.openLearners[family] { return open.numbers }
        guard let stored = try run(family.learner, family.number, atOrBefore: .max) else { return nil }
        session.openLearners[family] = OpenLearners.LastRun(numbers: stored, isWritten: true)
        return stored
    }

    private func run(_ learner: Int64, _ family: Int64, atOrBefore number: Int64) throws -> ClosedRange<Int64>? {
        find.reset()
        try find.bind([.integer(learner), .integer(family), .integer(number)])
        defer { find.reset() }
        guard try find.step() else { return nil }
        let (low, more) = (find.integer(0), find.integer(1))
        // An id that counts has at most 18 digits.
        guard more >= 0, low.magnitude < 1 << 60, more < 1 << 60 else {
            throw find.damage("identities from \(low) on, \(more) more")
        }
        return low...low + more
    }
}
