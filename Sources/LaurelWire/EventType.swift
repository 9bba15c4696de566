// SPDX-License-Identifier: Apache-2.0

/// The kinds of value a field of `data` may hold.
public enum FieldType: String, Sendable, CaseIterable {
    /// A number.
    case number
    /// Text.
    case text
    /// `true` or `false`.
    case boolean
    /// A list of text. Stored and shown; expressions cannot read it.
    case textList
    /// A list of numbers. Stored and shown; expressions cannot read it.
    case numberList
    /// An RFC 3339 instant. Expressions see it as text.
    case instant
    /// A calendar date, `YYYY-MM-DD`. Expressions see it as text.
    case date
}

/// One field of an event type: what it may hold, and what it is where absent.
public struct Field: Sendable {
    /// The condition that a value must satisfy beyond its type.
    public enum Constraint: Sendable, Equatable {
        /// Any value of the type.
        case none
        /// A whole number within the bounds, both inclusive.
        case integer(ClosedRange<Int64>)
        /// A number within the bounds, both inclusive.
        case number(ClosedRange<Double>)
        /// A number greater than zero.
        case positive
        /// One of these texts.
        case oneOf([String])
        /// As many numbers as there are bounds, each within its own, both inclusive.
        case numbers([ClosedRange<Double>])
    }

    /// The value expressions see where the field is absent or null.
    public enum Default: Sendable, Equatable {
        /// There is no value where the field is absent.
        case none
        /// This number where the field is absent.
        case number(Double)
        /// This where the field is absent.
        case boolean(Bool)
    }

    /// As it stands in `data`.
    public let name: String
    /// The type of its value.
    public let type: FieldType
    /// True if an event without it is refused.
    public let isRequired: Bool
    /// The condition that its value must satisfy.
    public let constraint: Constraint
    /// The value that rules read if it is absent.
    public let defaultValue: Default
    /// True if only administrators may send an event with it.
    public let isAdministered: Bool

    init(
        _ name: String,
        _ type: FieldType,
        required: Bool = false,
        administered: Bool = false,
        _ constraint: Constraint = .none,
        default defaultValue: Default = .none
    ) {
        self.name = name
        self.type = type
        self.isRequired = required
        isAdministered = administered
        self.constraint = constraint
        self.defaultValue = defaultValue
    }
}

/// One event type the engine knows.
public struct EventType: Sendable {
    /// Such as `line.spoken`.
    public let name: String
    /// A description in one line, for `laurel events` and the documentation.
    public let summary: String
    /// The fields of its `data`.
    public let fields: [Field]
    /// True if an event without a language is refused.
    public let needsLanguage: Bool
    /// True if an event without a session is refused.
    public let needsSession: Bool
    /// True if only administrators may send it: the event changes numbers by decree.
    public let isAdministered: Bool
    /// The span of days that two of its fields tell; nil if there is none.
    public let span: DateSpan?

    init(
        _ name: String,
        _ summary: String,
        needsLanguage: Bool = false,
        needsSession: Bool = false,
        administered: Bool = false,
        span: DateSpan? = nil,
        _ fields: [Field] = []
    ) {
        self.name = name
        self.summary = summary
        self.fields = fields
        self.needsLanguage = needsLanguage
        self.needsSession = needsSession
        isAdministered = administered
        self.span = span
    }

    /// True if it is no practice: profiles, declarations, corrections, and types that only administrators send.
    package var isBookkeeping: Bool {
        isAdministered || ["learner.updated", "level.declared", "event.retracted", "session.discarded"].contains(name)
    }

    /// One of its fields; nil where it has none of the name.
    public func field(named name: String) -> Field? {
        fields.first { $0.name == name }
    }
}

/// Two required dates of an event, the first and the last day of a span.
public struct DateSpan: Sendable, Hashable {
    /// The name of the field with the first day.
    public let from: String
    /// The name of the field with the last day, which belongs to the span.
    public let through: String
    /// The largest number of days, both ends included.
    public let mostDays: Int

    /// Returns what is wrong with the last day, for messages after "data.through"; nil if the span is valid.
    package func problem(from first: LocalDay, through last: LocalDay) -> String? {
        let days = Int(last.number) - Int(first.number) + 1
        if days < 1 { return "is \(last), before data.\(from), which is \(first)" }
        return days <= mostDays
            ? nil : "is \(last), \(days) days from data.\(from) on; there may be \(mostDays) at most"
    }
}

extension Field {
    /// 2⁵³, up to which an IEEE double holds every integer exactly.
    package static let largestInteger: Int64 = 1 << 53
}
