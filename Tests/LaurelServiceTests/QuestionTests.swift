// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

@Suite struct QuestionTests {
    static let at = "2026-04-06T12:00:00Z"

    private func filled() throws -> TestService {
        let test = try TestService()
        var lines = (0..<30).map { event("\($0)", learner: "learner-\($0 % 3)", day: 1 + $0 % 5) }
        lines.append(event("x", learner: "a/b%c"))
        try test.post(lines.joined(separator: "\n"))
        return test
    }

    @Test func answersAreThoseOfTheLibrary() throws {
        let test = try filled()
        let date = try Timestamp(Self.at).date
        let learner = test.service.engine.learner("learner-1", timeZone: nil)
        func json(_ value: some Encodable) throws -> String {
            String(decoding: try LaurelJSON.encode(value), as: UTF8.self) + "\n"
        }
        let base = "/v1/learners/learner-1"
        #expect(try test.get("\(base)/progress?at=\(Self.at)").text == json(learner.progress(at: date)))
        #expect(
            try test.get("\(base)/progress?language=es&at=\(Self.at)").text
                == json(learner.progress(language: "es", at: date))
        )
        #expect(try test.get("\(base)/tracks?at=\(Self.at)").text == json(learner.tracks(at: date)))
        #expect(try test.get("\(base)/vocabulary?at=\(Self.at)").text == json(learner.vocabulary(at: date)))
        #expect(try test.get("\(base)/study-time?at=\(Self.at)").text == json(learner.studyTime(at: date)))
        #expect(try test.get("\(base)/explain/xp?at=\(Self.at)").text == json(learner.explainXP(at: date)))
        #expect(try test.get("\(base)/explain/streak?at=\(Self.at)").text == json(learner.explainStreak(at: date)))
        #expect(try test.get("\(base)/achievements?at=\(Self.at)").list.count == learner.achievements(at: date).count)
        for list in ["words", "sessions"] { #expect(try test.get("\(base)/\(list)?at=\(Self.at)").text == "[]\n") }
        #expect(try test.get("/v1/leaderboard?week=2026-W14&at=\(Self.at)").list.count == 4)
        #expect(try test.get("/v1/leaderboard?all-time&limit=2&at=\(Self.at)").list.count == 2)
        #expect(try test.get("/v1/leaderboard?all-time&around=learner-1&at=\(Self.at)").list.count == 4)
        #expect(try test.get("/v1/reports").list.map { $0["name"] as? String }.contains("weekly-xp"))
        let report = try test.get("/v1/reports/weekly-xp?learner=learner-1&week=2026-W14&at=\(Self.at)")
        #expect(report.status == 200 && !report.json.isEmpty)
        let page = try test.get("/v1/reports/weekly-xp?learner=learner-1&format=html&at=\(Self.at)")
        #expect(page.text.contains("<html") && page.headers["Content-Security-Policy"] != nil)
    }

    /// It is Monday by the rules' clock, UTC, and still Sunday by the learner's.
    @Test(arguments: [("this", "2026-03-30"), ("last", "2026-03-23"), ("2026-W14", "2026-03-30"), ("", "2026-03-30")])
    func aWeekGoesByTheLearnersClock(name: String, first: String) throws {
        let at = "2026-04-06T05:00:00Z"
        let test = try TestService { $0.now = { try! Timestamp(at).date } }
        try test.post(event("1").replacing("18:00:00Z", with: "10:00:00-10:00"))
        let week = name.isEmpty ? "" : "&week=\(name)"
        let report = try test.get("/v1/reports/weekly-xp?learner=ana\(week)&at=\(at)")
        func start(_ report: HTTPResponse) -> String? { (report.json["week"] as? [String: Any])?["start"] as? String }
        #expect(report.status == 200 && start(report) == first, "\(report.text.prefix(300))")
        let page = try test.get("/reports/weekly-xp?learner=ana\(week)&show=true", headers: ["Accept": "text/html"])
        #expect(page.status == 200 && !page.text.contains("not begun"))
        let allLearners = try test.get("/v1/reports/weekly-xp?week=this&at=\(at)")
        #expect(start(allLearners) == "2026-04-06")
    }

