// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelWire
import Testing

@testable import LaurelService

/// The first page: who needs attention, the week, the service, and the first steps.
@Suite struct HomePageTests {
    /// A Thursday.
    private static let now = "2026-04-23T12:00:00Z"

    private func service(_ lines: [String], rules: String? = nil) throws -> TestService {
        let now = try Date(Self.now, strategy: .iso8601)
        let test = try TestService { $0.now = { now } }
        if let rules { try test.service.engine.apply(Rules(yaml: rules)) }
        if !lines.isEmpty { #expect(try test.post(lines.joined(separator: "\n")).status == 200) }
        return test
    }

    /// Lines that a learner spoke on days of April.
    private static func spoken(_ learner: String, on days: [Int], hour: String = "11") -> [String] {
        days.map { day in
            let time = "2026-04-\(day < 10 ? "0" : "")\(day)T\(hour):00:00Z"
            return event("\(day)-\(hour)", learner: learner).replacing("2026-04-05T18:00:00Z", with: time)
        }
    }

    private static func profile(_ learner: String, cohort: String) -> String {
        event("profile", learner: learner).replacing("line.spoken", with: "learner.updated")
            .replacing(#"{"accuracy":0.9}"#, with: #"{"cohort":"\#(cohort)"}"#)
    }

    static let rules = """
        version: 1
        metrics:
          lines: {count: line.spoken}
        streak: {when: day.lines >= 1}
        xp:
          - {id: line, on: line.spoken, award: 5}
        """

    private static let classOfFive =
        spoken("streak", on: [20, 21, 22]) + spoken("longer", on: [18, 19, 20, 21, 22])
        + spoken("short", on: [21, 22]) + spoken("less", on: [13, 14, 15, 16, 20])
        + spoken("stopped", on: [8]) + spoken("gone", on: [1]) + spoken("fine", on: [13, 14, 20, 21, 22, 23])
        + [profile("new", cohort: "red")]

    @Test func `who needs attention, why, and who is listed behind a reason`() throws {
        let march = event("old", learner: "gone").replacing("2026-04-05T18:00:00Z", with: "2026-03-01T11:00:00Z")
        let lines = Self.classOfFive.filter { !$0.contains(#""subject":"gone""#) } + [march]
        let test = try service(lines, rules: Self.rules)
        let page = try test.get("/home").text
        let shown = page.matches(of: /data-key="([^"]*)"/).map { String($0.1) }
        #expect(shown == ["longer", "streak", "less", "stopped", "new"])
        for sentence in [
            "A streak of 5 days ends tonight", "A streak of 3 days ends tonight",
            "Practised on 1 day of this week, and on 4",
            "Remind the learner to practise today.", "Ask what keeps the learner away",
        ] {
            #expect(page.replacing("\u{A0}", with: " ").contains(sentence), "\(sentence)")
        }
        let reasons = page.matches(of: /href="(\/learners\?need=[a-z]+)">[^<:]*: (\d+)/)
        #expect(reasons.count == 4)
        for reason in reasons {
            let listed = try test.get(String(reason.1)).text.matches(of: /data-key="/).count
            #expect(listed == Int(reason.2), "\(reason.1)")
        }
        let csv = try test.get("/home?format=csv&table=learners-who-need-attention").text.split(separator: "\r\n")
        #expect(csv.count == 6 && csv.last?.hasPrefix("new") == true, "\(csv)")
    }

    /// The week is compared with Monday to Thursday of the week before. An event of this evening does not count yet.
    @Test func `the week and the same days of the week before`() throws {
        let lines =
            Self.spoken("ana", on: [13, 14, 17, 20]) + Self.spoken("ben", on: [16, 19, 21, 22, 23])
            + Self.spoken("carla", on: [18]) + Self.spoken("ana", on: [23], hour: "20")
            + Self.spoken("dan", on: [24], hour: "10")
        let test = try service(lines, rules: Self.rules)
        let members = try ClassList.members(
            test.service,
            ClassQuery(),
            at: try Date(Self.now, strategy: .iso8601)
        )
        let week = ClassWeek(members)
        #expect(week.begun == 4)
        #expect(week.learners.now == 2 && week.learners.before == 2)
        #expect(week.xp.now == 20 && week.xp.before == 15)
        #expect(week.learners.days == [1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0])
        let page = try test.get("/home").text
        #expect(page.contains(">5 more than the week before<") && page.contains(">as many as the week before<"))
        let bars = page.matches(
            of: /href="(\/learners\?day=[0-9-]+)"><span class="line"><span>[^<]*<\/span><span>(\d+)/
        )
        #expect(bars.map { String($0.2) } == ["1", "1", "1", "1"])
        for bar in bars {
            #expect(try test.get(String(bar.1)).text.matches(of: /data-key="/).count == Int(bar.2), "\(bar.1)")
        }
    }

    @Test func `each caller sees the parts of its rights`() throws {
        let profiles = [
            Self.profile("streak", cohort: "red"), Self.profile("stopped", cohort: "blue"),
        ]
        let test = try service(Self.classOfFive + profiles, rules: Self.rules)
        let admin = try test.key([.admin])
        let rows: [(name: String, key: HTTPHeaders, learners: Set<String>, isOperator: Bool)] = [
            ("admin", admin, ["longer", "streak", "less", "stopped", "gone", "new"], true),
            ("reading", try test.key([.read]), ["longer", "streak", "less", "stopped", "gone", "new"], false),
            ("cohort", try test.key(KeyGrant([.read], cohorts: ["red"])), ["streak", "new"], false),
            ("sending", try test.key([.ingest]), [], false),
        ]
        for (name, key, learners, isOperator) in rows {
            let page = try test.get("/home", headers: key).text
            #expect(Set(page.matches(of: /data-key="([^"]*)"/).map { String($0.1) }) == learners, "\(name)")
            #expect(page.contains("id=\"service\"") == isOperator, "\(name)")
            #expect(page.contains("This week") == !learners.isEmpty, "\(name)")
        }
    }

    @Test func `the checks are those of the page Health`() throws {
        let test = try service(Self.spoken("ana", on: [23]))
        _ = try test.post(#"{"id":"x"}"#)
        let (home, health) = (try test.get("/home").text, try test.get("/health").text)
        func troubles(_ page: String) -> [String] {
            page.matches(of: /data-check="([^"]*)">.*?<span class="badge (\w+)">/).filter { $0.2 != "good" }
                .map { String($0.1) }
        }
        #expect(troubles(home) == troubles(health) && troubles(home).contains("quarantine"))
        let good = try #require(home.firstMatch(of: /Good: ([^.]*)\./)).1.split(separator: ", ").map(String.init)
        let all = health.matches(of: /data-check="([^"]*)"/).map { String($0.1) }
        #expect(Set(good + troubles(home)) == Set(all))
    }

    @Test func `an empty store has first steps whose event is accepted`() throws {
        let test = try service([])
        #expect(!(try test.get("/home", headers: test.key([.read])).text.contains("curl")))
        let admin = try test.key([.admin])
        let page = try test.get("/home", headers: admin).text
        #expect(page.contains("Make a key for your app") && page.contains("laurel simulate --learners 40"))
        #expect(page.contains("curl http://localhost:8080/v1/events"))
        let body = try #require(page.firstMatch(of: /-d &#39;(.*?)&#39;/)).1
        let line = String(body).replacing("&quot;", with: "\"")
        let answer = try test.send("POST", "/v1/events", line, type: "application/json", headers: admin)
        #expect(answer.status == 200 && answer.json["stored"] as? Int == 1, "\(answer.text)")
        let after = try test.get("/home", headers: admin).text
        #expect(!after.contains("curl") && after.contains("This week"))
    }

    @Test func `browsers and sign-ins are sent to the first page`() throws {
        let test = try service([])
        #expect(try test.get("/", headers: ["Accept": "text/html"]).headers["Location"] == "/home")
        let navigation = try test.get("/home").text
        #expect(navigation.contains(#"<a href="/home" aria-current="page">Home</a>"#))
    }
}
