// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

@testable import LaurelService

/// The job that fits FSRS's parameters.
@Suite struct FitJobTests {
    private func jobs(_ test: TestService) throws -> [[String: Any]] {
        try test.get("/v1/jobs").list.filter { $0["kind"] as? String == "fit" }
    }

    @Test func `a fit starts once in its period`() throws {
        let test = try TestService { $0.fitDays = 7 }
        _ = try test.post(event("1", learner: "ana"))
        let task = FitTask(test.service.engine, test.service.jobs, test.service.options)
        let start = Date(timeIntervalSince1970: 1_900_000_000)
        for hours in [0.0, 2, 167] { try task.run(at: start + hours * 3600) }
        for _ in 0..<400 where try jobs(test).first?["endedAt"] as? String == nil { usleep(25_000) }
        let first = try jobs(test)
        #expect(first.count == 1 && first[0]["state"] as? String == "done", "\(first)")
        let whole = try test.get("/v1/jobs/\(try #require(first[0]["id"] as? String))").json
        #expect(whole["result"] as? [String: Int] == ["learners": 1, "fitted": 0], "\(whole)")
        // Another node reads when the last fit started.
        try FitTask(test.service.engine, test.service.jobs, test.service.options).run(at: start + 160 * 3600)
        #expect(try jobs(test).count == 1)
        try task.run(at: start + 169 * 3600)
        #expect(try jobs(test).count == 2)
    }

    @Test func `no fit starts without the setting`() throws {
        let test = try TestService()
        try FitTask(test.service.engine, test.service.jobs, test.service.options).run(at: Date())
        #expect(try jobs(test).isEmpty)
    }
}
