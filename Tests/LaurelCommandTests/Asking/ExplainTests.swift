// SPDX-License-Identifier: Apache-2.0

import Testing

/// The exact output of `explain`. Other tests check the numbers.
@Suite struct ExplainTests {
    private static let heading = "Anna (anna) in all languages, as of 2026-02-06T00:00:00Z"

    private let laurel: Laurel

    init() throws { laurel = try Laurel(events: Laurel.events) }

    private func explain(_ words: String) throws -> Laurel.Outcome {
        try laurel.shell("laurel explain --at 2026-02-06T00:00:00Z \(words)")
    }

    @Test func awards() throws {
        let outcome = try explain("anna --xp")
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                \(ExplainTests.heading)

                2026-02-04 Wed: 60 XP
                  Session s1
                      +10  line (lines)  1 line gave 10 XP
                      +50  session (sessions)  1 session gave 50 XP

                2026-02-05 Thu: 10 XP
                      +10  line (lines)  1 line gave 10 XP

                Sums
                       20  lines
                       50  sessions
                       70  total

                """
        )
        let day = try explain("anna --xp --day 2026-02-04 --limit 1")
        let latest = "… 1 earlier line not listed\n\n2026-02-04 Wed: 60 XP\n  Session s1\n      +50  session"
        #expect(day.output.contains(latest))
        #expect(day.output.contains("       60  total"))
        #expect(try explain("anna --xp --session s1 --language es").output.contains("       60  total"))
        #expect(try explain("さくら --xp").output.contains("no XP, and no event that an XP rule applies to"))
    }

    @Test func balances() throws {
        let laurel = try Laurel()
        try laurel.write(
            """
            version: 1
            currencies: {gems: {start: 3, awards: [{id: line, on: line.spoken, award: 10}]}}
            items: {potion: {price: {gems: 15}}}
            """,
            to: "rules.yaml"
        )
        let lines = (1...2).map {
            #"{"id":"\#($0)","source":"a","type":"line.spoken","subject":"anna","time":"2026-02-05T10:0\#($0):00Z"}"#
        }
        try laurel.run("ingest", "--rules", "rules.yaml", input: lines.joined(separator: "\n"))
        try laurel.run("buy", "anna", "potion", "--id", "7", "--at", "2026-02-05T11:00:00Z")
        let words = ["explain", "anna", "--at", "2026-02-06T00:00:00Z", "--balance"]
        let outcome = try laurel.run(words + ["gems"])
        #expect(
            outcome.output == """
                anna in all languages, as of 2026-02-06T00:00:00Z
                  8 gems

                       +3  at the start
                      +20  award line, 2 times
                      -15  potion bought

                """
        )
        let table = try laurel.run(words + ["gems", "--events"]).output
        #expect(table.contains("potion bought") && table.contains("item.bought laurel/shop/7"))
        let unknown = try laurel.run(words + ["gem"])
        #expect(unknown.status == 2)
        #expect(unknown.messages.first == "the rules have no currency “gem”; did you mean gems?")
        let json = try laurel.run(words + ["gems", "--json"]).output
        #expect(json.contains(#""balance":8"#) && json.contains(#""kind":"price","name":"potion","amount":-15"#))
    }

    @Test func awardsUnderOtherRules() throws {
        try laurel.write(
            """
            version: 1
            metrics:
              lines: {count: line.spoken}
              errors: {sum: "default(event.errors, 0)", on: line.spoken}
            xp:
              - {id: clean, on: line.spoken, when: event.errors == null, award: 10}
              - {id: share, on: session.ended, award: (3 - session.errors / session.lines) * 12.6, daily_cap: 20}
            achievements:
              - {id: talker, name: Talker, value: total.lines, at_least: [1, 5], xp: 7}

            """,
            to: "other.yaml"
        )
        let outcome = try explain("anna --xp --events --rules other.yaml --day 2026-02-04")
        #expect(
            outcome.output == """
                \(ExplainTests.heading)

                2026-02-04 Wed: 27 XP
                  Session s1
                        0  clean  1 line gave nothing: the rule's condition did not hold
                             18:00:30 +00:00  line.spoken app/3, es
                              0  withheld by event.errors == null (1 == null is false); it would be 10
                       +7  talker (achievements)  unlocking Talker (tier 1 of 2) gave 7 XP
                             18:00:30 +00:00  line.spoken app/3, es
                             +7  unlocked by this event
                      +20  share  1 session gave 20 XP; the daily cap of 20 XP withheld 5
                             18:12:00 +00:00  session.ended app/5, es
                            +20  (3 - session.errors / session.lines) * 12.6 = (3 - 1 / 1) * 12.6 = 25.2, rounded down to 25, \
                the daily cap of 20 leaves 20 and withholds 5

                Sums
                        7  achievements
                       20  share
                       27  total

                """
        )
        let json = try explain("anna --xp --rules other.yaml --session s1 --limit 1 --json")
        #expect(
            json.output
                == [
                    #"{"learner":"anna","language":null,"day":null,"session":"s1","events":["#,
                    #"{"time":"2026-02-04T18:12:00.000Z","day":"2026-02-04","zone":"UTC","source":"app","id":"5","#,
                    #""type":"session.ended","session":"s1","language":"es","void":null,"xp":20,"entries":["#,
                    #"{"kind":"award","bucket":"share","amount":20,"rule":"share","award":{"#,
                    #""expression":"(3 - session.errors / session.lines) * 12.6","substituted":"(3 - 1 / 1) * 12.6","#,
                    #""values":{"session.errors":1,"session.lines":1},"value":25.2},"whole":25,"dailyCap":20}]}],"#,
                    #""xpBreakdown":{"achievements":7,"share":20},"totalXP":27}"#, "\n",
                ].joined()
        )
    }

    @Test func anAchievement() throws {
        let answer = "Tier 1 of 2 is unlocked: 2 of 4 are missing for tier 2."
        #expect(
            try explain("anna --achievement talker").output == """
                \(ExplainTests.heading)

                Talker (talker)
                  \(answer)

                  2026-02-05 Thu: unlocked tier 1

                """
        )
        #expect(
            try explain("anna --achievement talker --events").output == """
                \(ExplainTests.heading)

                Talker (talker)
                  \(answer)
                  Unlocks     when total.lines reaches 2, 4
                  Status      unlocked, tier 1 of 2, 50% of the way to tier 2
                  History     2026-02-05 18:00:00 +00:00  line.spoken app/6: unlocked tier 1, total.lines = 2
                  Now         total.lines = 2, 2 short of 4

                """
        )
        let json = try explain("anna --achievement marathon --json")
        let event = [
            #"{"time":"2026-02-05T18:00:00.000Z","day":"2026-02-05","zone":"UTC","source":"app","id":"6","#,
            #""type":"line.spoken","session":null,"language":"es","void":null}"#,
        ].joined()
        let reading = [
            #"{"event":"# + event, #","value":{"expression":"streak.longest","substituted":"2","#,
            #""values":{"streak.longest":2},"value":2},"when":null,"missing":[]}"#,
        ].joined()
        let start =
            #"{"achievement":"marathon","name":"Marathon","from":null,"through":null,"outOfPeriod":null,"description":"","#
        #expect(json.output.hasPrefix("[\n" + start))
        #expect(
            json.output.contains(#""progress":0.4,"revoked":false,"requires":[],"history":[],"voided":[],"latest":{"#)
        )
        #expect(json.output.contains(#""best":"# + reading))
    }

    @Test func aStreak() throws {
        let answer = "A streak of 2 days: practised every day since 2026-02-04 Wed; this day is still open."
        #expect(
            try explain("anna --streak").output == """
                \(ExplainTests.heading)
                  \(answer)

                  2026-02-04 Wed: practised: the streak grew to 1 day
                  2026-02-05 Thu: practised: the streak grew to 2 days
                  2026-02-06 Fri: no practice yet: the day is not over

                """
        )
        let outcome = try explain("anna --streak --events")
        let first = "the first 18:00:30 +00:00 line.spoken app/3: day.lines >= 1 (1 >= 1 is true)"
        let second = "the first 18:00:00 +00:00 line.spoken app/6: day.lines >= 1 (1 >= 1 is true)"
        #expect(
            outcome.output == """
                \(ExplainTests.heading)
                  \(answer)
                  Counts      days with an event for which day.lines >= 1
                  Streak      2 days on 2026-02-06 Fri, the longest 2, 0 freezes held

                day             status  streak  longest  freezes  why
                2026-02-04 Wed  active       1        1        0  3 events (UTC), \
                \(first)
                2026-02-05 Thu  active       2        2        0  3 events (UTC), \
                \(second)
                2026-02-06 Fri  open         2        2        0  the day is not over; no events

                """
        )
        let json = try explain("anna --streak --day 2026-02-06 --json")
        #expect(
            json.output.hasPrefix(#"{"learner":"anna","language":null,"when":"day.lines >= 1","day":"2026-02-06","#)
        )
        let open = [
            #"{"day":"2026-02-06","outcome":"open","currentStreak":2,"longestStreak":2,"streakFreezes":0,"lost":null,"#,
            #""earnsFreeze":false,"events":0,"activeEvents":0,"voidEvents":0,"zones":[],"event":null,"when":null,"#,
            #""repairedBy":null,"frozenBy":null}]}"#, "\n",
        ].joined()
        #expect(json.output.hasSuffix(open))
        let before = try explain("anna --streak --day 2025-06-01")
        #expect(before.messages == ["no streak data around that date"])
    }

    @Test func aWord() throws {
        let answer = [
            "Not learned yet: mastery is 1 of 5, and has to reach 3; remembered in 1 of 1 review; ",
            "the next review is due 2026-02-07 18:02 UTC.",
        ].joined()
        #expect(
            try explain("anna --word w-arbol").output == """
                \(ExplainTests.heading)

                w-arbol in es: Árbol, tree
                  \(answer)
                  The review of 2026-02-05 Thu set the interval to 2 days: 1 d * ease 2.50.

                  2026-02-05 Thu: added
                  2026-02-05 Thu: remembered, graded good: mastery rose from 0 to 1, next review after 2 days

                """
        )
        #expect(
            try explain("anna --word w-arbol --events").output == """
                \(ExplainTests.heading)

                w-arbol in es: Árbol, tree
                  \(answer)
                  The review of 2026-02-05 Thu set the interval to 2 days: 1 d * ease 2.50.
                  Now         mastery 1 of 5, learning, not learned: mastery is below 3
                  Reviews     1 review, 1 correct
                  Next review due 2026-02-07 18:02 UTC: 2 days after 2026-02-05 18:02

                time                        event                grade  mastery  interval   ease  next review (UTC)  why
                2026-02-05 18:01:00 +00:00  word.added app/7            0        1 d        2.50  2026-02-05 18:01   known from here
                2026-02-05 18:02:00 +00:00  review.graded app/8  good   0 → 1    1 d → 2 d  2.50  2026-02-07 18:02   1 d * ease 2.50

                """
        )
        let json = try explain("anna --word cafe --json")
        let state = [
            #"{"mastery":0,"bucket":"new","reviews":0,"correct":0,"intervalDays":1,"easeFactor":2.5,"#,
            #""lastReviewedAt":null,"nextReviewAt":"2026-02-04T18:00:40.000Z","declaredLearned":false}"#,
        ].joined()
        #expect(
            json.output
                == [
                    "[\n", #"{"language":"es","word":"cafe","text":null,"translation":null,"state":"# + state,
                    #","learned":false,"due":true,"desiredRetention":null,"recall":null,"recallWhenDue":null,"#,
                    #""parameters":null,"fit":null,"steps":[{"time":"2026-02-04T18:00:40.000Z","day":"2026-02-04","#,
                    #""zone":"UTC","source":"app","id":"4","type":"word.encountered","session":"s1","language":"es","#,
                    #""void":null,"grade":null,"count":1,"daysSinceReview":null,"recall":null,"fittedAt":null,"#,
                    #""before":null,"after":"# + state, "}]}", "\n]\n",
                ].joined()
        )
    }

    @Test func aWordUnderFSRS() throws {
        let laurel = try Laurel()
        try laurel.write("version: 1\nmastery: {scheduler: fsrs}\n", to: "rules.yaml")
        let times = ["2025-03-01T18:00:00Z", "2025-03-04T19:35:00Z"]
        let lines = times.enumerated().map { place, time in
            #"{"id":"\#(place)","source":"a","type":"review.graded","subject":"anna","time":"\#(time)","#
                + #""data":{"word":"sol","grade":"good"}}"#
        }
        try laurel.run("ingest", "--rules", "rules.yaml", input: lines.joined(separator: "\n"))
        let words = ["explain", "anna", "--word", "sol", "--at", "2025-03-06T00:00:00Z"]
        #expect(
            try laurel.run(words).output == """
                anna in all languages, as of 2025-03-06T00:00:00Z

                sol, without a language
                  Not learned yet: mastery is 2 of 5, and has to reach 3; remembered in 2 of 2 reviews; \
                the next review is due 2025-03-18 19:35 UTC.
                  14 days after the review of 2025-03-04 Tue, predicted recall is 89%. The rules ask for 90%.

                  2025-03-01 Sat: remembered, graded good: mastery rose from 0 to 1, \
                next review after 2 days (stability 2.31, difficulty 2.12)
                  2025-03-04 Tue: remembered, graded good, with a predicted recall of 88%: \
                mastery rose from 1 to 2, next review after 14 days \
                (stability 2.31 → 13.83, difficulty 2.12 → 2.11)

                """
        )
        let events = try laurel.run(words + ["--events"]).output
        #expect(events.contains("Recall now  98%, as FSRS predicts it from the stability\n"))
        #expect(events.contains("Parameters  those of the rules\n"))
        #expect(events.contains("3 days after the last review, with a predicted recall of 88%"))
    }

    @Test(
        arguments: [
            ("anna", "choose one of --xp, --achievement ID, --streak, --word WORD, --balance CURRENCY"),
            ("anna --xp --streak", "--xp and --streak exclude each other"),
            ("anna --word cafe --day 2026-02-04", "--day goes with --xp and --streak, not with --word"),
            ("anna --streak --session s1", "--session goes with --xp, not with --streak"),
            ("anna --xp --day 4.2.2026", "--day: “4.2.2026” is not a date, such as 2026-02-05"),
            ("ana --xp", "there is no learner “ana” in the store; did you mean anna?"),
            ("anna --streak --language de", "anna has no events in “de” as of 2026-02-06T00:00:00Z; languages: es"),
            ("anna --xp --session s2", "anna has no session “s2” as of 2026-02-06T00:00:00Z"),
            ("anna --achievement talkr", "the rules have no achievement “talkr”; did you mean talker?"),
            (
                "anna --achievement talker --language es",
                "talker is unlocked once, not per language; leave --language out"
            ),
            (
                "anna --word Árbol",
                "no event of anna is about the word “Árbol” as of 2026-02-06T00:00:00Z; did you mean w-arbol?"
            ),
        ]
    ) func wrongRequests(words: String, message: String) throws {
        let outcome = try explain(words)
        #expect(outcome.status == 2)
        #expect(outcome.messages.first == message)
        #expect(outcome.output == "")
    }
}
