// SPDX-License-Identifier: Apache-2.0

package laurel

/** What the service checks, by type. Clients/generate makes this file. */
internal val catalogue: Map<String, EventType> = mapOf(
    "learner.updated" to EventType(
        listOf(),
        null,
        listOf(
            Field("displayName", Field.Kind.TEXT, "text"),
            Field("nativeLanguage", Field.Kind.TEXT, "text"),
            Field("dailyGoalMinutes", Field.Kind.NUMBER, "a whole number from 1 to 1440", isWhole = true, least = 1.0, most = 1440.0),
            Field("cohort", Field.Kind.TEXT, "text"),
            Field("leaderboard", Field.Kind.BOOLEAN, "true or false"),
            Field("leagues", Field.Kind.BOOLEAN, "true or false"),
        ),
    ),
    "level.declared" to EventType(
        listOf("language"),
        null,
        listOf(
            Field("level", Field.Kind.TEXT, "A1, A2, B1, B2, C1 or C2", isRequired = true, oneOf = listOf("A1", "A2", "B1", "B2", "C1", "C2")),
        ),
    ),
    "session.started" to EventType(
        listOf(),
        null,
        listOf(
            Field("mode", Field.Kind.TEXT, "solo, host or client", oneOf = listOf("solo", "host", "client")),
            Field("scenario", Field.Kind.TEXT, "text"),
            Field("role", Field.Kind.TEXT, "text"),
            Field("partner", Field.Kind.TEXT, "text"),
            Field("kind", Field.Kind.TEXT, "text"),
        ),
    ),
    "session.ended" to EventType(
        listOf(),
        null,
        listOf(
            Field("durationMs", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("mode", Field.Kind.TEXT, "solo, host or client", oneOf = listOf("solo", "host", "client")),
            Field("scenario", Field.Kind.TEXT, "text"),
            Field("partner", Field.Kind.TEXT, "text"),
        ),
    ),
    "session.discarded" to EventType(
        listOf("session"),
        null,
        listOf(
        ),
    ),
    "line.spoken" to EventType(
        listOf(),
        null,
        listOf(
            Field("line", Field.Kind.TEXT, "text"),
            Field("text", Field.Kind.TEXT, "text"),
            Field("translation", Field.Kind.TEXT, "text"),
            Field("role", Field.Kind.TEXT, "text"),
            Field("accuracy", Field.Kind.NUMBER, "a number from 0 to 1", least = 0.0, most = 1.0),
            Field("errors", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("words", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("durationMs", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
        ),
    ),
    "line.skipped" to EventType(
        listOf(),
        null,
        listOf(
            Field("line", Field.Kind.TEXT, "text"),
        ),
    ),
    "word.added" to EventType(
        listOf(),
        null,
        listOf(
            Field("word", Field.Kind.TEXT, "text", isRequired = true),
            Field("text", Field.Kind.TEXT, "text"),
            Field("translation", Field.Kind.TEXT, "text"),
            Field("partOfSpeech", Field.Kind.TEXT, "text"),
            Field("category", Field.Kind.TEXT, "text"),
            Field("tags", Field.Kind.TEXT_LIST, "a list of text"),
            Field("origin", Field.Kind.TEXT, "text"),
        ),
    ),
    "word.updated" to EventType(
        listOf(),
        null,
        listOf(
            Field("word", Field.Kind.TEXT, "text", isRequired = true),
            Field("text", Field.Kind.TEXT, "text"),
            Field("translation", Field.Kind.TEXT, "text"),
            Field("partOfSpeech", Field.Kind.TEXT, "text"),
            Field("category", Field.Kind.TEXT, "text"),
            Field("tags", Field.Kind.TEXT_LIST, "a list of text"),
            Field("origin", Field.Kind.TEXT, "text"),
        ),
    ),
    "word.removed" to EventType(
        listOf(),
        null,
        listOf(
            Field("word", Field.Kind.TEXT, "text", isRequired = true),
        ),
    ),
    "word.encountered" to EventType(
        listOf(),
        null,
        listOf(
            Field("word", Field.Kind.TEXT, "text", isRequired = true),
            Field("count", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("category", Field.Kind.TEXT, "text"),
        ),
    ),
    "word.learned" to EventType(
        listOf(),
        null,
        listOf(
            Field("word", Field.Kind.TEXT, "text", isRequired = true),
        ),
    ),
    "word.unlearned" to EventType(
        listOf(),
        null,
        listOf(
            Field("word", Field.Kind.TEXT, "text", isRequired = true),
        ),
    ),
    "word.imported" to EventType(
        listOf(),
        null,
        listOf(
            Field("word", Field.Kind.TEXT, "text", isRequired = true),
            Field("masteryLevel", Field.Kind.NUMBER, "a whole number from 0 to 5", isWhole = true, least = 0.0, most = 5.0),
            Field("easeFactor", Field.Kind.NUMBER, "a number, 1.3 or more", least = 1.3),
            Field("intervalDays", Field.Kind.NUMBER, "a whole number from 1 to 36500", isWhole = true, least = 1.0, most = 36500.0),
            Field("stability", Field.Kind.NUMBER, "a number greater than 0", above = 0.0),
            Field("difficulty", Field.Kind.NUMBER, "a number from 1 to 10", least = 1.0, most = 10.0),
            Field("nextReviewAt", Field.Kind.INSTANT, "an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"),
            Field("lastReviewedAt", Field.Kind.INSTANT, "an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"),
            Field("totalReviews", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("correctReviews", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("text", Field.Kind.TEXT, "text"),
            Field("translation", Field.Kind.TEXT, "text"),
            Field("partOfSpeech", Field.Kind.TEXT, "text"),
            Field("category", Field.Kind.TEXT, "text"),
            Field("tags", Field.Kind.TEXT_LIST, "a list of text"),
            Field("origin", Field.Kind.TEXT, "text"),
        ),
    ),
    "review.graded" to EventType(
        listOf(),
        null,
        listOf(
            Field("word", Field.Kind.TEXT, "text", isRequired = true),
            Field("grade", Field.Kind.TEXT, "again, hard, good or easy", isRequired = true, oneOf = listOf("again", "hard", "good", "easy")),
            Field("durationMs", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("mode", Field.Kind.TEXT, "text"),
        ),
    ),
    "error.detected" to EventType(
        listOf(),
        null,
        listOf(
            Field("kind", Field.Kind.TEXT, "text"),
            Field("original", Field.Kind.TEXT, "text"),
            Field("corrected", Field.Kind.TEXT, "text"),
            Field("line", Field.Kind.TEXT, "text"),
        ),
    ),
    "error.corrected" to EventType(
        listOf(),
        null,
        listOf(
            Field("kind", Field.Kind.TEXT, "text"),
            Field("line", Field.Kind.TEXT, "text"),
        ),
    ),
    "repair.made" to EventType(
        listOf(),
        null,
        listOf(
            Field("helped", Field.Kind.BOOLEAN, "true or false"),
            Field("line", Field.Kind.TEXT, "text"),
            Field("partner", Field.Kind.TEXT, "text"),
        ),
    ),
    "help.given" to EventType(
        listOf(),
        null,
        listOf(
            Field("to", Field.Kind.TEXT, "text"),
            Field("line", Field.Kind.TEXT, "text"),
        ),
    ),
    "hint.used" to EventType(
        listOf(),
        null,
        listOf(
            Field("level", Field.Kind.TEXT, "text"),
        ),
    ),
    "scenario.completed" to EventType(
        listOf(),
        null,
        listOf(
            Field("scenario", Field.Kind.TEXT, "text", isRequired = true),
            Field("errors", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
        ),
    ),
    "team.won" to EventType(
        listOf(),
        null,
        listOf(
            Field("partner", Field.Kind.TEXT, "text"),
        ),
    ),
    "object.scanned" to EventType(
        listOf(),
        null,
        listOf(
            Field("label", Field.Kind.TEXT, "text", isRequired = true),
            Field("confidence", Field.Kind.NUMBER, "a number from 0 to 1", least = 0.0, most = 1.0),
        ),
    ),
    "conversation.ended" to EventType(
        listOf(),
        null,
        listOf(
            Field("character", Field.Kind.TEXT, "text"),
            Field("messages", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("durationMs", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("wordsUsed", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("grammarErrors", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("averageResponseMs", Field.Kind.NUMBER, "a whole number, 0 or more", isWhole = true, least = 0.0, most = 9007199254740992.0),
        ),
    ),
    "streak.repaired" to EventType(
        listOf(),
        null,
        listOf(
            Field("date", Field.Kind.DATE, "a date that exists, as YYYY-MM-DD", isRequired = true),
            Field("reason", Field.Kind.TEXT, "text"),
        ),
    ),
    "streak.frozen" to EventType(
        listOf(),
        null,
        listOf(
            Field("date", Field.Kind.DATE, "a date that exists, as YYYY-MM-DD", isRequired = true),
            Field("reason", Field.Kind.TEXT, "text"),
        ),
    ),
    "streak.paused" to EventType(
        listOf(),
        Span("from", "through", 366),
        listOf(
            Field("from", Field.Kind.DATE, "a date that exists, as YYYY-MM-DD", isRequired = true),
            Field("through", Field.Kind.DATE, "a date that exists, as YYYY-MM-DD", isRequired = true),
            Field("reason", Field.Kind.TEXT, "text"),
        ),
    ),
    "freeze.granted" to EventType(
        listOf(),
        null,
        listOf(
            Field("count", Field.Kind.NUMBER, "a whole number from 1 to 100", isWhole = true, least = 1.0, most = 100.0),
            Field("reason", Field.Kind.TEXT, "text"),
        ),
    ),
    "xp.adjusted" to EventType(
        listOf(),
        null,
        listOf(
            Field("amount", Field.Kind.NUMBER, "a whole number", isRequired = true, isWhole = true, least = -9007199254740992.0, most = 9007199254740992.0),
            Field("reason", Field.Kind.TEXT, "text"),
        ),
    ),
    "xp.declared" to EventType(
        listOf(),
        null,
        listOf(
            Field("total", Field.Kind.NUMBER, "a whole number, 0 or more", isRequired = true, isWhole = true, least = 0.0, most = 9007199254740992.0),
        ),
    ),
    "currency.adjusted" to EventType(
        listOf(),
        null,
        listOf(
            Field("currency", Field.Kind.TEXT, "text", isRequired = true),
            Field("amount", Field.Kind.NUMBER, "a whole number from -1000000000000 to 1000000000000", isRequired = true, isWhole = true, least = -1000000000000.0, most = 1000000000000.0),
            Field("reason", Field.Kind.TEXT, "text"),
        ),
    ),
    "item.bought" to EventType(
        listOf(),
        null,
        listOf(
            Field("item", Field.Kind.TEXT, "text", isRequired = true),
            Field("count", Field.Kind.NUMBER, "a whole number from 1 to 1000", isWhole = true, least = 1.0, most = 1000.0),
        ),
    ),
    "achievement.granted" to EventType(
        listOf(),
        null,
        listOf(
            Field("achievement", Field.Kind.TEXT, "text", isRequired = true),
            Field("reason", Field.Kind.TEXT, "text"),
        ),
    ),
    "achievement.revoked" to EventType(
        listOf(),
        null,
        listOf(
            Field("achievement", Field.Kind.TEXT, "text", isRequired = true),
            Field("reason", Field.Kind.TEXT, "text"),
        ),
    ),
    "group.joined" to EventType(
        listOf(),
        null,
        listOf(
            Field("group", Field.Kind.TEXT, "text", isRequired = true),
            Field("kind", Field.Kind.TEXT, "text"),
        ),
    ),
    "group.left" to EventType(
        listOf(),
        null,
        listOf(
            Field("group", Field.Kind.TEXT, "text", isRequired = true),
        ),
    ),
    "league.finished" to EventType(
        listOf(),
        null,
        listOf(
            Field("league", Field.Kind.TEXT, "text", isRequired = true),
            Field("week", Field.Kind.TEXT, "text", isRequired = true),
            Field("tier", Field.Kind.TEXT, "text", isRequired = true),
            Field("room", Field.Kind.NUMBER, "a whole number", isWhole = true, least = -9007199254740992.0, most = 9007199254740992.0),
            Field("rank", Field.Kind.NUMBER, "a whole number", isWhole = true, least = -9007199254740992.0, most = 9007199254740992.0),
            Field("of", Field.Kind.NUMBER, "a whole number", isWhole = true, least = -9007199254740992.0, most = 9007199254740992.0),
            Field("xp", Field.Kind.NUMBER, "a number", isRequired = true),
            Field("outcome", Field.Kind.TEXT, "promoted, stayed or demoted", isRequired = true, oneOf = listOf("promoted", "stayed", "demoted")),
            Field("next", Field.Kind.TEXT, "text", isRequired = true),
        ),
    ),
    "flag.cleared" to EventType(
        listOf(),
        null,
        listOf(
            Field("source", Field.Kind.TEXT, "text", isRequired = true),
            Field("id", Field.Kind.TEXT, "text", isRequired = true),
        ),
    ),
    "scheduler.fitted" to EventType(
        listOf(),
        null,
        listOf(
            Field("parameters", Field.Kind.NUMBER_LIST, "a list of 21 numbers, each within its bounds", isRequired = true, bounds = listOf(0.001 to 100.0, 0.001 to 100.0, 0.001 to 100.0, 0.001 to 100.0, 1.0 to 10.0, 0.001 to 4.0, 0.001 to 4.0, 0.001 to 0.75, 0.0 to 4.5, 0.0 to 0.8, 0.001 to 3.5, 0.001 to 5.0, 0.001 to 0.25, 0.001 to 0.9, 0.0 to 4.0, 0.0 to 1.0, 1.0 to 6.0, 0.0 to 2.0, 0.0 to 2.0, 0.0 to 0.8, 0.1 to 0.8)),
            Field("reviews", Field.Kind.NUMBER, "a whole number, 0 or more", isRequired = true, isWhole = true, least = 0.0, most = 9007199254740992.0),
            Field("logLoss", Field.Kind.NUMBER, "a number", isRequired = true),
        ),
    ),
    "event.retracted" to EventType(
        listOf(),
        null,
        listOf(
            Field("source", Field.Kind.TEXT, "text", isRequired = true),
            Field("id", Field.Kind.TEXT, "text", isRequired = true),
        ),
    ),
)
