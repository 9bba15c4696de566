// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct AchievementsTests {
    private let laurel: Laurel
    private let at = "2026-02-05T20:00:00Z"

    init() throws { laurel = try Laurel(events: Laurel.events) }

    @Test func eachWithItsProgress() throws {
        let outcome = try laurel.run("achievements", "anna", "--at", at)
        #expect(outcome.errors == "laurel: 1 of 2 achievements unlocked\n")
        #expect(
            outcome.output == """
                achievement  name      description  category  progress         tier    unlocked (UTC)
                talker       Talker                           #####.....  50%  1 of 2  2026-02-05 18:00
                marathon     Marathon                         ####......  40%

                """
        )
    }

    @Test func json() throws {
        let outcome = try laurel.run("achievements", "anna", "--unlocked", "--json", "--at", at)
        #expect(
            outcome.output == """
                [
                {"id":"talker","name":"Talker","description":"","category":null,"language":null,"tier":1,"tiers":2,"unlockedAt":"2026-02-05T18:00:00.000Z","progress":0.5}
                ]

                """
        )
    }

    @Test func perLanguageAndHidden() throws {
        let rules = """
            version: 1
            metrics: {lines: {count: line.spoken}}
            achievements:
              - {id: hidden, value: total.lines, at_least: 3, hidden: true}
              - {id: seen, value: total.lines, at_least: 2, hidden: true}
              - {id: local, scope: language, category: SOCIAL, value: total.lines, at_least: 4}

            """
        let laurel = try Laurel(events: Laurel.events, rules: rules)
        let all = try laurel.run("achievements", "anna", "--json", "--at", at).output
        #expect(all.contains(#""id":"seen""#) && !all.contains("hidden"))
        #expect(all.contains(#""id":"local","name":"local","description":"","category":"SOCIAL","language":"es""#))
        // The numbers of each track equal those of `progress`.
        #expect(
            try laurel.run("achievements", "anna", "--at", at).errors
                == "laurel: 1 of 1 achievement unlocked, 0 of 1 in es\n"
        )
        #expect(try laurel.run("progress", "anna", "--at", at).output.contains("  Unlocked    1 of 1 achievement\n"))
        let spanish = try laurel.run("progress", "anna", "--language", "es", "--at", at).output
        #expect(spanish.contains("  Unlocked    0 of 1 achievement\n"))
        let local = try laurel.run("achievements", "anna", "--language", "es", "--category", "SOCIAL", "--at", at)
        #expect(local.errors == "laurel: 0 of 1 achievement unlocked\n")
        #expect(try laurel.run("achievements", "anna", "--language", "fr", "--at", at).status == 2)
        #expect(try laurel.run("achievements", "ana").messages.first?.contains("did you mean anna?") == true)
    }
}
