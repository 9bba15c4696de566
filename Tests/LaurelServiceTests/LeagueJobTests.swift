// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

@testable import LaurelService

/// The job that settles leagues.
@Suite struct LeagueJobTests {
    private func jobs(_ test: TestService) throws -> [[String: Any]] {
        try test.get("/v1/jobs").list.filter { $0["kind"] as? String == "leagues" }
    }

    /// Runs the task of a node, and waits for the end of its job.
    /// - Returns: the number of jobs, and the result of the newest job.
    private func settle(_ test: TestService, _ task: LeagueTask, at time: String) throws -> (Int, [[String: Any]]) {
        try task.run(at: Timestamp(time).date)
        for _ in 0..<400 where try jobs(test).contains(where: { $0["endedAt"] is NSNull }) { usleep(25_000) }
        let found = try jobs(test)
        let id = try #require(found.first?["id"] as? String)
        let whole = try test.get("/v1/jobs/\(id)").json
        #expect(whole["state"] as? String == "done", "\(whole)")
        return (found.count, whole["result"] as? [[String: Any]] ?? [])
    }

    @Test func `a week is settled once, within an hour after it can be settled`() throws {
        let test = try TestService()
        try test.service.engine.apply(Rules(yaml: LeagueRouteTests.rules))
        for (learner, count) in [("ana", 3), ("ben", 2)] {
            try test.post((1...count).map { event("\($0)", learner: learner, day: 1) }.joined(separator: "\n"))
        }
        let task = LeagueTask(test.service.engine, test.service.jobs)
        // The first job notes the first week, which is 2026-W14. It ends on this day. Further jobs start once a day.
        #expect(try settle(test, task, at: "2026-04-05T20:00:00Z").0 == 1)
        #expect(try settle(test, task, at: "2026-04-06T12:00:00Z").0 == 1)
        #expect(try settle(test, task, at: "2026-04-06T20:00:00Z").0 == 2)
        // The week can be settled 14 hours after the end of Sunday at UTC−12.
        #expect(try settle(test, task, at: "2026-04-07T01:59:00Z").0 == 2)
        #expect(try settle(test, task, at: "2026-04-07T02:58:00Z").0 == 2)
        let (count, result) = try settle(test, task, at: "2026-04-07T02:59:00Z")
        #expect(count == 3)
        #expect(result.map { $0["week"] as? String } == ["2026-W14"] && result.first?["results"] as? Int == 2)
        let date = try Timestamp("2026-04-07T12:00:00Z").date
        #expect(try test.service.engine.learner("ana").league(at: date)?.latest?.outcome == "promoted")
        // Another node reads when the last job ran.
        let other = LeagueTask(test.service.engine, test.service.jobs)
        #expect(try settle(test, other, at: "2026-04-07T03:30:00Z").0 == 3)
        let (later, again) = try settle(test, other, at: "2026-04-08T03:30:00Z")
        #expect(later == 4 && again.isEmpty)
    }

    @Test func `no job starts if the rules have no league`() throws {
        let test = try TestService()
        try test.service.engine.apply(Rules(yaml: "version: 1"))
        try LeagueTask(test.service.engine, test.service.jobs).run(at: Date())
        #expect(try jobs(test).isEmpty)
    }
}
