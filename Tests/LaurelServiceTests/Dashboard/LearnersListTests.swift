// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// The choices of the page Learners: order, search, columns, groups, and their address.
@Suite struct LearnersListTests {
    private let test: TestService
    private static let now = "2026-04-20T12:00:00Z"

    init() throws {
        let now = try Date(Self.now, strategy: .iso8601)
        test = try TestService { $0.now = { now } }
        let learners: [(id: String, name: String?, cohort: String, day: Int)] = [
            ("z-1", "Émile", "red", 19), ("a-2", "zoë", "red", 20), ("m-3", "Frieda", "blue", 10),
            ("Bob", nil, "blue", 1),
        ]
        var lines: [String] = []
        for learner in learners {
            let time = "2026-04-\(learner.day < 10 ? "0" : "")\(learner.day)T11:00:00Z"
            lines.append(
                event("1", learner: learner.id).replacing("2026-04-05T18:00:00Z", with: time)
            )
            let name = learner.name.map { #""displayName":"\#($0)","# } ?? ""
            lines.append(
                event("2", learner: learner.id).replacing("line.spoken", with: "learner.updated")
                    .replacing(#"{"accuracy":0.9}"#, with: "{\(name)\"cohort\":\"\(learner.cohort)\"}")
            )
        }
        #expect(try test.post(lines.joined(separator: "\n")).status == 200)
    }

    /// The ids of the listed learners, in order.
    private func ids(_ target: String) throws -> [String] {
        try test.get(target).text.matches(of: /data-key="([^"]*)"/).map { String($0.1) }
    }

    @Test(
        "A bar of a report leads to the learners that it counts",
        arguments: [
            // Three learners have practised before this week, each on another day of another week.
            ("engagement", 28 + 12, 3 + 3), ("weekly-xp", 7, 1),
        ]
    ) func bars(report: String, count: Int, ofOne: Int) throws {
        let page = try test.get("/reports/\(report)?show=true&week=last").text
        let tip = #/href="(/learners\?[^"]*active=[^"]*)"[^>]*aria-label="[^"]*: ([0-9]+)\slearners?"/#
        let bars = page.matches(of: tip)
        for bar in bars {
            let link = String(bar.1).replacing("&amp;", with: "&")
            #expect(try ids(link).count == Int(bar.2), "\(link)")
        }
        #expect(bars.count == count && bars.filter { $0.2 == "1" }.count == ofOne)
        let file = try test.get("/v1/reports/\(report)?week=last&format=html").text
        #expect(file.contains("aria-label") && !file.contains("/learners?"))
    }

    @Test func `a name in a report leads to the learner's page`() throws {
        // Frieda practised in the week before the last one, and not since.
        for language in ["", "&language=es"] {
            let page = try test.get("/reports/weekly-xp?show=true&week=last\(language)").text
            #expect(page.contains(#"<a href="/learners/m-3">"#), "\(language)")
        }
        let file = try test.get("/v1/reports/weekly-xp?week=last&format=html").text
        #expect(file.contains("Frieda") && !file.contains("/learners/"))
    }

    @Test(
        arguments: [
            ("/learners", ["Bob", "z-1", "m-3", "a-2"]), ("/learners?reverse=true", ["a-2", "m-3", "z-1", "Bob"]),
            ("/learners?search=EMI", ["z-1"]), ("/learners?search=zo%C3%AB", ["a-2"]),
            ("/learners?search=zoe", ["a-2"]),
            ("/learners?search=M-3", ["m-3"]), ("/learners?search=nobody", []),
            ("/learners?cohort=red", ["z-1", "a-2"]), ("/learners?cohort=red&search=zoe", ["a-2"]),
            ("/learners?practice=day", ["a-2"]), ("/learners?practice=week", ["z-1"]),
            ("/learners?practice=month", ["Bob", "m-3"]), ("/learners?practice=never", []),
            ("/learners?need=stopped", ["Bob", "m-3"]), ("/learners?need=new", []),
            ("/learners?day=2026-04-19", ["z-1"]),
            ("/learners?day=2026-04-01", []), ("/learners?practice=nonsense", ["Bob", "z-1", "m-3", "a-2"]),
        ]
    ) func lists(target: String, expected: [String]) throws {
        #expect(try ids(target) == expected)
    }

    @Test func `the API has the order of the page`() throws {
        let listed = try test.get("/v1/class").json["learners"] as? [[String: Any]] ?? []
        #expect(listed.compactMap { $0["learner"] as? String } == ["Bob", "z-1", "m-3", "a-2"])
    }

    @Test(
        arguments: [
            ("", ["Learner", "Streak", "Last practice", "At risk", "Level", "XP this week", "Languages", "Cohort"]),
            ("?columns=words&columns=streak", ["Learner", "Streak", "Words learned"]),
            ("?columns=xp,cohort", ["Learner", "XP of all time", "Cohort"]),
            (
                "?columns=nonsense",
                ["Learner", "Streak", "Last practice", "At risk", "Level", "XP this week", "Languages", "Cohort"]
            ),
        ]
    ) func columns(query: String, expected: [String]) throws {
        let page = try test.get("/learners\(query)").text
        let head = try #require(page.firstMatch(of: /<thead>(.*?)<\/thead>/)).1
        let titles = head.matches(of: /<th[^>]*>(?:<a[^>]*>)?([^<]*)/).map { String($0.1) }
        #expect(titles == expected)
    }

    @Test func `choices stay in the addresses of the page`() throws {
        let page = try test.get("/learners?search=e&cohort=red&practice=week&columns=streak&columns=xp").text
        let address = "/learners?search=e&amp;cohort=red&amp;practice=week&amp;columns=streak%2Cxp&amp;sort=streak"
        #expect(page.contains("href=\"\(address)\""), "\(page.firstMatch(of: /href="[^"]*sort=streak[^"]*"/)?.0 ?? "")")
    }

    @Test func `an earlier week is listed beside the week before it`() throws {
        let titles = ["XP of the week", "XP of the week before"]
        let page = try test.get("/learners?week=last&columns=week,before").text
        #expect(titles.allSatisfy { page.contains($0) })
        let rows = page.matches(of: /data-key="([^"]*)".*?<td class="n">(\d+)<\/td><td class="n">(\d+)<\/td>/)
        let listed = rows.map { "\($0.1): \($0.2 == "0" ? "none" : "some"), \($0.3 == "0" ? "none" : "some")" }
        #expect(listed == ["Bob: none, none", "z-1: some, none", "m-3: none, some", "a-2: none, none"])
        #expect(try ids("/learners?week=last&day=2026-04-10") == ["m-3"])
        for (week, status) in [("2026-W15", 200), ("2026-04-01", 200), ("nonsense", 400), ("2027-W01", 400)] {
            #expect(try test.get("/learners?week=\(week)").status == status, "\(week)")
        }
    }

    @Test func `a bar leads to the learners that it counts`() throws {
        let page = try test.get("/learners?cohort=red").text
        let bars = page.matches(of: /<a href="([^"]*)"><span class="line"><span>[^<]*<\/span><span>(\d+)/)
        #expect(bars.count == 5)
        for bar in bars {
            let target = String(bar.1).replacing("&amp;", with: "&")
            #expect(target.contains("cohort=red"))
            #expect(try ids(target).count == Int(bar.2), "\(target)")
        }
    }

    @Test func `the former address leads to the list`() throws {
        let answer = try test.get("/class?search=zoe&sort=week&page=2")
        #expect(answer.status == 303 && answer.headers["Location"] == "/learners?search=zoe&sort=week")
    }
}
