// SPDX-License-Identifier: Apache-2.0

/// A view of one list in the column `games` of `progress_rows`: one row per object of the list. The list has the name of
/// the view, and the members of its objects have the names of the columns.
/// Rejected: tables, because every learner has few of these rows, and all of them change together with the learner's row
/// of progress.
package struct GamesView: Sendable {
    package let name: String
    /// The columns that the view shows after the columns of the learner.
    package let columns: [Column]

    package static let all = [
        GamesView(
            name: "goals",
            columns: [
                .text("goal"), .text("every"), .text("window", "date, week or season; in PostgreSQL `g.window`"),
                .real("value"), .real("target"),
                .optionalInstant("completed_ms", as: "completed_at"), .number("times", isNarrow: false),
            ]
        ),
        GamesView(
            name: "balances",
            columns: [
                .text("currency"), .number("balance", isNarrow: false), .optionalNumber("hold"),
                .optionalInstant("refill_anchor_ms", as: "refill_anchor", "null: nothing refills"),
                .optionalNumber("refill_every_ms"), .optionalNumber("refill_by"),
            ]
        ),
    ]
}
