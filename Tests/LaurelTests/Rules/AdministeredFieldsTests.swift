// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

/// New rules decide which updates of a profile are an administrator's. A discarded session does not void those.
struct AdministeredFieldsTests {
    private static let plain = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        events: {learner.updated: {target: number}}

        """
    private static let administered = plain + "administered: [target]\n"

    private static let lines = [
        #"{"id":"1","source":"app","type":"learner.updated","subject":"ana","session":"s","time":"2026-02-09T10:00:00Z","#
            + #""data":{"nativeLanguage":"de","dailyGoalMinutes":30,"target":2}}"#,
        #"{"id":"2","source":"app","type":"session.discarded","subject":"ana","session":"s","#
            + #""time":"2026-02-09T11:00:00Z"}"#,
    ]

    @Test(arguments: Backend.allCases, [nil, LocalDay(parsing: "2026-02-01".utf8)])
    func `rules decide if a discarded session voids an update of the profile`(backend: Backend, day: LocalDay?) throws {
        let bench = try Bench(backend, rules: Self.plain)
        try bench.ingest(Self.lines)
        #expect(try goal(bench) == 15)
        for (rules, goal) in [(Self.administered, 30), (Self.plain, 15), (Self.administered, 30)] {
            _ = try bench.engine.apply(
                ClassRules.load(rules),
                from: day,
                options: ApplyOptions(appliedAt: Bench.date)
            )
            _ = try bench.soundFingerprint()
            #expect(try self.goal(bench) == goal)
        }
    }

    private func goal(_ bench: Bench) throws -> Int? {
        try bench.store.read { reader in
            let ana = try #require(try reader.learner(named: Array("ana".utf8)))
            return try reader.projection(of: ana.id)?.dailyGoalMinutes
        }
    }
}
