// SPDX-License-Identifier: Apache-2.0

/// Compares a learner's rows in `achievement_rows` with the rows to be written. An event changes few rows. Unchanged
/// rows need not be written.
enum StoredAchievements {
    /// The key of a learner's row in the table.
    struct RowKey {
        var language: Int64
        var position: Int64
    }

    /// Compares the rows of one learner.
    /// - Parameters:
    ///   - range: the range of the learner's rows in `rows`.
    ///   - stored: rows of `achievement_rows`.
    ///   - storedRange: the range of the learner's rows in `stored`.
    /// - Returns: the indexes of rows that are stored unchanged, and the keys of stored rows that have changed or no
    ///   longer exist.
    static func compare(
        _ rows: TableRows,
        at range: Range<Int>,
        with stored: TableRows,
        at storedRange: Range<Int>
    ) -> (unchanged: [Int], outdated: [RowKey]) {
        var isOutdated = [Bool](repeating: true, count: storedRange.count)
        // Both have almost the same order, so usually the next stored row is the one to compare.
        var next = 0
        let unchanged = range.filter { number in
            let row = rows.row(number)
            for _ in storedRange {
                let candidate = next
                next = candidate + 1 < storedRange.count ? candidate + 1 : 0
                guard isOutdated[candidate], stored.row(storedRange.lowerBound + candidate).elementsEqual(row) else {
                    continue
                }
                isOutdated[candidate] = false
                return true
            }
            return false
        }
        let outdated = isOutdated.indices.filter { isOutdated[$0] }.map { candidate in
            let number = storedRange.lowerBound + candidate
            return RowKey(language: stored.integer(number, 1), position: stored.integer(number, 2))
        }
        return (unchanged, outdated)
    }
}
