// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

/// What the rows of `learners` say of those who are written next, read some hundred at a time: a replay finds most of them as
/// they are to be.
final class ProfilesAhead {
    private struct Row {
        var learner: Int64
        /// Where in ``texts`` they stand.
        var displayName: Range<Int>?
        var cohort: Range<Int>?
        var nativeLanguage: Range<Int>?
        /// nil where the learner was never projected.
        var dailyGoalMinutes: Int64?
    }

    private let selection: Statement
    /// Ascending, those of `next` and later still to come.
    private var rows: [Row] = []
    private var next = 0
    /// What the rows say, text after text.
    private var texts: [UInt8] = []

    init(_ connection: Connection) throws {
        selection = try connection.statement(
            """
            SELECT learner, display_name, cohort, native_language, daily_goal_minutes FROM learners
            WHERE learner >= ? ORDER BY learner LIMIT 256
            """
        )
    }

    /// To be called before learners are asked for that do not follow those asked for before.
    func forget() {
        rows.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        next = 0
    }

    /// Whether a learner's row says what a projection does. Learners must be asked for in ascending order.
    func has(_ projection: LearnerProjection, _ learner: Int64) throws -> Bool {
        while next < rows.count, rows[next].learner < learner { next += 1 }
        if next == rows.count { try read(from: learner) }
        guard next < rows.count, rows[next].learner == learner else { return false }
        let row = rows[next]
        return row.dailyGoalMinutes == Int64(projection.dailyGoalMinutes)
            && isSame(row.displayName, projection.displayName) && isSame(row.cohort, projection.cohort)
            && isSame(row.nativeLanguage, projection.nativeLanguage)
    }

    private func isSame(_ one: Range<Int>?, _ other: String?) -> Bool {
        guard let one, var other else { return one == nil && other == nil }
        return other.withUTF8 { other in
            texts.withUnsafeBufferPointer { $0[one].elementsEqual(other) }
        }
    }

    private func text(_ column: Int32) -> Range<Int>? {
        guard !selection.isNull(column) else { return nil }
        let start = texts.count
        texts.append(contentsOf: selection.bytes(column))
        return start..<texts.count
    }

    private func read(from learner: Int64) throws {
        forget()
        selection.reset()
        try selection.bind([.integer(learner)])
        defer { selection.reset() }
        while try selection.step() {
            rows.append(
                Row(
                    learner: selection.integer(0),
                    displayName: text(1),
                    cohort: text(2),
                    nativeLanguage: text(3),
                    dailyGoalMinutes: selection.optionalInteger(4)
                )
            )
        }
    }
}
