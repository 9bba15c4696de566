// SPDX-License-Identifier: Apache-2.0

/// What `achievement_rows` holds of a learner, beside the rows that are to be written. Few change with an event, and a page
/// that nothing changes on need not be written.
enum StoredAchievements {
    /// Where in the table a learner's row stands.
    struct Place {
        var language: Int64
        var position: Int64
    }

    /// Reads a learner's rows, as ``RowBatch/achievements`` has them.
    static func selection(_ prefix: String) -> String {
        """
        SELECT learner, language, position, achievement, tier, tiers, unlocked_ms, progress, hidden
        FROM \(prefix)achievement_rows WHERE learner = ?
        """
    }

    /// - Parameters:
    ///   - places: the learner's among the rows.
    ///   - selection: see ``selection(_:)``.
    /// - Returns: the places of rows that are stored as they are, and where stored rows stand that are others now, or are
    ///   no more.
    static func compare(
        _ rows: CellRows,
        at places: Range<Int>,
        of learner: Int64,
        _ selection: Statement
    ) throws -> (unchanged: [Int], outdated: [Place]) {
        var stored = CellRows(width: rows.width)
        selection.reset()
        try selection.bind([.integer(learner)])
        defer { selection.reset() }
        while try selection.step() {
            for column in 0..<Int32(rows.width) { stored.append(cell(selection, column)) }
        }
        var isOutdated = [Bool](repeating: true, count: stored.count)
        // Both are in about the same order, so that the next one is mostly the one looked for.
        var next = 0
        let unchanged = places.filter { number in
            let row = rows.row(number)
            for _ in 0..<stored.count {
                let place = next
                next = place + 1 < stored.count ? place + 1 : 0
                guard isOutdated[place], stored.row(place).elementsEqual(row) else { continue }
                isOutdated[place] = false
                return true
            }
            return false
        }
        return (unchanged, isOutdated.indices.filter { isOutdated[$0] }.map { place(stored.row($0)) })
    }

    private static func place(_ row: ArraySlice<Cell>) -> Place {
        let first = row.startIndex
        return Place(
            language: Int64(bitPattern: row[first + 1].bits),
            position: Int64(bitPattern: row[first + 2].bits)
        )
    }

    /// Progress is the only number that may be broken.
    private static func cell(_ selection: Statement, _ column: Int32) -> Cell {
        if selection.isNull(column) { return .null }
        return column == 7 ? .real(selection.real(column)) : .integer(selection.integer(column))
    }
}
