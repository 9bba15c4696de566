/// What `achievement_rows` holds of a learner, beside the rows that are to be written. Few change with an event, and a page
/// that nothing changes on need not be written.
enum StoredAchievements {
    /// Where in the table a learner's row stands.
    struct Place: Hashable {
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
        var stored: [Place: [Cell]] = [:]
        selection.reset()
        try selection.bind([.integer(learner)])
        defer { selection.reset() }
        while try selection.step() {
            let cells = (0..<Int32(rows.width)).map { cell(selection, $0) }
            stored[place(cells[...])] = cells
        }
        let unchanged = places.filter { number in
            let row = rows.row(number)
            guard let cells = stored[place(row)], row.elementsEqual(cells) else { return false }
            stored[place(row)] = nil
            return true
        }
        return (unchanged, Array(stored.keys))
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
