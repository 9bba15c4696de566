// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Testing

@Suite struct ProgressTests {
    @Test(
        arguments: ProgressTests.instants + ProgressTests.clocks + ProgressTests.practice + ProgressTests.profile
            + ProgressTests.estimates
    )
    func progress(row: Case) throws {
        try row.check()
    }

    private static func ended(_ time: String, minutes: Int) -> Event {
        event("session.ended", time, ["durationMs": .count(minutes * 60_000)])
    }

    /// An hour's practice in Berlin on the day before summer time starts, on Sunday 29 March 2026 at 01:00 UTC.
    private static func inBerlin(_ time: String, _ offset: String = "+01:00") -> Event {
        event("session.ended", "\(time)\(offset)", ["durationMs": 3_600_000], timezone: "Europe/Berlin")
    }

    static let clocks: [Case] = [
        Case(
            "by the zone of the latest event, not by its offset then",
            "",
            [inBerlin("2026-03-28T20:00:00")],
            at: "2026-03-29T22:30:00Z",
            ["todayMinutes": 0, "totalMinutesPlayed": 60]
        ),
        Case(
            "by the zone, still the same day",
            "",
            [inBerlin("2026-03-29T20:00:00", "+02:00")],
            at: "2026-03-29T21:59:59Z",
            ["todayMinutes": 60]
        ),
        Case(
            "by the zone, the day after",
            "",
            [inBerlin("2026-03-29T20:00:00", "+02:00")],
            at: "2026-03-29T22:00:00Z",
            ["todayMinutes": 0]
        ),
        Case(
            "by the zone, also before -00:00",
            "",
            [inBerlin("2026-03-29T20:00:00", "+02:00")],
            at: "2026-03-29T22:00:00-00:00",
            ["todayMinutes": 0]
        ),
        Case(
            "the offset written in `at` wins",
            "",
            [inBerlin("2026-03-29T20:00:00", "+02:00")],
            at: "2026-03-29T22:30:00+00:00",
            ["todayMinutes": 60]
        ),
        Case(
            "a week by the zone",
            "xp: [{id: a, on: session.ended, award: 5}]",
            [inBerlin("2026-03-28T20:00:00")],
            at: "2026-03-29T22:30:00Z",
            ["weeklyXP": 0]
        ),
        Case(
            "by the zone of the latest, however many before it",
            "",
            [event("session.ended", "2026-03-28T10:00:00Z", timezone: "Asia/Tokyo"), inBerlin("2026-03-28T20:00:00")],
            at: "2026-03-28T22:30:00Z",
            ["todayMinutes": 60]
        ),
        Case(
            "no zone and no offset: by the default zone at the instant",
            "calendar: {default_timezone: Europe/Berlin}",
            [event("session.ended", "2026-03-28T20:00:00Z", ["durationMs": 60_000])],
            at: "2026-03-29T22:30:00Z",
            ["todayMinutes": 0]
        ),
    ]

    private static func outside(_ type: String, _ time: String, _ ms: JSONValue, session: String? = nil) -> Event {
        let own: [String: JSONValue] = type == "review.graded" ? ["word": "sol", "grade": "good"] : [:]
        return event(
            type,
            "2026-02-\(time):00Z",
            own.merging(["durationMs": ms]) { one, _ in one },
            language: "es",
            session: session
        )
    }

