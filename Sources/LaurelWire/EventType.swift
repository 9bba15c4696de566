// SPDX-License-Identifier: Apache-2.0

/// The types of values in fields of `data`.
public enum FieldType: String, Sendable, CaseIterable {
    /// A number.
    case number
    /// Text.
    case text
    /// `true` or `false`.
    case boolean
    /// A list of texts. It is stored and shown, but expressions cannot read it.
    case textList
    /// A list of numbers. It is stored and shown, but expressions cannot read it.
    case numberList
    /// An RFC 3339 instant. Expressions see it as text.
    case instant
    /// A calendar date, `YYYY-MM-DD`. Expressions see it as text.
    case date
}

/// A field of an event type: its type, its constraint, and its default.
public struct Field: Sendable {
    /// The condition that a value must satisfy beyond its type.
    public enum Constraint: Sendable, Equatable {
        /// Every value of the type is allowed.
        case none
        /// A whole number within the bounds, which are inclusive.
        case integer(ClosedRange<Int64>)
        /// A number within the bounds, which are inclusive.
        case number(ClosedRange<Double>)
        /// A number greater than zero.
        case positive
        /// One of the listed texts.
        case oneOf([String])
        /// A list with one number for each of the bounds, which are inclusive.
        case numbers([ClosedRange<Double>])
    }

    /// The nature of a field's values, which decides what an export with pseudonyms does with them.
    package enum Content: Sendable {
        /// A number, a boolean, a date, or a name from a short list of the app or its rules. An export keeps it.
        case value
        /// An id or a name, which a person may have chosen. An export replaces it by a pseudonym.
        case name
        /// The source and the id of another event. An export replaces them by the event's new ones.
        case identity
        /// A text that people speak or write. An export leaves it out.
        case freeText
    }

    /// The value that expressions read if the field is absent or null.
    public enum Default: Sendable, Equatable {
        /// There is no value if the field is absent.
        case none
        /// This number is the value if the field is absent.
        case number(Double)
        /// This boolean is the value if the field is absent.
        case boolean(Bool)
    }

    /// The name in `data`.
    public let name: String
    /// The type of the field's value.
    public let type: FieldType
    /// True if an event without the field is refused.
    public let isRequired: Bool
    /// The condition that the field's value must satisfy.
    public let constraint: Constraint
    /// The value that rules read if the field is absent.
    public let defaultValue: Default
    /// True if only administrators may send an event with the field.
    public let isAdministered: Bool
    /// The nature of the field's values.
    package let content: Content

    /// - Parameter content: the nature of the values; nil for ``Content/name`` if the field may have any text, and else
    ///   for ``Content/value``.
    init(
        _ name: String,
        _ type: FieldType,
        required: Bool = false,
        administered: Bool = false,
        _ constraint: Constraint = .none,
        default defaultValue: Default = .none,
        content: Content? = nil
    ) {
        self.name = name
        self.type = type
        self.isRequired = required
        isAdministered = administered
        self.constraint = constraint
        self.defaultValue = defaultValue
        let isAnyText = (type == .text || type == .textList) && constraint == .none
        self.content = content ?? (isAnyText ? .name : .value)
    }
}

/// An event type that the engine knows.
public struct EventType: Sendable {
    /// The name, such as `line.spoken`.
    public let name: String
    /// A description in one line, for `laurel events` and the documentation.
    public let summary: String
    /// The fields of the event's `data`.
    public let fields: [Field]
    /// True if an event without a language is refused.
    public let needsLanguage: Bool
    /// True if an event without a session is refused.
    public let needsSession: Bool
    /// True if only administrators may send the event, because it sets numbers directly.
    public let isAdministered: Bool
    /// The span of days that two of the event's fields form; nil if there is none.
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

    /// True if the event is not practice. Such events are profiles, declarations, corrections, and types that only
    /// administrators may send.
    package var isBookkeeping: Bool {
        isAdministered || ["learner.updated", "level.declared", "event.retracted", "session.discarded"].contains(name)
    }

    /// The field with a name; nil if there is none.
    public func field(named name: String) -> Field? {
        fields.first { $0.name == name }
    }
}

/// Two required dates of an event: the first and the last day of a span.
public struct DateSpan: Sendable, Hashable {
    /// The name of the field with the first day.
    public let from: String
    /// The name of the field with the last day, inclusive.
    public let through: String
    /// The maximum number of days, including the first and the last day.
    public let mostDays: Int

    /// The problem with the last day, worded to follow "data.through" in a message; nil if the span is valid.
    package func problem(from first: LocalDay, through last: LocalDay) -> String? {
        let days = Int(last.number) - Int(first.number) + 1
        if days < 1 { return "is \(last), before data.\(from), which is \(first)" }
        return days <= mostDays
            ? nil : "is \(last), \(days) days from data.\(from) on; there may be \(mostDays) at most"
    }
}

extension Field {
    /// The number 2⁵³. Up to it, an IEEE double represents every integer exactly.
    package static let largestInteger: Int64 = 1 << 53
}
