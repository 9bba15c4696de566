// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelStore
import Testing

@testable import LaurelService

/// Blocks that writes leave unmerged become a job, while the service accepts events.
@Suite struct MergeJobTests {
    private func ended(_ test: TestService) throws -> [[String: Any]] {
        try test.get("/v1/jobs").list.filter { $0["endedAt"] is String }
    }

    @Test func `blocks are merged by a job`() throws {
        var options = StoreOptions()
        (options.eventsPerBlock, options.tailLimit, options.bulkThreshold) = (16, 20, 12)
        (options.mergedInWrites, options.mergedPerNewEvent) = (0, 0)
        let test = try TestService(tuning: options) { $0.leaseSeconds = 1 }
        var count = 0
        func send() throws {
            let lines = (0..<48).map { event("\(count + $0)", learner: "learner-\($0 % 12)") }
            #expect(try test.post(lines.joined(separator: "\n")).json["stored"] as? Int == 48)
            count += 48
        }
        for _ in 0..<20 { try send() }
        let before = try test.service.engine.fingerprint()
        for _ in 0..<400 where try ended(test).isEmpty { usleep(50_000) }
        let job = try #require(try ended(test).first)
        #expect(job["kind"] as? String == "merge" && job["state"] as? String == "done", "\(job)")
        let whole = try test.get("/v1/jobs/\(try #require(job["id"] as? String))").json
        #expect(((whole["result"] as? [String: Any])?["generations"] as? Int ?? 0) >= 4, "\(whole)")
        #expect(try !test.service.engine.isMergingDue())
        #expect(try test.service.engine.fingerprint() == before)
        #expect(try test.service.engine.verify().problems.isEmpty)
        try send()
        #expect(try test.get("/learners", headers: ["Accept": "text/html"]).status != 500)
    }
}
