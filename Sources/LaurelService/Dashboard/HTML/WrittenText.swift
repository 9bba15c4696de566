// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelResults
import LaurelWire

/// Numbers, dates and spans of time in English, as the pages write them.
enum WrittenText {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// `12,345`.
    static func number(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "−" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// Up to two digits after the point.
    static func number(_ number: Double) -> String {
        guard number.isFinite, number.magnitude < 1e15 else { return "–" }
        let hundredths = Int((number * 100).rounded())
        let rest = hundredths.magnitude % 100
        let whole = (hundredths < 0 ? "−" : "") + Self.number(Int(hundredths.magnitude / 100))
        guard rest > 0 else { return whole == "−0" ? "0" : whole }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// `+12`, `−3`, `0`.
    static func change(_ number: Int) -> String { number > 0 ? "+\(self.number(number))" : self.number(number) }

    static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number(count)) \(count == 1 ? one : many ?? one + "s")"
    }

    /// `Thu 2 Apr 2026`.
    static func day(_ day: LocalDay) -> String {
        let (year, month, date) = day.civil
        return "\(weekdays[day.weekday - 1]) \(date) \(months[month - 1]) \(year)"
    }

    /// `2 Apr 2026, 18:00 UTC`.
    static func time(_ date: Date) -> String {
        let day = LocalDay(containing: date.milliseconds)
        let (year, month, number) = day.civil
        let minutes = Int(date.milliseconds - Int64(day.number) * 86_400_000) / 60_000
        return "\(number) \(months[month - 1]) \(year), \(two(minutes / 60)):\(two(minutes % 60)) UTC"
    }

    /// `18:00:05`.
    static func clock(_ date: Date) -> String {
        let seconds = Int((date.milliseconds % 86_400_000 + 86_400_000) % 86_400_000) / 1000
        return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// `5 minutes ago`, `in 2 days`.
    static func ago(_ date: Date, now: Date) -> String {
        let seconds = now.timeIntervalSince(date)
        guard seconds.magnitude >= 60 else { return "just now" }
        let span = span(seconds.magnitude)
        return seconds > 0 ? "\(span) ago" : "in \(span)"
    }

    static func span(_ seconds: Double) -> String {
        switch seconds {
        case ..<60: count(Int(seconds), "second")
        case ..<3600: count(Int(seconds / 60), "minute")
        case ..<172_800: count(Int(seconds / 3600), "hour")
        case ..<5_184_000: count(Int(seconds / 86_400), "day")
        default: count(Int(seconds / 2_592_000), "month")
        }
    }

    /// `2 h 05 min`.
    static func minutes(_ minutes: Int) -> String {
        minutes < 60 ? "\(minutes) min" : "\(number(minutes / 60)) h \(two(minutes % 60)) min"
    }

    static func percent(_ percent: Double) -> String {
        // What is less than all never reads as all of it.
        let rounded = percent.rounded()
        return "\(Int(rounded >= 100 && percent < 100 ? 99 : min(max(rounded, 0), 100))) %"
    }

    /// `1.5 MB`.
    static func bytes(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: count(bytes, "byte")
        case ..<1_000_000: "\(number((Double(bytes) / 100).rounded() / 10)) kB"
        case ..<1_000_000_000: "\(number((Double(bytes) / 100_000).rounded() / 10)) MB"
        default: "\(number((Double(bytes) / 100_000_000).rounded() / 10)) GB"
        }
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
