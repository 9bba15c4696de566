// SPDX-License-Identifier: Apache-2.0

/// The list of all event types and their fields. Validation, the rules' type checks, `laurel events` and the
/// documentation are derived from it. To add an event type, add an entry here.
public enum Catalogue {
    /// All types, in the order of the documentation.
    public static let types: [EventType] = [
        EventType(
            "learner.updated",
            "The learner's profile. For each property, the latest value counts.",
            [
                Field("displayName", .text), Field("nativeLanguage", .text, content: .value),
                Field("dailyGoalMinutes", .number, .integer(1...1440)), Field("cohort", .text, administered: true),
                Field("leaderboard", .boolean), Field("leagues", .boolean),
            ]
        ),
        EventType(
            "level.declared",
            "The CEFR level at which a learner starts.",
            needsLanguage: true,
            administered: true,
            [Field("level", .text, required: true, .oneOf(["A1", "A2", "B1", "B2", "C1", "C2"]))]
        ),
        EventType(
            "session.started",
            "A practice session begins.",
            [mode, Field("scenario", .text), Field("role", .text), Field("partner", .text), kind]
        ),
        EventType(
            "session.ended",
            "A practice session ends. Absent fields are taken from its session.started.",
            [duration, mode, Field("scenario", .text), Field("partner", .text)]
        ),
        EventType("session.discarded", "A session is discarded: its events have no effect.", needsSession: true),
        EventType(
            "line.spoken",
            "A line of a dialog was spoken.",
            [
                Field("line", .text), text, translation, Field("role", .text),
                Field("accuracy", .number, .number(0...1)), count("errors"), count("words"), duration,
            ]
        ),
        EventType("line.skipped", "A line of a dialog was skipped.", [Field("line", .text)]),
        EventType("word.added", "A word was added to the vocabulary.", [word] + wordDetails),
        EventType("word.updated", "A word's details changed.", [word] + wordDetails),
        EventType("word.removed", "A word was removed. If it is added again, it starts as a new word.", [word]),
        EventType(
            "word.encountered",
            "The learner encountered a word.",
            [
                word, Field("count", .number, .integer(0...Field.largestInteger), default: .number(1)),
                Field("category", .text),
            ]
        ),
        EventType("word.learned", "The learner says that the word is learned.", [word]),
        EventType("word.unlearned", "The learner cancels a word.learned.", [word]),
        EventType(
            "word.imported",
            "A word was imported, with its review schedule.",
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
                Field("mode", .text, content: .value),
            ]
        ),
        EventType(
            "error.detected",
            "An error was detected.",
            [
                kind, Field("original", .text, content: .freeText), Field("corrected", .text, content: .freeText),
                Field("line", .text),
            ]
        ),
        EventType("error.corrected", "An error was corrected.", [kind, Field("line", .text)]),
        EventType(
            "repair.made",
            "A misunderstanding was repaired.",
            [
                Field("helped", .boolean, default: .boolean(true)), Field("line", .text), Field("partner", .text),
            ]
        ),
        EventType("help.given", "The learner helped another learner.", [Field("to", .text), Field("line", .text)]),
        EventType("hint.used", "A hint was used.", [Field("level", .text, content: .value)]),
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
            administered: true,
            [Field("date", .date, required: true), reason]
        ),
        EventType(
            "streak.frozen",
            "A day is frozen: if it is missed, the streak neither ends nor grows.",
            administered: true,
            [Field("date", .date, required: true), reason]
        ),
        EventType(
            "streak.paused",
            "A span of at most 366 days is frozen: on its missed days, the streak neither ends nor grows.",
            administered: true,
            span: DateSpan(from: "from", through: "through", mostDays: 366),
            [Field("from", .date, required: true), Field("through", .date, required: true), reason]
        ),
        EventType(
            "freeze.granted",
            "The learner gets streak freezes.",
            administered: true,
            [Field("count", .number, .integer(1...100), default: .number(1)), reason]
        ),
        EventType(
            "xp.adjusted",
            "XP is added or subtracted.",
            administered: true,
            [Field("amount", .number, required: true, anyInteger), reason]
        ),
        EventType(
            "xp.declared",
            "The total XP that an app showed. If the track has less, the difference is added.",
            administered: true,
            [Field("total", .number, required: true, .integer(0...Field.largestInteger))]
        ),
        EventType(
            "currency.adjusted",
            "A balance is raised or lowered.",
            administered: true,
            [
                Field("currency", .text, required: true, content: .value),
                Field("amount", .number, required: true, .integer(-1_000_000_000_000...1_000_000_000_000)), reason,
            ]
        ),
        EventType(
            "item.bought",
            "The learner bought items.",
            administered: true,
            [
                Field("item", .text, required: true, content: .value),
                Field("count", .number, .integer(1...1000), default: .number(1)),
            ]
        ),
        EventType("achievement.granted", "An achievement is unlocked.", administered: true, achievementFields),
        EventType("achievement.revoked", "An achievement is locked again.", administered: true, achievementFields),
        EventType(
            "group.joined",
            "The learner became a member of a group.",
            administered: true,
            [Field("group", .text, required: true), kind]
        ),
        EventType(
            "group.left",
            "The learner left a group.",
            administered: true,
            [Field("group", .text, required: true)]
        ),
        EventType(
            "league.finished",
            "The learner's result in a week of a league.",
            administered: true,
            [
                Field("league", .text, required: true, content: .value),
                Field("week", .text, required: true, content: .value),
                Field("tier", .text, required: true, content: .value), Field("room", .number, anyInteger),
                Field("rank", .number, anyInteger), Field("of", .number, anyInteger),
                Field("xp", .number, required: true),
                Field("outcome", .text, required: true, .oneOf(["promoted", "stayed", "demoted"])),
                Field("next", .text, required: true, content: .value),
            ]
        ),
        EventType(
            "flag.cleared",
            "An event that was flagged as implausible is no longer flagged.",
            administered: true,
            identityFields
        ),
        EventType(
            "scheduler.fitted",
            "FSRS parameters were fitted to the learner's reviews.",
            administered: true,
            [
                Field("parameters", .numberList, required: true, .numbers(fsrsBounds)),
                Field("reviews", .number, required: true, .integer(0...Field.largestInteger)),
                Field("logLoss", .number, required: true),
            ]
        ),
        EventType(
            "event.retracted",
            "An event of the same learner is retracted: it has no effect.",
            identityFields
        ),
    ]

    /// The type with a name; nil if the catalogue does not have it.
    /// - Complexity: O(1).
    public static func type(named name: String) -> EventType? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0) })

    private static let word = Field("word", .text, required: true)
    private static let mode = Field("mode", .text, .oneOf(["solo", "host", "client"]))
    private static let duration = count("durationMs")
    private static let wordDetails = [
        text, translation, Field("partOfSpeech", .text, content: .value), Field("category", .text),
        Field("tags", .textList), Field("origin", .text),
    ]
    private static let text = Field("text", .text, content: .freeText)
    private static let translation = Field("translation", .text, content: .freeText)
    private static let kind = Field("kind", .text, content: .value)
    private static let reason = Field("reason", .text, content: .freeText)
    private static let achievementFields = [Field("achievement", .text, required: true, content: .value), reason]
    private static let identityFields = ["source", "id"].map {
        Field($0, .text, required: true, content: .identity)
    }
    private static let anyInteger = Field.Constraint.integer(-Field.largestInteger...Field.largestInteger)
    /// The bounds of w0 … w20, as in version 6 of the Python package `fsrs`.
    package static let fsrsBounds: [ClosedRange<Double>] = [
        0.001...100, 0.001...100, 0.001...100, 0.001...100, 1...10, 0.001...4, 0.001...4, 0.001...0.75, 0...4.5,
        0...0.8,
        0.001...3.5, 0.001...5, 0.001...0.25, 0.001...0.9, 0...4, 0...1, 1...6, 0...2, 0...2, 0...0.8, 0.1...0.8,
    ]

    private static func count(_ name: String) -> Field {
        Field(name, .number, .integer(0...Field.largestInteger))
    }
}
