// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct FlagTests {
    private static let rules = """
        version: 1
        plausible: {line.spoken: {at_most: 1, per: minute}}
        xp: [{id: line, on: line.spoken, award: 10}]
        """

    private static func event(_ id: Int, _ second: Int) -> String {
        #"{"id":"\#(id)","source":"a","type":"line.spoken","subject":"anna","time":"2026-02-05T10:00:\#(second)Z"}"#
    }

    @Test func whyXPIsFlagged() throws {
        let laurel = try Laurel()
        try laurel.write(Self.rules, to: "rules.yaml")
        let events = [Self.event(1, 10), Self.event(2, 20), Self.event(3, 30)].joined(separator: "\n")
        try laurel.run("ingest", "--rules", "rules.yaml", "--now", "2026-02-06T00:00:00Z", input: events)
        let at = ["--at", "2026-02-06T00:00:00Z"]
        let sentence = "Flagged because more than 1 such event came within a minute. Leaderboards leave this XP out."
        let all = try laurel.run(["explain", "anna", "--xp"] + at).output
        #expect(all.contains("+10") && all.contains("+20") && all.contains(sentence), "\(all)")
        let flagged = try laurel.run(["explain", "anna", "--xp", "--flagged"] + at).output
        #expect(!flagged.contains("+10") && flagged.contains("+20") && flagged.contains(sentence), "\(flagged)")
        let card = try laurel.run(["progress", "anna"] + at).output
        #expect(card.contains("Flagged") && card.contains("20 XP, left out of leaderboards"), "\(card)")
        let json = try laurel.run(["progress", "anna", "--json"] + at).output
        #expect(json.contains(#""flaggedEvents":2,"flaggedXP":20"#), "\(json)")
        let wrong = try laurel.run("explain", "anna", "--streak", "--flagged")
        #expect(wrong.status == 2 && wrong.messages.first?.contains("--flagged goes with --xp") == true)
    }
}
