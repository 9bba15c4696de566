// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    mutating func readCalendar(_ node: YAMLNode?, _ isKnownTimezone: (String) -> Bool) -> RulesCalendar {
        var calendar = RulesCalendar()
        guard let section = section(node, .calendar) else { return calendar }
        if let node = section["default_timezone"], let name = text(node, "`default_timezone`") {
            if !isKnownTimezone(name) {
                report(node.offset, "unknown timezone `\(name)`: use an IANA name like Europe/Berlin")
            }
            calendar.defaultTimezone = name
        }
        if let node = section["day_starts_at"], let time = text(node, "`day_starts_at`") {
            if let minutes = minutesAfterMidnight(time) {
                calendar.dayStartsAtMinutes = minutes
            } else {
                report(node.offset, "`day_starts_at` must be a time from 00:00 to 23:59, not `\(time)`")
            }
        }
        if let node = section["week_starts_on"],
            let index = choice(node, "`week_starts_on`", of: Weekday.names)
        {
            calendar.weekStartsOn = index + 1
        }
        return calendar
    }

    private func minutesAfterMidnight(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        let digits = bytes.map { Int($0) - Int(UInt8(ascii: "0")) }
        guard bytes.count == 5, bytes.has(":", at: 2), [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) }) else {
            return nil
        }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[3] * 10 + digits[4])
        return hours < 24 && minutes < 60 ? hours * 60 + minutes : nil
    }
}
