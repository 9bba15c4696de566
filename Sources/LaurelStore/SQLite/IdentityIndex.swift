/// The identities a learner has in the store: rows of `identities`, each a run of numbers low … low + more of a family,
/// and ``HashedIdentities`` for ids that do not count.
struct IdentityIndex {
    private let hashed: HashedIdentities
    private let find: Statement
    private let insert: Statement
    private let delete: Statement

    init(_ session: SQLiteSession) throws {
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
        var place = numbers.count - 1
        // From the greatest down: between a run that was found and the number it was found for there is none.
        while place >= 0 {
            guard let known = try run(learner, family, atOrBefore: numbers[place]) else { break }
            while place >= 0, numbers[place] >= known.lowerBound {
                result[place] = numbers[place] <= known.upperBound
                place -= 1
            }
        }
        return result
    }

    /// Adds numbers, ascending, none of which is there.
    func add(_ learner: Int64, _ family: Int64, _ numbers: [Int64]) throws {
        if family == IdentityKey.hashedFamily { return try hashed.add(learner, numbers) }
        var place = 0
        while place < numbers.count {
            var (low, high) = (numbers[place], numbers[place])
            place += 1
            while place < numbers.count, numbers[place] <= high &+ 1 {
                high = numbers[place]
                place += 1
            }
            if let after = try run(learner, family, atOrBefore: high + 1), after.lowerBound == high + 1 {
                high = after.upperBound
                try delete.run(.integer(learner), .integer(family), .integer(after.lowerBound))
            }
            if let before = try run(learner, family, atOrBefore: low), before.upperBound >= low - 1 {
                low = before.lowerBound
                high = max(high, before.upperBound)
            }
            try insert.run(.integer(learner), .integer(family), .integer(low), .integer(high - low))
        }
    }

    private func run(_ learner: Int64, _ family: Int64, atOrBefore number: Int64) throws -> ClosedRange<Int64>? {
        find.reset()
        try find.bind([.integer(learner), .integer(family), .integer(number)])
        defer { find.reset() }
        guard try find.step() else { return nil }
        let low = find.integer(0)
        return low...low + max(0, find.integer(1))
    }
}
