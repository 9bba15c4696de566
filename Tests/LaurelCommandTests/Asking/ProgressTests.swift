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
