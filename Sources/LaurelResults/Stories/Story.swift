// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import LaurelWire

/// A sentence that explains a number, in spans. The command prints it as plain text, the dashboard as HTML.
package struct Story: Sendable {
    /// A part of a sentence.
    package enum Span: Sendable {
        /// Words that are the same in all languages.
        case text(String)
        /// A phrase with the values of its places.
        case phrase(PhraseKey, [Story])
        /// Text from data, such as an id, a name or a reason.
        case data(String)
        /// An expression of the rules, or a value as the rules spell it.
        case code(String)
        /// A number. A number that is not whole has this many decimal places.
        case number(Double, places: Int)
        /// A change of a number, with its sign.
        case change(Double)
        /// A fraction, 0 … 1, shown in whole percent.
        case percent(Double)
        /// A fraction, 0 … 1, shown as a bar.
        case bar(Double)
        /// An instant in UTC, to the minute.
        case instant(Date)
        /// A local day.
        case date(LocalDay)
        /// A local day with its weekday. The dashboard links it to the XP of that day.
        case day(LocalDay)
        /// A day of the week, from 1 for Monday to 7 for Sunday.
        case weekday(Int)
        /// An event's type and identity.
        case event(EventReference)
        /// The time of an event on the learner's clock.
        case time(EventReference)
        /// The date and the time of an event on the learner's clock.
        case dateAndTime(EventReference)
        /// The session of an event, such as its first. The dashboard shows the time when the event happened.
        case session(EventReference)
        /// An achievement, by the name that learners see.
        case achievement(id: String, name: String)
        /// A learner, shown by display name; by id if there is no display name.
        case learner(id: String, name: String?)
        /// A highlighted part.
        case toned(Tone, Story)
    }

    /// The style of a highlighted part.
    package enum Tone: Sendable {
        case strong, good, bad, quiet
    }

    package private(set) var spans: [Span]

    package var isEmpty: Bool { spans.isEmpty }

    /// True if the story names an achievement.
    package var hasAchievement: Bool {
        spans.contains { span in
            switch span {
            case .achievement: true
            case .phrase(_, let values): values.contains(where: \.hasAchievement)
            default: false
            }
        }
    }
}

extension Story: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var key = PhraseKey()
        fileprivate var values: [Story] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) { key.append(words: text) }

        package mutating func appendInterpolation(_ span: Span) { appendInterpolation(Story(spans: [span])) }
        package mutating func appendInterpolation(_ story: Story) {
            key.appendPlace()
            values.append(story)
        }
        /// Appends a story; nothing for nil.
        package mutating func appendInterpolation(_ story: Story?) { appendInterpolation(story ?? Story(spans: [])) }

        /// Appends a number with its noun.
        /// - Parameter many: the plural; nil if it is the singular with `s`.
        package mutating func appendInterpolation(_ number: Int, _ one: String, _ many: String? = nil) {
            key.appendPlace(one, many)
            values.append(.number(number))
        }
    }

    package init(stringLiteral text: String) {
        var phrase = StringInterpolation(literalCapacity: text.utf8.count, interpolationCount: 0)
        phrase.appendLiteral(text)
        self.init(stringInterpolation: phrase)
    }

    /// A phrase; a value alone is written as it is.
    package init(stringInterpolation phrase: StringInterpolation) {
        switch phrase.key.text {
        case "": spans = []
        case "{1}": spans = phrase.values[0].spans
        default: spans = [.phrase(phrase.key, phrase.values)]
        }
    }
}

extension Story {
    package static func + (one: Story, other: Story) -> Story { Story(spans: one.spans + other.spans) }

    /// Joins the stories that are not empty.
    static func joined(_ stories: [Story], by separator: String) -> Story {
        let spans = stories.filter { !$0.isEmpty }.map(\.spans)
        return Story(spans: Array(spans.joined(separator: [Span.text(separator)])))
    }

    static func number(_ number: Double, places: Int = 2) -> Story { Story(spans: [.number(number, places: places)]) }
    static func number(_ number: Int) -> Story { .number(Double(number), places: 0) }

