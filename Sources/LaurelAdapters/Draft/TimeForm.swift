// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelWire

/// A way of writing times, and the expression of a mapping that reads it.
struct TimeForm {
    /// The pattern of `local_time`; nil for times that name an instant.
    let pattern: String?
    /// The expression; `$` stands for the column.
    let expression: String
    private let matches: @Sendable (String) -> Bool

    func fits(_ text: String) -> Bool { matches(text) }

    func read(_ path: String) -> String { expression.replacing("$", with: path, maxReplacements: 1) }

    /// All forms. If several forms fit all values of a column, the first of them is used.
    static let all: [TimeForm] =
        [
            TimeForm(pattern: nil, expression: "$") { text in
                Array(text.utf8).withUnsafeBufferPointer { (try? Timestamp(parsing: $0)) != nil }
            },
            TimeForm(pattern: nil, expression: "unix_time_ms($)") { isNumber($0, digits: 13) },
            TimeForm(pattern: nil, expression: "unix_time($)") { isNumber($0, digits: 10) },
        ]
        + ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d %b %Y"]
        .flatMap { date in ["", " %H:%M", " %H:%M:%S", " %I:%M %p", "T%H:%M:%S", "T%H:%M"].map { date + $0 } }
        .map { pattern in
            TimeForm(pattern: pattern, expression: "local_time($, '\(pattern)', :timezone)") {
                WallTime(Array($0.utf8), pattern: Array(pattern.utf8)) != nil
            }
        }

    /// The first form that fits all values.
    static func of(_ values: [String]) -> TimeForm? {
        values.isEmpty ? nil : all.first { form in values.allSatisfy(form.fits) }
    }

    /// True if another form with day and month exchanged fits the values, too.
    func isAmbiguous(_ values: [String]) -> Bool {
        guard let pattern, pattern.hasPrefix("%d/%m") else { return false }
        let other = pattern.replacing("%d/%m", with: "%m/%d")
        return TimeForm.all.first { $0.pattern == other }.map { values.allSatisfy($0.fits) } ?? false
    }

    private static func isNumber(_ text: String, digits: Int) -> Bool {
        text.utf8.count == digits && text.utf8.first == UInt8(ascii: "1") && text.utf8.allSatisfy { 48...57 ~= $0 }
    }
}
