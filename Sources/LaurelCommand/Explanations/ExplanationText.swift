// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// Text that all explanations share.
enum ExplanationText {
    /// `EXPRESSION = EXPRESSION WITH VALUES = VALUE`; equal parts are shown once.
    static func chain(_ expression: ExplainedExpression) -> String {
        let parts = [expression.source, expression.substituted, expression.value.description]
        var distinct: [String] = []
        for part in parts where distinct.last != part { distinct.append(part) }
        return Visible.text(distinct.joined(separator: " = "))
    }

    /// `CONDITION (CONDITION WITH VALUES is false)`.
    static func condition(_ condition: ExplainedExpression) -> String {
        let values = condition.substituted == condition.source ? "" : "\(condition.substituted) "
        return Visible.text("\(condition.source) (\(values)is \(condition.value))")
    }

    /// `19:03:11 +01:00`, on the learner's wall clock.
    static func time(_ event: EventReference) -> String {
        "\(TimeText.second(wall(event))) \(offset(event.secondsFromGMT ?? 0))"
    }

    /// `2026-02-05 19:03:11 +01:00`: the wall clock's date, which differs from the local day before `day_starts_at`.
    static func dateAndTime(_ event: EventReference) -> String {
        "\(TimeText.day(wall(event))) \(time(event))"
    }

    /// What the learner's clock showed, as if it were UTC.
    private static func wall(_ event: EventReference) -> Date {
        event.time.addingTimeInterval(Double(event.secondsFromGMT ?? 0))
    }

    /// `+05:30`.
    private static func offset(_ seconds: Int) -> String {
        func twoDigits(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds.magnitude / 60
        return "\(seconds < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    }

    /// `line.spoken phone/e17`: which event it is.
    static func name(_ event: EventReference) -> String {
        Visible.text("\(event.type) \(event.source)/\(event.id)")
    }

    static func void(_ reason: EventReference.VoidReason) -> String {
        switch reason {
        case .retracted: "void: retracted"
        case .sessionDiscarded: "void: its session was discarded"
        }
    }

    /// `2026-02-05 Thu`.
    static func day(_ day: LocalDay) -> String { "\(day) \(weekdays[day.weekday - 1])" }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// `+25`, `-100`, `0`.
    static func signed(_ amount: Int) -> String { (amount > 0 ? "+" : "") + Numbers.grouped(amount) }

    /// `1`, `1 to 3`.
    static func tiers(_ tiers: ClosedRange<Int>) -> String {
        tiers.count == 1 ? "tier \(tiers.lowerBound)" : "tiers \(tiers.lowerBound) to \(tiers.upperBound)"
    }
}

extension Style {
    /// `Name (id) in es, as of TIME`.
    func heading(_ subject: String, _ language: String?, _ instant: Timestamp) -> String {
        let track = language.map { "in \(Visible.text($0))" } ?? "in all languages"
        return "\(paint(Visible.text(subject), .bold)) \(track), as of \(instant)"
    }

    /// A fact under its name.
    func fact(_ name: String, _ value: String) -> String { "  \(paint(name.padded(toCells: 12), .dim))\(value)" }
}
