// SPDX-License-Identifier: Apache-2.0

/// The start of days and weeks.
package struct RulesCalendar: Sendable, Equatable {
    /// The IANA name of the zone for events without clock information.
    package var defaultTimezone = "UTC"
    /// The start of a day in minutes after midnight, 0..<1440.
    package var dayStartsAtMinutes = 0
    /// The first weekday, 1 Monday … 7 Sunday.
    package var weekStartsOn = 1
}

/// The weekdays, Monday first, as in ISO 8601.
enum Weekday {
    static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}
