// SPDX-License-Identifier: Apache-2.0

import Testing

/// `laurel groups`: the list of groups, and one group.
@Suite struct GroupsTests {
    private static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1}
        groups:
          team: {streak: {need: any}, goals: [{id: lines, every: week, sum: lines, target: 1000}]}
        """

    private static func line(_ id: String, _ type: String, _ subject: String, _ time: String, _ data: String) -> String
    {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(subject)","time":"2026-02-\#(time):00Z","data":\#(data)}"#
    }

    private static let events = [
        line("1", "group.joined", "ana", "09T10:00", #"{"group":"blue","kind":"team"}"#),
        line("2", "group.joined", "bo", "09T10:00", #"{"group":"blue"}"#),
        line("3", "group.joined", "bo", "09T10:00", #"{"group":"red"}"#),
        line("4", "learner.updated", "bo", "09T10:00", #"{"displayName":"Bo"}"#),
        line("5", "line.spoken", "bo", "09T11:00", "{}"), line("6", "line.spoken", "ana", "10T11:00", "{}"),
    ]

    private func laurel() throws -> Laurel {
        let laurel = try Laurel(events: Self.events.joined(separator: "\n"))
        try laurel.write(Self.rules, to: "groups.yaml")
        #expect(try laurel.run("rules", "apply", "--yes", "groups.yaml").status == 0)
        return laurel
    }

    private static let at = ["--at", "2026-02-10T12:00:00Z"]

    @Test func `lists the groups`() throws {
        let found = try laurel().run(["groups"] + Self.at)
        #expect(found.status == 0 && found.messages.last == "2 groups", "\(found)")
        let rows = found.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(rows.dropFirst().map(\.self) == ["blue team 2 2 0 of 1", "red 1"], "\(found)")
        let json = try laurel().run(["groups", "--json", "--limit", "1"] + Self.at)
        let groups = json.output.split(separator: "\n").filter { $0.hasPrefix("{") }
        #expect(groups.count == 1 && groups[0].hasPrefix(#"{"id":"blue","#), "\(json)")
    }

    @Test func `shows one group`() throws {
        let found = try laurel().run(["groups", "blue"] + Self.at)
        let rows = found.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            rows == [
                "kind team", "day 2026-02-10", "streak 2 days, longest 2, today 1 of 1",
                "goal lines (2026-W07): 2 of 1,000 lines", "member name since today lines", "ana 2026-02-09 yes 1",
                "bo Bo 2026-02-09 no 1",
            ],
            "\(found)"
        )
    }

    @Test(arguments: [
        (["groups", "green"], "no learner ever joined a group “green”"),
        (["groups", "blue", "--limit", "1"], "--limit is for the list of all groups"),
    ])
    func `refuses`(words: [String], message: String) throws {
        let found = try laurel().run(words)
        #expect(found.status == 2 && found.errors.contains(message), "\(found)")
    }
}