    struct Wrong: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let status: Int
        let code: String
        init(_ path: String, _ status: Int, _ code: String) {
            (testDescription, self.status, self.code) = (path, status, code)
        }
    }

    static let wrong = [
        Wrong("/v1/learners/nobody/progress", 404, "unknown-learner"),
        Wrong("/v1/learners/learner-1/progress?language=ja&at=\(at)", 404, "unknown-language"),
        Wrong("/v1/learners/learner-1/progress?at=yesterday", 400, "invalid-request"),
        Wrong("/v1/learners/learner-1/progress?langage=ja", 400, "unknown-parameter"),
        Wrong("/v1/learners/learner-1/progress?at=%zz", 400, "invalid-request"),
        Wrong("/v1/learners/learner-1/words?limit=-1", 400, "invalid-request"),
        Wrong("/v1/learners/learner-1/words?bucket=old", 400, "invalid-request"),
        Wrong("/v1/learners/learner-1/explain", 404, "not-found"),
        Wrong("/v1/learners/learner-1/explain/xp?streak", 400, "unknown-parameter"),
        Wrong("/v1/learners/learner-1/explain/achievements/none", 404, "not-found"),
        Wrong("/v1/learners/learner-1/explain/words/none", 404, "not-found"),
        Wrong("/v1/learners/learner-1/sessions/none", 404, "not-found"),
        Wrong("/v1/learners/a/b%25c/progress", 404, "not-found"),
        Wrong("/v1/learners/%ff/progress", 400, "invalid-request"),
        Wrong("/v1/learners/%00/progress", 400, "invalid-request"),
        Wrong("/v1/learners//progress", 404, "not-found"),
        Wrong("/v1/leaderboard?week=2026-W14&all-time", 400, "invalid-request"),
        Wrong("/v1/leaderboard?around=nobody", 404, "unknown-learner"),
        Wrong("/v1/reports/..%2f..%2fetc%2fpasswd.yaml", 404, "not-found"),
        Wrong("/v1/reports/weekly-xp?learner=nobody", 404, "unknown-learner"),
        Wrong("/v1/jobs/none", 404, "not-found"),
        Wrong("/v1/events", 405, "method-not-allowed"),
        Wrong("/v1", 404, "not-found"),
    ]

    @Test(arguments: wrong) func saysWhatIsWrong(_ row: Wrong) throws {
        let response = try filled().get(row.testDescription)
        #expect(response.status == row.status, "\(response.text)")
        #expect(response.code == row.code)
        #expect(response.headers["Content-Type"] == "application/problem+json")
    }

    @Test func idsMayHoldSlashesAndPercentSigns() throws {
        let test = try filled()
        #expect(try test.get("/v1/learners/a%2Fb%25c/progress?at=\(Self.at)").json["userId"] as? String == "a/b%c")
        #expect(try test.send("DELETE", "/v1/learners/a%2Fb%25c").status == 204)
        #expect(try test.send("DELETE", "/v1/learners/a%2Fb%25c").status == 404)
        #expect(try test.get("/v1/learners/a%2Fb%25c/progress").status == 404)
    }

    @Test func pagesFollowOneAnother() throws {
        let test = try filled()
        for sort in ["id", "xp"] {
            var (ids, next): ([String], String?) = ([], "/v1/learners?limit=2&sort=\(sort)")
            while let path = next {
                let page = try test.get(path)
                ids += page.list.compactMap { $0["learner"] as? String }
                next = page.headers["Link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
            }
            #expect(ids.count == 4 && Set(ids).count == 4, "\(sort)")
        }
    }

    @Test func aLongLocaleTakesNoLongerThanAShortOne() throws {
        let test = try filled()
        let long = String(repeating: "a-", count: 1500)
        for path in ["progress", "tracks", "achievements"] {
            let start = ContinuousClock.now
            let answer = try test.get("/v1/learners/learner-1/\(path)?locale=\(long)")
            #expect(answer.status == 200)
            #expect(start.duration(to: .now) < .seconds(1), "\(path)")
        }
    }

    @Test func whoHasTheAnswerIsNotSentItAgain() throws {
        let test = try filled()
        let path = "/v1/learners/learner-1/progress"
        let first = try test.get(path)
        let tag = try #require(first.headers["ETag"])
        #expect(first.headers["Cache-Control"]?.contains("stale-while-revalidate=") == true)
        let again = try test.get(path, headers: ["If-None-Match": tag])
        #expect(again.status == 304 && again.bytes.isEmpty && again.headers["ETag"] == tag)
        for (field, status) in [
            ("W/\(tag)", 304), ("\"a,b\", \(tag)", 304), ("W/\"a\" ,W/\(tag)", 304), ("*", 304), ("\"a\"", 200),
            (tag + "x", 304),
            (String(tag.dropLast()), 200), ("", 200), (",", 200), ("W/", 200),
        ] {
            #expect(try test.get(path, headers: ["If-None-Match": field]).status == status, "\(field)")
        }
        try test.post(event("other", learner: "learner-2"))
        #expect(try test.get(path, headers: ["If-None-Match": tag]).status == 304, "another's event changes nothing")
        try test.post(event("new", learner: "learner-1"))
        let changed = try test.get(path, headers: ["If-None-Match": tag])
        #expect(changed.status == 200 && changed.headers["ETag"] != tag)
        #expect(changed.json["events"] as? Int == 11)
        // The change may come from another process, with other rules.
        let next = try #require(changed.headers["ETag"])
        let other = try ProgressEngine.open(path: test.path)
        try other.ingest(cloudEvents: Data(event("newer", learner: "learner-1").utf8))
        let later = try test.get(path, headers: ["If-None-Match": next])
        #expect(later.status == 200 && later.json["events"] as? Int == 12)
        try other.replay()
        #expect(try test.get(path, headers: ["If-None-Match": try #require(later.headers["ETag"])]).status == 200)
    }

    @Test func anAnswerHoldsUntilTheLearnersDayEnds() throws {
        let test = try filled()
        let engine = test.service.engine
        // By the clock of the events, UTC.
        let until = try #require(try engine.holds("learner-1", from: try Timestamp("2026-04-05T20:15:00Z").date))
        #expect(until == (try Timestamp("2026-04-06T00:00:00Z").date))
        // Stored events of the future count when their time comes.
        let before = try Timestamp("2026-04-05T17:00:00Z").date
        #expect(try engine.holds("learner-1", from: before) == before)
    }
}
