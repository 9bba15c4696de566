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
    /// An RFC 3339 instant. Expressions see it as text.
    case instant
    /// A calendar date, `YYYY-MM-DD`. Expressions see it as text.
    case date
}

/// One field of an event type: what it may hold, and what it is where absent.
public struct Field: Sendable {
    /// What a value must satisfy beyond its type.
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
    /// Of its value.
    public let type: FieldType
    /// Whether an event without it is refused.
    public let isRequired: Bool
    /// What its value has to keep to.
    public let constraint: Constraint
    /// What rules read where it is absent.
    public let defaultValue: Default

    init(
        _ name: String,
        _ type: FieldType,
        required: Bool = false,
        _ constraint: Constraint = .none,
        default defaultValue: Default = .none
    ) {
        self.name = name
        self.type = type
        self.isRequired = required
        self.constraint = constraint
        self.defaultValue = defaultValue
    }
}

/// One event type the engine knows.
public struct EventType: Sendable {
    /// Such as `line.spoken`.
    public let name: String
    /// What happened, in one line, for `laurel events` and the documentation.
    public let summary: String
    /// What stands in its `data`.
    public let fields: [Field]
    /// Whether an event without a language is refused.
    public let needsLanguage: Bool
    /// Whether an event without a session is refused.
    public let needsSession: Bool

    init(
        _ name: String,
        _ summary: String,
        needsLanguage: Bool = false,
        needsSession: Bool = false,
        _ fields: [Field] = []
    ) {
        self.name = name
        self.summary = summary
        self.fields = fields
        self.needsLanguage = needsLanguage
        self.needsSession = needsSession
    }

    /// One of its fields; nil where it has none of the name.
    public func field(named name: String) -> Field? {
        fields.first { $0.name == name }
    }
}

