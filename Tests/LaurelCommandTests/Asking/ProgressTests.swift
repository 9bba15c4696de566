// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct ProgressTests {
    private let laurel: Laurel

    init() throws { laurel = try Laurel(events: Laurel.events) }

    @Test func jsonHasTheFieldsInTheirOrder() throws {
        let outcome = try laurel.run("progress", "anna", "--json", "--at", "2026-02-05T20:00:00+01:00")
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(
            outcome.output
                == [
                    #"{"userId":"anna","language":null,"displayName":"Anna","currentStreak":2,"longestStreak":2,"streakFreezes":0,"#,
                    #""lastActivityDate":"2026-02-05","todayMinutes":0,"dailyGoalMinutes":15,"totalXP":70,"todayXP":10,"weeklyXP":70,"#,
                    #""xpBreakdown":{"lines":20,"sessions":50},"currentLevel":1,"levelProgressPercent":70,"xpToNextLevel":30,"totalWordsKnown":2,"#,
                    #""totalWordsLearned":0,"wordsDueForReview":1,"vocabulary":{"new":1,"learning":1,"reviewing":0,"mastered":0},"#,
                    #""vocabularyMasteryPercent":0,"totalSessions":1,"totalMinutesPlayed":12,"soloSessions":1,"#,
                    #""multiplayerSessions":0,"successfulRepairs":0,"helpGiven":0,"teamWins":0,"estimatedCEFR":null,"#,
                    #""cefrProgressPercent":null,"metrics":{"lines":2,"seconds":4},"#,
                    #""day":{"lines":1,"xp":10},"week":{"xp":70},"achievements":["#,
                    #"{"id":"talker","name":"Talker","tier":1,"tiers":2,"unlockedAt":"2026-02-05T18:00:00.000Z","progress":0.5},"#,
                    #"{"id":"marathon","name":"Marathon","tier":0,"tiers":1,"unlockedAt":null,"progress":0.4}],"events":8}"#,
                    "\n",
                ].joined()
        )
    }

    @Test func allTracksAreOneObjectByLanguage() throws {
        let at = "2026-02-05T20:00:00+01:00"
        let all = try laurel.run("progress", "anna", "--all", "--json", "--at", at).output
        let overall = try laurel.run("progress", "anna", "--json", "--at", at).output.dropLast()
        let spanish = try laurel.run("progress", "anna", "--language", "es", "--json", "--at", at).output.dropLast()
        #expect(spanish.contains(#""estimatedCEFR":"A1","cefrProgressPercent":50,"#))
        #expect(all == "{\"*\":\(overall),\"es\":\(spanish)}\n")
    }

    private static let game = """
        version: 1
        metrics: {hints: {count: hint.used}}
        seasons: [{name: spring, from: 2026-02-01, through: 2026-05-31}]
        goals:
          - {id: ask, name: Ask once, every: day, value: day.hints, target: 1, gives: {gems: 2}}
          - {id: more, every: week, value: week.hints, target: 4}
          - {id: many, every: season, value: season.hints, target: 10}
        currencies: {gems: {start: 10}, hearts: {start: 2, hold: 5, refill: {every: 4h, by: 1}}}
        items: {potion: {price: {gems: 7}, gives: {hearts: 1}}, unsold: {price: {gems: 1}, gives: {hearts: 1}}}
        """

    @Test(arguments: [
        (
            "en",
            [
                "Goals", "1 of 1, completed: Ask once", "1 of 4: more", "1 of 10: many", "Balances", "5  gems",
                "3  hearts  next refill at 2026-02-05 14:00 UTC", "Bought      1  potion", "Season", "1  hints",
            ]
        ),
        (
            "de",
            [
                "Ziele", "1 von 1, erreicht: Ask once", "1 von 4: more", "Guthaben",
                "3  hearts  nächste Auffüllung um 2026-02-05 14:00 UTC", "Gekauft", "Saison",
            ]
        ),
    ])
    func aPageShowsWhatGamesGive(locale: String, expected: [String]) throws {
        let laurel = try Laurel(rules: Self.game)
        let event = #"{"id":"1","source":"a","type":"hint.used","subject":"ben","time":"2026-02-05T10:00:00Z"}"#
        try laurel.run("ingest", "--rules", "rules.yaml", input: event)
        try laurel.run("buy", "ben", "potion", "--id", "7", "--at", "2026-02-05T11:00:00Z")
        let page = try laurel.run("progress", "ben", "--locale", locale, "--at", "2026-02-05T12:00:00Z").output
        for text in expected { #expect(page.contains(text), "\(text) is not in \(page)") }
        #expect(!page.contains("unsold"))
    }

    @Test func aPageForPeople() throws {
        let outcome = try laurel.run("progress", "anna", "--language", "es", "--at", "2026-02-05T20:00:00+01:00")
        #expect(outcome.errors == "")
        #expect(
            outcome.output == """
                Anna (anna) in es, as of 2026-02-05T20:00:00+01:00

                  Level 1     [################........]  30 XP to level 2
                  Today       [........................]  0 of 15 minutes
                  CEFR        [############............]  A1, an estimate; 50% of the way to A2
                  Streak      2 days, the longest 2, last active 2026-02-05
                  XP          70, 70 of them this week
                              [#########...............]  20  lines
                              [########################]  50  sessions

                  Words       2 known, 0 learned (0%), 1 due for review
                              [------------------------........................]
                              - learning 1   . new 1

                  Sessions    1 (1 solo, 0 together), 12 minutes
                  Events      7

                  Metrics     2  lines
                              4  seconds

                """
        )
    }

    @Test func achievementsAreForPeopleToo() throws {
        let outcome = try laurel.run("progress", "anna", "--at", "2026-02-05T20:00:00+01:00")
        #expect(
            outcome.output.contains(
                """
                  Unlocked    1 of 2 achievements
                              * Talker    2026-02-05  tier 1 of 2
                  Next        [############............]  Talker    50%
                              [#########...............]  Marathon  40%

                """
            )
        )
    }

    @Test func beforeTheFirstEventThereIsAnEmptyTrack() throws {
        let outcome = try laurel.run("progress", "anna", "--json", "--at", "2020-01-01T00:00:00Z")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasSuffix(#""events":0}"# + "\n"))
    }

    @Test func anUnknownLearnerIsAWrongRequest() throws {
        let outcome = try laurel.run("progress", "ana")
        #expect(outcome.status == 2 && outcome.output == "")
        #expect(
            outcome.messages == [
                "there is no learner “ana” in the store; did you mean anna?", "`laurel learners` lists them",
            ]
        )
    }

    @Test func anUnknownLanguageNamesThoseThereAre() throws {
        let outcome = try laurel.run("progress", "anna", "--language", "fr", "--at", "2026-02-06T00:00:00Z")
        #expect(outcome.status == 2)
        #expect(
            outcome.messages == [
                "anna has no events in “fr” as of 2026-02-06T00:00:00Z; languages: es"
            ]
        )
    }

    @Test func wordsAreInTheReadersLanguage() throws {
        let at = ["progress", "anna", "--at", "2026-02-05T20:00:00+01:00"]
        let german = try laurel.run(at + ["--locale", "de_DE"])
        #expect(german.status == 0)
        for text in [
            "Anna (anna) in allen Sprachen, Stand", "2 Tage, die längste 2", "70, davon 70 diese Woche",
            "20  Sätze", "1 von 2 Erfolgen",
        ] {
            #expect(german.output.contains(text), "\(text): \(german.output)")
        }
        let japanese = try laurel.run(at + ["--locale", "ja_JP"])
        #expect(japanese.output.contains("連続日数") && !japanese.output.contains("Streak"))
        #expect(try laurel.run(at + ["--json", "--locale", "de_DE"]).output == laurel.run(at + ["--json"]).output)
        let unknown = try laurel.run(at + ["--locale", "xx_QQ"])
        #expect(unknown.status == 2 && unknown.messages.first?.hasPrefix("--locale: “xx_QQ” is no locale") == true)
    }
}
