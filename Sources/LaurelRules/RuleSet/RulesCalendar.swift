// SPDX-License-Identifier: Apache-2.0

/// The rules for when days and weeks start.
package struct RulesCalendar: Sendable, Equatable {
    /// The IANA name of the time zone for events that contain no clock information.
    package var defaultTimezone = "UTC"
    /// The start of a day in minutes after midnight, 0..<1440.
    package var dayStartsAtMinutes = 0
    /// The first day of the week, from 1 for Monday to 7 for Sunday.
    package var weekStartsOn = 1
}

/// The weekdays, Monday first, as in ISO 8601.
enum Weekday {
    static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}