    static let practice: [Case] = [
        Case(
            "outside sessions: lines, reviews and conversations",
            "",
            [
                outside("line.spoken", "05T10:00", 30_000), outside("review.graded", "05T10:01", 20_000),
                outside("conversation.ended", "05T10:02", 10_000),
            ],
            at: "2026-02-05T12:00:00Z",
            ["todayMinutes": 1, "totalMinutesPlayed": 1, "totalSessions": 0]
        ),
        Case(
            "in the language's track, too",
            "",
            [outside("review.graded", "05T10:01", 120_000)],
            at: "2026-02-05T12:00:00Z",
            language: "es",
            ["todayMinutes": 2, "totalMinutesPlayed": 2]
        ),
        Case(
            "in a session only the session counts",
            "",
            [
                outside("line.spoken", "05T10:00", 60_000, session: "s"),
                outside("review.graded", "05T10:01", 60_000, session: "s"),
                outside("conversation.ended", "05T10:02", 60_000, session: "s"),
                event("session.ended", "2026-02-05T10:05:00Z", ["durationMs": 300_000], session: "s"),
            ],
            at: "2026-02-05T12:00:00Z",
            ["todayMinutes": 5, "totalMinutesPlayed": 5]
        ),
        Case(
            "on its own day",
            "",
            [outside("line.spoken", "05T10:00", 60_000), outside("line.spoken", "06T10:00", 120_000)],
            at: "2026-02-06T12:00:00Z",
            ["todayMinutes": 2, "totalMinutesPlayed": 3]
        ),
        Case(
            "without a duration, and of other types: nothing",
            "events: {quest.finished: {durationMs: number}}",
            [
                event("line.spoken", "2026-02-05T10:00:00Z"),
                event("quest.finished", "2026-02-05T10:01:00Z", ["durationMs": 60_000]),
            ],
            at: "2026-02-05T12:00:00Z",
            ["todayMinutes": 0, "totalMinutesPlayed": 0]
        ),
        Case(
            "summed before they are floored",
            "",
            [
                outside("line.spoken", "05T10:00", 40_000), outside("line.spoken", "05T10:01", 40_000),
                event("session.ended", "2026-02-05T10:05:00Z", ["durationMs": 40_000]),
            ],
            at: "2026-02-05T12:00:00Z",
            ["todayMinutes": 2]
        ),
    ]

    static let instants: [Case] = [
        Case(
            "nothing yet",
            "",
            [ended("2026-02-05T10:00:00Z", minutes: 5)],
            at: "2026-02-05T09:59:59.999Z",
            [
                "userId": "ana", "language": nil, "displayName": nil, "events": 0, "totalSessions": 0,
                "currentLevel": 1,
                "dailyGoalMinutes": 15, "estimatedCEFR": nil, "cefrProgressPercent": nil,
            ]
        ),
        Case(
            "at the event's own instant",
            "",
            [ended("2026-02-05T10:00:00Z", minutes: 5)],
            at: "2026-02-05T10:00:00Z",
            ["events": 1, "todayMinutes": 5]
        ),
        Case(
            "today by the offset written in `at`",
            "",
            [ended("2026-02-05T10:00:00Z", minutes: 5)],
            at: "2026-02-06T01:00:00+02:00",
            ["todayMinutes": 0, "totalMinutesPlayed": 5]
        ),
        Case(
            "still today by that offset",
            "",
            [ended("2026-02-05T10:00:00Z", minutes: 5)],
            at: "2026-02-06T01:00:00-02:00",
            ["todayMinutes": 0]
        ),
        Case(
            "today by an offset to the west",
            "",
            [ended("2026-02-05T10:00:00Z", minutes: 5)],
            at: "2026-02-05T20:00:00-08:00",
            ["todayMinutes": 5]
        ),
        Case(
            "today by the latest event's offset",
            "",
            [ended("2026-02-05T20:00:00-08:00", minutes: 5)],
            at: "2026-02-06T07:00:00Z",
            ["todayMinutes": 5]
        ),
        Case(
            "tomorrow by the latest event's offset",
            "",
            [ended("2026-02-05T20:00:00-08:00", minutes: 5)],
            at: "2026-02-06T08:00:00Z",
            ["todayMinutes": 0]
        ),
        Case(
            "today by the default time zone",
            "calendar: {default_timezone: Asia/Tokyo}",
            [ended("2026-02-05T16:00:00Z", minutes: 5)],
            at: "2026-02-06T14:59:59Z",
            ["todayMinutes": 5]
        ),
        Case(
            "each track by its own latest event",
            "",
            [
                event("session.ended", "2026-02-05T20:00:00-08:00", ["durationMs": 60_000], language: "es"),
                ended("2026-02-06T05:00:00Z", minutes: 3),
            ],
            at: "2026-02-06T06:00:00Z",
            language: "es",
            ["todayMinutes": 1]
        ),
        Case(
            "minutes of the day that is behind",
            "calendar: {day_starts_at: \"04:00\"}",
            [ended("2026-02-06T03:00:00Z", minutes: 7)],
            at: "2026-02-06T03:30:00Z",
            ["todayMinutes": 7]
        ),
        Case(
            "repairs, help and team wins",
            "",
            [
                event("repair.made", "2026-02-05T10:00:00Z"),
                event("repair.made", "2026-02-05T10:01:00Z", ["helped": false]),
                event("repair.made", "2026-02-05T10:02:00Z", ["helped": true]),
                event("help.given", "2026-02-05T10:03:00Z"),
                event("team.won", "2026-02-05T10:04:00Z"), event("quest.finished", "2026-02-05T10:05:00Z"),
            ],
            at: "2026-02-05T11:00:00Z",
            ["successfulRepairs": 2, "helpGiven": 1, "teamWins": 1, "events": 6]
        ),
    ]

