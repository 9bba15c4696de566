// SPDX-License-Identifier: Apache-2.0

/// When days and weeks start.
package struct RulesCalendar: Sendable, Equatable {
    /// IANA name, for events that say nothing about their wall clock.
    package var defaultTimezone = "UTC"
    /// Minutes after midnight, 0..<1440.
    package var dayStartsAtMinutes = 0
    /// 1 Monday … 7 Sunday.
    package var weekStartsOn = 1
}

/// Monday first, as in ISO 8601.
enum Weekday {
    static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}
