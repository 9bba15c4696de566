// SPDX-License-Identifier: Apache-2.0

package import LaurelWire

/// Links from the days and weeks of a report to the learners who were active then. Only pages of the service have them;
/// files and messages have none.
package struct LearnerLinks: Sendable {
    @TaskLocal package static var current: LearnerLinks?

    private let address: @Sendable (ClosedRange<LocalDay>) -> String

    /// - Parameter address: returns the address of the list of learners who were active on one of some days.
    package init(_ address: @escaping @Sendable (ClosedRange<LocalDay>) -> String) { self.address = address }

    /// The address of the learners of a row; nil if the page has no links, or the column names no such days.
    static func address(_ cell: Cell, _ column: DataTable.Column) -> String? {
        guard let current, let span = column.active, let text = cell.text, let first = LocalDay(parsing: text.utf8)
        else { return nil }
        return current.address(first...LocalDay(number: first.number + span.days - 1))
    }
}

/// The days that a date in a report stands for.
enum DaySpan: String, Sendable, CaseIterable {
    case day, week

    var days: Int32 { self == .day ? 1 : 7 }
}