    /// A count with its noun: `1 day`, `2 days`.
    static func count(_ count: Int, _ noun: String) -> Story { "\(count, noun)" }

    /// The tiers as text: `tier 1`, `tiers 1 to 3`.
    static func tiers(_ tiers: ClosedRange<Int>) -> Story {
        tiers.count == 1
            ? "tier \(number(tiers.lowerBound))"
            : "tiers \(number(tiers.lowerBound)) to \(number(tiers.upperBound))"
    }

    /// The reason why a rule does not apply on a day: `not before 2026-12-24` or `not after 2026-12-26`.
    static func obstacle(_ text: String) -> Story {
        guard let day = LocalDay(parsing: text.suffix(10).utf8) else { return "\(.text(text))" }
        return text.hasPrefix("not before") ? "not before \(.date(day))" : "not after \(.date(day))"
    }

    /// The text ` in es`; nil for all languages together.
    static func place(_ language: String?) -> Story? { language.map { " in \(Span.data($0))" } }

    /// The text `EXPRESSION = EXPRESSION WITH VALUES = VALUE`. Equal parts appear once.
    static func chain(_ expression: ExplainedExpression) -> Story {
        let parts = [expression.source, expression.substituted, expression.value.description]
        var distinct: [String] = []
        for part in parts where distinct.last != part { distinct.append(part) }
        return joined(distinct.map { "\(Span.code($0))" }, by: " = ")
    }

    /// The text `CONDITION (CONDITION WITH VALUES is false)`.
    static func condition(_ condition: ExplainedExpression) -> Story {
        let values: Story? = condition.substituted == condition.source ? nil : "\(Span.code(condition.substituted)) "
        return "\(Span.code(condition.source)) (\(values)is \(Span.code(condition.value.description)))"
    }

    /// The time of an event, and the event.
    static func stamp(_ event: EventReference) -> Story { "\(Span.dateAndTime(event))  \(Span.event(event))" }

    /// The correction that voids an event, in words; nil if the event counts.
    package static func void(_ event: EventReference) -> Story? {
        correction(event).map { "void: \($0)" }
    }

    /// The limit that an event exceeds, and the effect of the flag.
    package static func flag(_ flag: EventReference.Flag) -> Story {
        if flag.isCleared { return "The flag was cleared, so this XP counts in leaderboards." }
        return switch flag.per {
        case "second":
            "Flagged because more than \(flag.atMost, "such event") came within a second. Leaderboards leave this XP out."
        case "minute":
            "Flagged because more than \(flag.atMost, "such event") came within a minute. Leaderboards leave this XP out."
        case "hour":
            "Flagged because more than \(flag.atMost, "such event") came within an hour. Leaderboards leave this XP out."
        default:
            "Flagged because more than \(flag.atMost, "such event") came within a day. Leaderboards leave this XP out."
        }
    }

    /// The correction that voids an event, without the word “void”.
    static func correction(_ event: EventReference) -> Story? {
        switch event.void {
        case .retracted: "retracted"
        case .sessionDiscarded: "its session was discarded"
        case nil: nil
        }
    }
}

/// A value in words, with its title.
package struct StoryFact: Sendable {
    package let title: String
    package let story: Story

    init(_ title: String, _ story: Story) { (self.title, self.story) = (title, story) }
}

/// Rows of stories under headings.
package struct StoryTable: Sendable {
    package struct Column: Sendable {
        package enum Kind: Sendable {
            /// Long text, which may be truncated if there is little room.
            case prose
            /// Text that is never truncated.
            case text
            case number
        }

        package let title: String
        package let kind: Kind
        /// True if the column is one of the first to be hidden if there is little room.
        package let isSpare: Bool

        init(_ title: String, _ kind: Kind = .text, isSpare: Bool = false) {
            (self.title, self.kind, self.isSpare) = (title, kind, isSpare)
        }
    }

    /// Columns without a title hold bars.
    package let columns: [Column]
    package var rows: [[Story]]
}
