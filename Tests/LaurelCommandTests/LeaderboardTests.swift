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
                {"rank":1,"userId":"anna","displayName":"Anna","cohort":"b","xp":20,"reachedAt":"2026-02-02T11:01:00.000Z"},
                {"rank":1,"userId":"bert","displayName":null,"cohort":null,"xp":20,"reachedAt":"2026-02-03T10:00:00.000Z"}
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
                   1  bert                   20  [####################] <

                """
        )
        let idle = try board("--week this --around bert")
        #expect(idle.status == 0)
        #expect(idle.output == "")
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
