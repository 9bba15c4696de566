// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Synchronization
import Testing

@testable import LaurelService

/// Reports that take long to make are shown from a cache. Here each report counts as slow.
@Suite struct ReportCacheTests {
    private final class Clock: Sendable {
        let now = Mutex(Date(timeIntervalSince1970: 1_775_650_000))
        func advance(_ seconds: Double) { now.withLock { $0 += seconds } }
    }

    private static let learners = ["ana": "red", "ben": "blue"]
    private static let isCached = "The report is as of"

    private static func lines(_ learner: String, _ cohort: String) -> String {
        let profile = event("profile", learner: learner).replacing("line.spoken", with: "learner.updated")
            .replacing(#"{"accuracy":0.9}"#, with: #"{"displayName":"Name of \#(learner)","cohort":"\#(cohort)"}"#)
        return "\(event("1", learner: learner))\n\(profile)"
    }

    private static func service(_ clock: Clock) throws -> TestService {
        let test = try TestService {
            $0.now = { clock.now.withLock { $0 } }
            $0.slowReport = 0
        }
        for (learner, cohort) in learners { try test.post(lines(learner, cohort)) }
        return test
    }

    /// The report of a page, without the form above it, which is never cached.
    private static func report(_ test: TestService, _ query: String = "", headers: HTTPHeaders = [:]) throws -> String {
        let page = try test.get("/reports/weekly-xp?show=true&week=2026-W14\(query)", headers: headers)
        #expect(page.status == 200, "\(page.text.suffix(2000))")
        return String(page.text[(page.text.firstRange(of: "</form>")?.lowerBound ?? page.text.startIndex)...])
    }

    @Test func `later events follow`() throws {
        let clock = Clock()
        let test = try Self.service(clock)
        #expect(try !Self.report(test).contains(Self.isCached))
        clock.advance(60)
        #expect(try Self.report(test).contains(Self.isCached))
        try test.post(Self.lines("cem", "red"))
        let earlier = try Self.report(test)
        #expect(earlier.contains(Self.isCached) && earlier.contains("Name of ana") && !earlier.contains("Name of cem"))
        let end = ContinuousClock.now + .seconds(60)
        while try !Self.report(test).contains("Name of cem") {
            try #require(ContinuousClock.now < end, "the report is not made again")
            usleep(10_000)
        }
    }

    @Test func `a report is at most ten minutes old`() throws {
        for (age, isCached) in [(599.0, true), (601, false), (-1, false)] {
            let clock = Clock()
            let test = try Self.service(clock)
            _ = try Self.report(test)
            clock.advance(age)
            #expect(try Self.report(test).contains(Self.isCached) == isCached, "\(age)")
        }
    }

    @Test func `a quick report is never cached`() throws {
        let test = try TestService { $0.slowReport = 3600 }
        try test.post(Self.lines("ana", "red"))
        for _ in 1...2 { #expect(try !Self.report(test).contains(Self.isCached)) }
    }

    @Test func `an erased learner is in no report`() throws {
        let test = try Self.service(Clock())
        let inClass = try [Self.report(test), Self.report(test, "&cohort=blue")]
        #expect(inClass.allSatisfy { $0.contains("Name of ben") })
        // Another process erases the learner.
        #expect(try TestService(store: test.path).send("DELETE", "/v1/learners/ben").status == 204)
        #expect(try !Self.report(test).contains("Name of ben"))
        let cohort = try test.get("/reports/weekly-xp?show=true&week=2026-W14&cohort=blue")
        #expect(cohort.status == 422 && !cohort.text.contains("Name of ben"))
    }

    @Test func `other rules give another report`() throws {
        let test = try Self.service(Clock())
        let earlier = try Self.report(test)
        try test.service.engine.apply(Rules(yaml: "version: 1\nxp: [{id: line, on: line.spoken, award: 4321}]\n"))
        let report = try Self.report(test)
        #expect(!report.contains(Self.isCached))
        #expect(report.contains("4,321") && !earlier.contains("4,321"))
    }

    @Test func `a key for a class gets the report of its class`() throws {
        let test = try Self.service(Clock())
        _ = try Self.report(test)
        for (learner, cohort) in Self.learners {
            let key = try test.key(KeyGrant([.read], cohorts: [cohort]))
            for isCached in [false, true] {
                let report = try Self.report(test, headers: key)
                #expect(report.contains(Self.isCached) == isCached, "\(cohort)")
                for (other, _) in Self.learners {
                    #expect(report.contains("Name of \(other)") == (other == learner), "\(cohort): \(other)")
                }
            }
        }
    }
}
