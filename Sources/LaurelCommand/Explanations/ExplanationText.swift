import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules

/// What explanations of all kinds show people.
enum ExplanationText {
    /// `EXPRESSION = EXPRESSION WITH VALUES = VALUE`; what is the same twice is said once.
    static func chain(_ expression: ExplainedExpression) -> String {
        let parts = [expression.source, expression.substituted, expression.value.literal]
        var distinct: [String] = []
        for part in parts where distinct.last != part { distinct.append(part) }
        return Visible.text(distinct.joined(separator: " = "))
    }

    /// `CONDITION (CONDITION WITH VALUES is false)`.
    static func condition(_ condition: ExplainedExpression) -> String {
        let values = condition.substituted == condition.source ? "" : "\(condition.substituted) "
        return Visible.text("\(condition.source) (\(values)is \(condition.value.literal))")
    }

    /// `19:03:11 +01:00`, on the learner's wall clock.
    static func time(_ event: EventReference) -> String {
        let wall = event.time + Int64(event.offset) * 1000
        return "\(TimeText.second(wall)) \(EventReference.spell(offset: event.offset))"
    }

    /// `2026-02-05 19:03:11 +01:00`: the wall clock's date, which differs from the local day before `day_starts_at`.
    static func dateAndTime(_ event: EventReference) -> String {
        "\(TimeText.day(event.time + Int64(event.offset) * 1000)) \(time(event))"
    }

    /// `line.spoken phone/e17`: which event it is.
    static func name(_ event: EventReference) -> String {
        Visible.text("\(event.type) \(event.source)/\(event.id)")
    }

    static func void(_ reason: VoidReason) -> String {
        switch reason {
        case .retracted: "void: retracted"
        case .sessionDiscarded: "void: its session was discarded"
        }
    }

    /// `2026-02-05 Thu`.
    static func day(_ day: LocalDay) -> String { "\(day) \(weekdays[day.weekday - 1])" }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// `+25`, `-100`, `0`.
    static func signed(_ amount: Double) -> String {
        (amount > 0 ? "+" : "") + Numbers.grouped(amount, places: 2)
    }

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

// MARK: JSON

extension JSONText {
    /// The members of an event.
    mutating func members(of event: EventReference) {
        member("time", instant: event.time)
        member("day", event.day.description)
        member("zone", event.zone)
        member("source", event.source)
        member("id", event.id)
        member("type", event.type)
        member("session", event.session)
        member("language", event.language)
        member("void", event.void?.rawValue)
    }

    mutating func event(_ key: String, _ event: EventReference?) {
        guard let event else { return member(key, String?.none) }
        object(key) { $0.members(of: event) }
    }

    mutating func expression(_ key: String, _ expression: ExplainedExpression?) {
        guard let expression else { return member(key, String?.none) }
        object(key) { json in
            json.member("expression", expression.source)
            json.member("substituted", expression.substituted)
            json.object("values") { values in
                for input in expression.inputs { values.member(input.name, input.value) }
            }
            json.member("value", expression.value)
        }
    }

    mutating func member(_ key: String, _ value: ExpressionValue) {
        switch value {
        case .null: member(key, String?.none)
        case .number(let number): member(key, Double?.some(number))
        case .boolean(let boolean): member(key, boolean)
        case .text(let text): member(key, String?.some(text))
        }
    }
}
