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

    private static let large = """
        version: 1
        title: Large
        learner:
          sections:
            - exhibits:
                - show: table
                  query: SELECT replace(printf('%100000d', 1), ' ', 'laurel') AS text
                  columns: {text: {title: Text}}
        """

    /// Runs a body with a service that has one report.
    private func withReport(_ text: String, _ body: (TestService) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-report-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(text.utf8).write(to: folder.appending(path: "own.yaml"))
        let test = try TestService { $0.reportsFolder = folder.path }
        try test.post(event("1"))
        try body(test)
    }

    @Test func `a report that is stopped says why`() throws {
        try withReport(Self.large) { test in
            let answer = try test.get("/v1/reports/own?learner=ana&week=2026-W14")
            #expect(answer.status == 422)
            #expect(answer.text.contains("failed-report") && answer.text.contains("too big"), "\(answer.text)")
            let page = try test.get("/reports/own?learner=ana&week=2026-W14&show=1")
            #expect(page.text.contains("too big"), "\(page.text)")
        }
    }

    @Test func `questions do not wait for reports`() throws { try withReport(Self.slow, askBesideReports) }

    private func askBesideReports(_ test: TestService) throws {
        let group = DispatchGroup()
        for _ in 0..<4 {
            DispatchQueue.global().async(group: group) {
                let answer = try? test.get("/v1/reports/own?learner=ana&week=2026-W14")
                // On a busy machine, a report may reach its deadline.
                #expect([200, 422].contains(answer?.status), "\(answer?.text ?? "")")
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
