// SPDX-License-Identifier: Apache-2.0

package import LaurelWire

/// Links from the days and weeks of a report to the learners who were active in that time. Only pages of the service
/// have these links. Files and messages do not have them.
package struct LearnerLinks: Sendable {
    @TaskLocal package static var current: LearnerLinks?

    private let address: @Sendable (ClosedRange<LocalDay>) -> String

    /// - Parameter address: returns the address of the list of learners who were active on at least one of the days.
    package init(_ address: @escaping @Sendable (ClosedRange<LocalDay>) -> String) { self.address = address }

    /// The address of a row's list of learners. The result is nil if the page has no links, or if the column does not
    /// contain days with such a list.
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