/// THE list of event types and their fields. Validation, the rules' type checks, `laurel events` and the documentation
/// all derive from it; a new event type is one entry here.
public enum Catalogue {
    /// Every type there is, in the order of the documentation.
    public static let types: [EventType] = [
        EventType(
            "learner.updated",
            "The learner's profile; per property the latest wins.",
            [
                Field("displayName", .text), Field("nativeLanguage", .text),
                Field("dailyGoalMinutes", .number, .integer(1...1440)), Field("cohort", .text),
            ]
        ),
        EventType(
            "level.declared",
            "The CEFR level a learner says they start from.",
            needsLanguage: true,
            [Field("level", .text, required: true, .oneOf(["A1", "A2", "B1", "B2", "C1", "C2"]))]
        ),
        EventType(
            "session.started",
            "A practice session begins.",
            [mode, Field("scenario", .text), Field("role", .text), Field("partner", .text), Field("kind", .text)]
        ),
        EventType(
            "session.ended",
            "A practice session ends; what is absent here is taken from its session.started.",
            [duration, mode, Field("scenario", .text), Field("partner", .text)]
        ),
        EventType("session.discarded", "Voids every event of its session, itself included.", needsSession: true),
        EventType(
            "line.spoken",
            "A line of a dialog was spoken.",
            [
                Field("line", .text), Field("text", .text), Field("translation", .text), Field("role", .text),
                Field("accuracy", .number, .number(0...1)), count("errors"), count("words"), duration,
            ]
        ),
        EventType("line.skipped", "A line of a dialog was skipped.", [Field("line", .text)]),
        EventType("word.added", "A word was added to the vocabulary.", [word] + wordDetails),
        EventType("word.updated", "A word's details changed.", [word] + wordDetails),
        EventType("word.removed", "A word was removed; after that it starts afresh.", [word]),
        EventType(
            "word.encountered",
            "A word was met.",
            [
                word, Field("count", .number, .integer(0...Field.largestInteger), default: .number(1)),
                Field("category", .text),
            ]
        ),
        EventType("word.learned", "The learner says the word is learned.", [word]),
        EventType("word.unlearned", "The learner takes word.learned back.", [word]),
        EventType(
            "word.imported",
            "A word with its schedule from elsewhere.",
            [
                word, Field("masteryLevel", .number, .integer(0...5)),
                Field("easeFactor", .number, .number(1.3...Double.greatestFiniteMagnitude)),
                Field("intervalDays", .number, .integer(1...36_500)), Field("stability", .number, .positive),
                Field("difficulty", .number, .number(1...10)), Field("nextReviewAt", .instant),
                Field("lastReviewedAt", .instant), count("totalReviews"), count("correctReviews"),
            ] + wordDetails
        ),
        EventType(
            "review.graded",
            "A review of a word was graded.",
            [
                word, Field("grade", .text, required: true, .oneOf(["again", "hard", "good", "easy"])), duration,
                Field("mode", .text),
            ]
        ),
        EventType(
            "error.detected",
            "An error was detected.",
            [Field("kind", .text), Field("original", .text), Field("corrected", .text), Field("line", .text)]
        ),
        EventType("error.corrected", "An error was corrected.", [Field("kind", .text), Field("line", .text)]),
        EventType(
            "repair.made",
            "A misunderstanding was repaired.",
            [
                Field("helped", .boolean, default: .boolean(true)), Field("line", .text), Field("partner", .text),
            ]
        ),
        EventType("help.given", "Another learner was helped.", [Field("to", .text), Field("line", .text)]),
        EventType("hint.used", "A hint was used.", [Field("level", .text)]),
        EventType(
            "scenario.completed",
            "A scenario was completed.",
            [Field("scenario", .text, required: true), count("errors")]
        ),
        EventType("team.won", "A team won together.", [Field("partner", .text)]),
        EventType(
            "object.scanned",
            "An object in the room was recognised.",
            [Field("label", .text, required: true), Field("confidence", .number, .number(0...1))]
        ),
        EventType(
            "conversation.ended",
            "A conversation with a character ended.",
            [
                Field("character", .text), count("messages"), duration, count("wordsUsed"), count("grammarErrors"),
                count("averageResponseMs"),
            ]
        ),
        EventType(
            "streak.repaired",
            "A missed day counts as active.",
            [Field("date", .date, required: true)]
        ),
        EventType(
            "streak.frozen",
            "A day, if missed, neither breaks nor extends the streak.",
            [Field("date", .date, required: true)]
        ),
        EventType(
            "xp.adjusted",
            "An administrator adds or takes XP.",
            [
                Field(
                    "amount",
                    .number,
                    required: true,
                    .integer(-Field.largestInteger...Field.largestInteger)
                ),
                Field("reason", .text),
            ]
        ),
        EventType(
            "xp.declared",
            "The XP an app showed; what the track lacks of it is added.",
            [Field("total", .number, required: true, .integer(0...Field.largestInteger))]
        ),
        EventType("achievement.granted", "An administrator unlocks an achievement.", achievementFields),
        EventType("achievement.revoked", "An administrator locks an achievement.", achievementFields),
        EventType(
            "event.retracted",
            "Voids one event of the same learner.",
            [Field("source", .text, required: true), Field("id", .text, required: true)]
        ),
    ]

    /// The type of that name, or nil where the catalogue does not know it.
    /// - Complexity: O(1).
    public static func type(named name: String) -> EventType? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0) })

    private static let word = Field("word", .text, required: true)
    private static let mode = Field("mode", .text, .oneOf(["solo", "host", "client"]))
    private static let duration = count("durationMs")
    private static let wordDetails = [
        Field("text", .text), Field("translation", .text), Field("partOfSpeech", .text), Field("category", .text),
        Field("tags", .textList), Field("origin", .text),
    ]
    private static let achievementFields = [
        Field("achievement", .text, required: true), Field("reason", .text),
    ]

    private static func count(_ name: String) -> Field {
        Field(name, .number, .integer(0...Field.largestInteger))
    }
}

extension Field {
    /// 2⁵³, up to which an IEEE double holds every integer exactly.
    package static let largestInteger: Int64 = 1 << 53
}
