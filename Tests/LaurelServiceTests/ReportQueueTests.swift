// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import LaurelHTTP
import Testing

@testable import LaurelService

@Suite struct ReportQueueTests {
    private static let slow = """
        version: 1
        title: Slow
        learner:
          sections:
            - exhibits:
                - show: table
                  query: |
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000000)
                    SELECT count(*) AS many FROM n
                  columns: {many: {title: Many}}
        """

    @Test func `questions do not wait for reports`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-slow-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Self.slow.utf8).write(to: folder.appending(path: "slow.yaml"))
        let test = try TestService { $0.reportsFolder = folder.path }
        try test.post(event("1"))
        let group = DispatchGroup()
        for _ in 0..<4 {
            DispatchQueue.global().async(group: group) {
                let answer = try? test.get("/v1/reports/slow?learner=ana&week=2026-W14")
                #expect(answer?.status == 200, "\(answer?.text ?? "")")
            }
        }
        usleep(300_000)
        let start = ContinuousClock.now
        #expect(try test.get("/v1/learners/ana/progress").status == 200)
        #expect(start.duration(to: .now) < .seconds(1))
        let finished = group.wait(timeout: .now())
        #expect(finished == .timedOut, "the reports take longer than that")
        group.wait()
    }
}
