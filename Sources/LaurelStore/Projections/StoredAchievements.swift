// SPDX-License-Identifier: Apache-2.0

/// What `achievement_rows` holds of a learner, beside the rows that are to be written. Few change with an event, and a page
/// that nothing changes on need not be written.
enum StoredAchievements {
    /// Where in the table a learner's row stands.
    struct Place {
        var language: Int64
        var position: Int64
    }

    /// - Parameters:
    ///   - places: the learner's among the rows.
    ///   - stored: rows of `achievement_rows`.
    ///   - storedPlaces: the learner's among those.
    /// - Returns: the places of rows that are stored as they are, and where stored rows stand that are others now, or are
    ///   no more.
    static func compare(
        _ rows: TableRows,
        at places: Range<Int>,
        with stored: TableRows,
        at storedPlaces: Range<Int>
    ) -> (unchanged: [Int], outdated: [Place]) {
        var isOutdated = [Bool](repeating: true, count: storedPlaces.count)
        // Both are in about the same order, so that the next one is mostly the one looked for.
        var next = 0
        let unchanged = places.filter { number in
            let row = rows.row(number)
            for _ in storedPlaces {
                let place = next
                next = place + 1 < storedPlaces.count ? place + 1 : 0
                guard isOutdated[place], stored.row(storedPlaces.lowerBound + place).elementsEqual(row) else {
                    continue
                }
                isOutdated[place] = false
                return true
            }
            return false
        }
        let outdated = isOutdated.indices.filter { isOutdated[$0] }.map { place in
            let number = storedPlaces.lowerBound + place
            return Place(language: stored.integer(number, 1), position: stored.integer(number, 2))
        }
        return (unchanged, outdated)
    }
}
