// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelReports
import LaurelResults
import LaurelWire

/// Numbers, dates and durations in the reader's language, in the same form as in reports. Some phrases are used in the
/// dashboard only.
enum WrittenText {
    private static var reader: LocaleText { .current }

    /// A text for an attribute.
    static func text(_ text: PageText) -> String { text.written() }

    /// A whole number: `12,345`.
    static func number(_ number: Int) -> String { reader.number(Double(number)) }

    /// A number with up to two digits after the point; a dash for NaN.
    static func number(_ number: Double) -> String {
        number.isFinite && number.magnitude < 1e15 ? reader.number(number) : "–"
    }

    /// A change with its sign: `+12`, `-3`, `0`.
    static func change(_ number: Int) -> String { number > 0 ? "+\(self.number(number))" : self.number(number) }

    static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        text("\(count, one, many)")
    }

    /// A day: `Thu 2 Apr 2026`.
    static func day(_ day: LocalDay) -> String { reader.day(day) }

    /// The short name of a weekday, such as `Thu`.
    static func weekday(_ weekday: Int) -> String { reader.weekdayName(weekday) }

    /// A week: `16–22 November 2026`.
    static func week(_ first: LocalDay) -> String { reader.period(first, LocalDay(number: first.number + 6)) }

    /// A day and a time of day: `Thu 2 Apr 2026, 18:00 UTC`.
    static func time(_ date: Date) -> String {
        "\(day(LocalDay(containing: date.milliseconds))), \(clock(date).dropLast(3)) UTC"
    }

    /// A time of day: `18:00:05`.
    static func clock(_ date: Date) -> String {
        let seconds = Int((date.milliseconds % 86_400_000 + 86_400_000) % 86_400_000) / 1000
        return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// A relative time: `5 minutes ago`, `in 2 days`.
    static func ago(_ date: Date, now: Date) -> String {
        let seconds = now.timeIntervalSince(date)
        let (minutes, hours) = (Int(seconds.magnitude / 60), Int(seconds.magnitude / 3600))
        let (days, months) = (hours / 24, hours / 720)
        let isPast = seconds > 0
        return switch seconds.magnitude {
        case ..<60: text("just now")
        case ..<3600: text(isPast ? "\(minutes, "minute") ago" : "in \(minutes, "minute")")
        case ..<172_800: text(isPast ? "\(hours, "hour") ago" : "in \(hours, "hour")")
        case ..<5_184_000: text(isPast ? "\(days, "day") ago" : "in \(days, "day")")
        default: text(isPast ? "\(months, "month") ago" : "in \(months, "month")")
        }
    }

    static func span(_ seconds: Double) -> String {
        switch seconds {
        case ..<60: text("\(Int(seconds), "second")")
        case ..<3600: text("\(Int(seconds / 60), "minute")")
        case ..<172_800: text("\(Int(seconds / 3600), "hour")")
        case ..<5_184_000: text("\(Int(seconds / 86_400), "day")")
        default: text("\(Int(seconds / 2_592_000), "month")")
        }
    }

    /// A duration: `2 h 05 min`.
    static func minutes(_ minutes: Int) -> String { reader.duration(Double(minutes) * 60_000) }

    static func percent(_ percent: Double) -> String { reader.percent(min(max(percent, 0), 100)) }

    /// A size: `1.5 MB`.
    static func bytes(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: text("\(bytes, "byte")")
        case ..<1_000_000: text("\(number((Double(bytes) / 100).rounded() / 10)) kB")
        case ..<1_000_000_000: text("\(number((Double(bytes) / 100_000).rounded() / 10)) MB")
        default: text("\(number((Double(bytes) / 100_000_000).rounded() / 10)) GB")
        }
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
