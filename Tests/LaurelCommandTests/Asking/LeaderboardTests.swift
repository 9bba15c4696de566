// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct LeaderboardTests {
    private static let events = [
        line("1", "bert", "2026-02-02T10:00:00Z"), line("2", "bert", "2026-02-03T10:00:00Z"),
        line("1", "anna", "2026-02-02T11:00:00Z"), line("2", "anna", "2026-02-02T11:01:00Z"),
        line("1", "cem", "2026-02-04T11:00:00Z"), line("2", "cem", "2026-02-09T11:00:00Z"),
        #"{"id":"0","source":"app","type":"learner.updated","subject":"anna","time":"2026-02-01T00:00:00Z","data":{"displayName":"Anna","cohort":"b"}}"#,
    ].joined(separator: "\n")

    private static func line(_ id: String, _ subject: String, _ time: String) -> String {
        #"{"id":"\#(id)","source":"app","type":"line.spoken","subject":"\#(subject)","language":"es","time":"\#(time)"}"#
    }

    private static func mistake(_ text: String, _ problem: String) -> (String, String) {
        ("--week \(text)", "--week: “\(text)” \(problem)")
    }

    private let laurel: Laurel

    init() throws { laurel = try Laurel(events: LeaderboardTests.events) }

    private func board(_ words: String) throws -> Laurel.Outcome {
        try laurel.shell("laurel leaderboard --at 2026-02-12T12:00:00Z \(words)")
    }

    @Test func aWeek() throws {
        let outcome = try board("--week 2026-W06")
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                rank  learner  name  cohort  XP
                   1  anna     Anna  b       20  [####################]
                   1  bert                   20  [####################]
                   3  cem                    10  [##########..........]

                """
        )
        #expect(outcome.messages == ["2026-W06, 2026-02-02 to 2026-02-08: 3 learners with XP"])
        for other in ["--week 2026-02-02", "--week 2026-02-08", "--week last", "--week this --at=2026-02-08T23:00:00Z"]
        {
            let words = other.contains("--at") ? other : "\(other) --at 2026-02-12T12:00:00Z"
            #expect(try laurel.shell("laurel leaderboard \(words)") == outcome, "\(other)")
        }
    }

    @Test func thisWeekAndAllTime() throws {
        #expect(try board("").messages == ["2026-W07, 2026-02-09 to 2026-02-15: 1 learner with XP"])
        let all = try board("--all-time --limit 2 --json")
        #expect(
            all.output == """
                [
                {"rank":1,"learner":"anna","displayName":"Anna","cohort":"b","xp":20,"reachedAt":"2026-02-02T11:01:00.000Z"},
                {"rank":1,"learner":"bert","displayName":null,"cohort":null,"xp":20,"reachedAt":"2026-02-03T10:00:00.000Z"}
                ]

                """
        )
        #expect(all.messages == ["all time: 2 of 3 learners with XP"])
        #expect(
            try board("--all-time --cohort b --language es").messages == ["all time, in es, of b: 1 learner with XP"]
        )
        #expect(try board("--all-time --cohort c").output == "")
        #expect(try board("--all-time --language ja --json").output == "[]\n")
    }

    @Test func aNeighbourhood() throws {
        let outcome = try board("--week last --around bert --limit 1")
        #expect(
            outcome.output == """
                rank  learner  name  cohort  XP
                   1  bert                   20  <  [####################]

                """
        )
        let idle = try board("--week this --around bert")
        #expect(idle.status == 0)
        #expect(idle.output == "")
    }

    // MARK: One session

    private static func spoken(
        _ id: String,
        _ subject: String,
        _ time: String,
        _ data: String,
        session: String = "cafe"
    )
        -> String
    {
        #"{"id":"\#(id)","source":"app","type":"line.spoken","subject":"\#(subject)","language":"es","session":"\#(session)","#
            + #""time":"\#(time)","data":{\#(data)}}"#
    }

    private static let together = [
        spoken("1", "bert", "2026-02-02T10:00:01Z", #""accuracy":0.5,"errors":1"#),
        spoken("2", "bert", "2026-02-02T10:00:03Z", #""accuracy":1"#),
        spoken("1", "anna", "2026-02-02T10:00:02Z", ""), spoken("2", "anna", "2026-02-02T10:00:04Z", ""),
        spoken("1", "dora", "2026-02-02T10:00:05Z", ""),
        // Took part without speaking.
        #"{"id":"1","source":"app","type":"session.started","subject":"cem","session":"cafe","time":"2026-02-02T10:00:00Z"}"#,
        // Another session, and much XP elsewhere.
        spoken("3", "dora", "2026-02-02T10:00:06Z", "", session: "hotel"),
        spoken("4", "dora", "2026-02-02T10:00:07Z", "", session: "hotel"),
        // Took part, and discarded the session.
        spoken("1", "emil", "2026-02-02T10:00:05Z", ""),
        #"{"id":"2","source":"app","type":"session.discarded","subject":"emil","session":"cafe","time":"2026-02-02T10:10:00Z"}"#,
        #"{"id":"0","source":"app","type":"learner.updated","subject":"anna","time":"2026-02-01T00:00:00Z","data":{"displayName":"Anna","cohort":"b"}}"#,
    ].joined(separator: "\n")

    @Test func whoTookPartInASessionByItsXP() throws {
        let laurel = try Laurel(events: Self.together)
        let at = "--at 2026-02-12T12:00:00Z"
        let outcome = try laurel.shell("laurel leaderboard --session cafe \(at)")
        #expect(
            outcome.output == """
                rank  learner  name  cohort  XP  lines  accuracy  errors  new words  length
                   1  bert                   20      2       75%       1          0
                   1  anna     Anna  b       20      2                 0          0
                   3  dora                   10      1                 0          0
                   4  cem                     0      0                 0          0

                """
        )
        #expect(outcome.messages == ["session cafe: 4 learners"])
        let first = try laurel.shell("laurel leaderboard --session cafe --limit 1 --json \(at)")
        #expect(
            first.output == """
                [
                {"rank":1,"learner":"bert","displayName":null,"cohort":null,"xp":20,"reachedAt":"2026-02-02T10:00:03.000Z","language":"es","mode":null,"durationMs":null,"linesSpoken":2,"accuracy":0.75,"errorsDetected":1,"errorsCorrected":0,"newVocabulary":0,"xpBreakdown":{"lines":20}}
                ]

                """
        )
        #expect(first.messages == ["session cafe: 1 of 4 learners"])
        let around = try laurel.shell("laurel leaderboard --session cafe --around dora --limit 1 \(at)")
        #expect(
            around.output.hasSuffix("   3  dora                   10      1                 0          0          <\n"),
            "\(around)"
        )
        #expect(
            try laurel.shell("laurel leaderboard --session cafe --cohort b \(at)").messages == [
                "session cafe: 1 learner"
            ]
        )
        #expect(try laurel.shell("laurel leaderboard --session cafe --cohort c --json \(at)").output == "[]\n")
        // Before her second line, anna is behind.
        let earlier = try laurel.shell("laurel leaderboard --session cafe --json --at 2026-02-02T10:00:03Z")
        #expect(
            earlier.output.matches(of: /"rank":(\d),"learner":"(\w+)"/).map { "\($0.1)\($0.2)" } == [
                "1bert", "2anna", "3cem",
            ]
        )
        let unknown = try laurel.shell("laurel leaderboard --session bar \(at)")
        #expect(unknown.status == 2)
        #expect(unknown.messages.first == "no learner has a session “bar” as of 2026-02-12T12:00:00Z")
    }

    @Test func weeksThatStartOnSunday() throws {
        let sunday = Laurel.rules.replacing("name: small", with: "name: small\ncalendar: {week_starts_on: sunday}")
        try laurel.write(sunday, to: "sunday.yaml")
        let outcome = try board("--week 2026-02-07 --rules sunday.yaml")
        #expect(outcome.messages == ["the week to 2026-02-07: 3 learners with XP"])
        let named = try board("--week 2026-W06 --rules sunday.yaml")
        #expect(named.status == 2)
        #expect(
            named.messages.first == "--week: “2026-W06” is a week from Monday on, but under these rules weeks start on"
                + " another day: name it by a date in it"
        )
    }

    @Test(
        arguments: [
            mistake("2026-W54", "does not exist: years have 52 or 53 weeks, which count from W01"),
            mistake("2025-W53", "does not exist: years have 52 or 53 weeks, which count from W01"),
            mistake("2026-W00", "does not exist: years have 52 or 53 weeks, which count from W01"),
            mistake("2026-02-30", "names no week: give a date in it, 2026-W06, this or last"),
            mistake("next", "names no week: give a date in it, 2026-W06, this or last"),
            ("--all-time --week this", "--all-time and --week exclude each other"),
            ("--session cafe --week this", "--week and --session exclude each other"),
            ("--session cafe --all-time", "--all-time and --session exclude each other"),
            ("--session cafe --around bret", "there is no learner “bret” in the store; did you mean bert?"),
            ("--around bret", "there is no learner “bret” in the store; did you mean bert?"),
            ("--limit few", "--limit: “few” is not a whole number from 0 on"),
        ]
    ) func wrongRequests(words: String, message: String) throws {
        let outcome = try board(words)
        #expect(outcome.status == 2)
        #expect(outcome.messages.first == message)
        #expect(outcome.output == "")
    }
}
