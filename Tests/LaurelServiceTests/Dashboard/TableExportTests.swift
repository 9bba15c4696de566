// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelWire
import Testing

@testable import LaurelService

/// The tables of pages and reports as CSV.
@Suite struct TableExportTests {
    private static func profile(_ learner: String, _ name: String, cohort: String = "red") -> String {
        event("profile", learner: learner).replacing("line.spoken", with: "learner.updated")
            .replacing(#"{"accuracy":0.9}"#, with: #"{"displayName":"\#(name)","cohort":"\#(cohort)"}"#)
    }

    private static func records(_ answer: HTTPResponse) -> [[String]] {
        answer.bytes.split(separator: 0x0A).map { line in
            (CSVRecord.fields(of: line.last == 0x0D ? line.dropLast() : line) ?? [])
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func `the list of learners has all rows with plain numbers`() throws {
        let now = try Timestamp("2026-04-05T19:00:00Z").date
        let test = try TestService { $0.now = { now } }
        try test.service.engine.apply(Rules(yaml: HomePageTests.rules))
        var lines = (0..<250).map { event("\($0)", learner: "learner-\(1000 + $0)") }
        lines += (0..<2000).map { event("many-\($0)", learner: "learner-1003") }
        let long = String(repeating: "n", count: 300)
        lines.append(Self.profile("learner-1003", "Ann \u{201C}<b>\u{201D} & Co, \(long)"))
        lines.append(Self.profile("learner-1000", "=HYPERLINK(1)"))
        #expect(try test.post(lines.joined(separator: "\n")).status == 200)
        let page = try test.get(
            "/learners?sort=week&columns=streak,practice,xp,cohort",
            headers: ["Accept-Language": "de"]
        )
        let link = try #require(page.text.firstMatch(of: /<a href="([^"]*format=csv[^"]*)" download="learners.csv"/))
        let answer = try test.get(String(link.1).replacing("&amp;", with: "&"), headers: ["Accept-Language": "de"])
        #expect(answer.headers["Content-Type"]?.hasPrefix("text/csv") == true)
        #expect(answer.headers["Content-Disposition"] == "attachment; filename=\"learners.csv\"")
        let records = Self.records(answer)
        #expect(records.count == 251)
        #expect(records.first == ["Learner", "Name", "Streak", "Last practice", "XP of all time", "Cohort"])
        let xp = try #require(try test.service.engine.learner("learner-1003").progress(at: now)).totalXP
        #expect(xp == 10_005)
        let time = Timestamp.utc(try Timestamp("2026-04-05T18:00:00Z").milliseconds)
        let name = "Ann \u{201C}<b>\u{201D} & Co, \(long)"
        #expect(records[1] == ["learner-1003", name, "1", time, "\(xp)", "red"])
        #expect(records.contains { $0.starts(with: ["learner-1000", "'=HYPERLINK(1)"]) })
    }

    @Test func `a table is found by its name only`() throws {
        let test = try TestService()
        #expect(try test.post(event("1")).status == 200)
        for target in ["/learners?format=csv", "/learners?format=csv&table=nonsense"] {
            let answer = try test.get(target)
            #expect(answer.status == 404 && answer.text.contains("has no table"), "\(target)")
        }
        #expect(try test.get("/learners?format=csv&table=learners").status == 200)
    }

    /// A key for a class gets the rows of its page, and no others.
    @Test func `an export has the rights of its page`() throws {
        let test = try TestService()
        #expect(
            try test.post(
                [Self.profile("ana", "Ana"), Self.profile("ben", "Ben", cohort: "blue")].joined(separator: "\n")
            ).status == 200
        )
        let teacher = try test.key(KeyGrant([.read], cohorts: ["red"]))
        let rows = Self.records(try test.get("/learners?format=csv&table=learners", headers: teacher)).dropFirst()
        #expect(rows.map(\.first) == ["ana"])
        #expect(try test.get("/health?format=csv&table=checks", headers: teacher).status == 403)
    }

    @Test func `each table of a report is exported as the command writes it`() throws {
        let now = try Timestamp("2026-04-05T19:00:00Z").date
        let test = try TestService { $0.now = { now } }
        let lines = (0..<30).map { event("\($0)", learner: "learner-\($0 % 7)", day: 1 + $0 % 5) }
        #expect(try test.post(lines.joined(separator: "\n")).status == 200)
        let address = "/reports/weekly-xp?show=true&week=2026-W14"
        let page = try test.get(address).text
        let links = page.matches(of: /<a href="([^"]*format=csv[^"]*)"/).map {
            String($0.1).replacing("&amp;", with: "&")
        }
        #expect(links.count >= 3 && Set(links).count == links.count, "\(links)")
        for link in links {
            let answer = try test.get(link)
            let records = Self.records(answer)
            #expect(answer.status == 200 && records.count > 1, "\(link) \(answer.text)")
            #expect(records.allSatisfy { $0.count == records[0].count }, "\(link) \(answer.text)")
        }
    }
}
