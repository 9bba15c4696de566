// SPDX-License-Identifier: Apache-2.0

package import LaurelWire

/// Links from a report to learners: from a name to the learner's page, and from days and weeks to the learners who were
/// active in that time. Only pages of the service have these links. Files and messages do not have them.
package struct LearnerLinks: Sendable {
    @TaskLocal package static var current: LearnerLinks?

    private let page: @Sendable (_ id: String) -> String
    private let list: (@Sendable (ClosedRange<LocalDay>) -> String)?

    /// - Parameters:
    ///   - page: returns the address of a learner's page.
    ///   - list: returns the address of the list of learners who were active on at least one of the days; nil for no
    ///     links to lists.
    package init(
        page: @escaping @Sendable (_ id: String) -> String,
        list: (@Sendable (ClosedRange<LocalDay>) -> String)?
    ) {
        (self.page, self.list) = (page, list)
    }

    /// The address of a learner's page; nil if the page has no links.
    static func address(of learner: String) -> String? { current?.page(learner) }

    /// The address of a row's list of learners. The result is nil if the page has no links, or if the column does not
    /// contain days with such a list.
    static func address(_ cell: Cell, _ column: DataTable.Column) -> String? {
        guard let list = current?.list, let span = column.active, let text = cell.text,
            let first = LocalDay(parsing: text.utf8)
        else { return nil }
        return list(first...LocalDay(number: first.number + span.days - 1))
    }
}

/// The days that a date in a report stands for.
enum DaySpan: String, Sendable, CaseIterable {
    case day, week

    var days: Int32 { self == .day ? 1 : 7 }
}
