// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

extension OverviewRecord {
    /// The columns of an overview.
    static let fields = TrackNumbers.relation.fields([
        "xp", "level", "current_streak", "words_learned", "last_event_ms", "events", "last_activity_day",
        "last_practice_ms", "timezone", "streak_ends_day", "flagged_events", "flagged_xp",
    ])
    /// The expressions to select, with the learner's row as `l` and the row of progress as `p`.
    static let columns = "l.learner, l.subject, l.events, l.display_name, l.cohort, \(fields.columns.names("p."))"
    /// The index of the column with the first number.
    static let firstField = 5
    /// Memory for the columns of one row.
    static var cells: TableRows { TableRows(width: fields.columns.count) }

    /// Reads the numbers of a row from cells.
    mutating func read(_ cells: TableRows) throws(Corruption) { try numbers.read(Self.fields, cells, 0) }
}