    private static func updated(_ time: String, _ data: [String: JSONValue], language: String? = nil) -> Event {
        event("learner.updated", time, data, language: language)
    }

    static let profile: [Case] = [
        Case(
            "per property the latest",
            "",
            [
                updated("2026-02-05T10:00:00Z", ["displayName": "Ana", "dailyGoalMinutes": 20]),
                updated("2026-02-05T11:00:00Z", ["displayName": "Ana María", "dailyGoalMinutes": nil]),
                updated("2026-02-05T09:00:00Z", ["displayName": "A.", "dailyGoalMinutes": 60]),
            ],
            at: "2026-02-06T00:00:00Z",
            ["displayName": "Ana María", "dailyGoalMinutes": 20]
        ),
        Case(
            "every track shows it",
            "",
            [
                updated("2026-02-05T10:00:00Z", ["displayName": "Ana"], language: "pt"),
                event("line.spoken", "2026-02-05T11:00:00Z", language: "es"),
            ],
            at: "2026-02-06T00:00:00Z",
            language: "es",
            ["displayName": "Ana", "events": 1]
        ),
    ]

    private static let cefr = "cefr: {score: words.learned, bands: {A1: 0, A2: 2, B1: 4, B2: 8, C1: 16, C2: 32}}"

    private static func learned(_ count: Int, declared level: JSONValue? = nil) -> [Event] {
        let words = (0..<count).map {
            event("word.learned", "2026-02-05T10:00:00Z", ["word": .string("w\($0)")], language: "es")
        }
        guard let level else { return words }
        let declaration = event("level.declared", "2026-02-05T09:00:00Z", ["level": level], language: "es")
        return words + [declaration]
    }

    private static func estimate(
        _ name: String,
        _ events: [Event],
        language: String? = "es",
        _ band: JSONValue,
        _ percent: JSONValue,
        under rules: String = cefr
    ) -> Case {
        Case(
            name,
            rules,
            events,
            at: "2026-02-06T00:00:00Z",
            language: language,
            ["estimatedCEFR": band, "cefrProgressPercent": percent]
        )
    }

    static let estimates: [Case] = [
        estimate("by its score", learned(3), "A2", 50),
        estimate("at a band's start", learned(4), "B1", 0),
        estimate("before the first band's end", learned(1), "A1", 50),
        estimate("from the level declared on", learned(2, declared: "B1"), "B1", 50),
        estimate("declared and passed", learned(4, declared: "B1"), "B2", 0),
        estimate("declared C2", learned(0, declared: "C2"), "C2", 100),
        estimate(
            "the latest declaration",
            learned(1, declared: "C1") + [
                event("level.declared", "2026-02-05T09:30:00Z", ["level": "A2"], language: "es")
            ],
            "A2",
            50
        ),
        estimate("not overall", learned(3), language: nil, nil, nil),
        estimate("not without rules for it", learned(3), nil, nil, under: ""),
        estimate(
            "below nothing",
            learned(3),
            "A1",
            0,
            under: cefr.replacing("words.learned", with: "words.learned - 9")
        ),
        estimate(
            "no score at all",
            learned(3, declared: "A2"),
            "A2",
            0,
            under: cefr.replacing("words.learned", with: "1 / 0")
        ),
    ]
}
