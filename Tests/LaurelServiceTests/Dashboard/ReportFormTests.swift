// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire
import Testing

@testable import LaurelService

/// The form of a report offers what the store has.
@Suite struct ReportFormTests {
    private static func profile(_ learner: String, _ name: String, _ cohort: String) -> String {
        event("profile", learner: learner).replacing("line.spoken", with: "learner.updated")
            .replacing(#"{"accuracy":0.9}"#, with: #"{"displayName":"\#(name)","cohort":"\#(cohort)"}"#)
    }

    private func service() throws -> TestService {
        let now = try Timestamp("2026-04-08T12:00:00Z").date
        let test = try TestService { $0.now = { now } }
        let lines = ["ana": "red", "ben": "blue"].sorted(by: <).flatMap { id, cohort in
            [event("1", learner: id), Self.profile(id, id.uppercased(), cohort)]
        }
        #expect(try test.post(lines.joined(separator: "\n")).status == 200)
        return test
    }

    /// The values that a field offers.
    private static func values(_ page: String, _ field: String) throws -> [String] {
        let list = try Regex("id=\"\(field)\"[^>]*>(.*?)</(?:select|datalist)>")
        let options = try #require(page.firstMatch(of: list)).output[1].substring ?? ""
        return options.matches(of: /<option value="([^"]*)"/).map { String($0.1) }
    }

    @Test func `learners, cohorts, weeks and languages`() throws {
        let page = try service().get("/reports/weekly-xp").text
        #expect(try Self.values(page, "learners") == ["ana", "ben"])
        #expect(page.contains(">ANA</option>"))
        #expect(try Self.values(page, "f-cohort") == ["", "blue", "red"])
        #expect(try Self.values(page, "f-language") == ["", "es"])
        let weeks = try Self.values(page, "f-week")
        #expect(weeks.prefix(4) == ["this", "last", "2026-W13", "2026-W12"] && weeks.count == 26)
        #expect(
            page.contains(#"<option value="last" selected>Last week<"#) || page.contains(#"value="last" selected="">"#)
        )
    }

    @Test func `a key for a class is offered its learners`() throws {
        let test = try service()
        let key = try test.key(KeyGrant([.read], cohorts: ["red"]))
        let page = try test.get("/reports/weekly-xp", headers: key).text
        #expect(try Self.values(page, "learners") == ["ana"])
        #expect(try Self.values(page, "f-cohort") == ["red"])
        #expect(!page.contains("ben") && !page.contains("blue"))
    }

    @Test(arguments: ["this", "last", "2026-W14", "2026-W13", "2024-W02"])
    func `each week of the form has a report`(week: String) throws {
        let test = try service()
        let answer = try test.get("/reports/weekly-xp?show=true&week=\(week)")
        #expect(answer.status == 200, "\(answer.text.prefix(2000))")
        let chosen = week == "2026-W14" ? "last" : week
        #expect(answer.text.contains(#"value="\#(chosen)" selected"#))
    }

    @Test func `a report has the reader's language`() throws {
        let test = try service()
        let known = LocaleText.languages.map(\.tag).sorted().map { $0 == "en" ? "en_GB" : $0 }
        // The first choice is the reader's own language.
        let (inEnglish, inGerman) = ([""] + known.filter { $0 != "en_GB" }, [""] + known.filter { $0 != "de" })
        let rows: [(name: String, headers: HTTPHeaders, locale: String, title: String, choices: [String])] = [
            ("no language", [:], "", "XP by day", inEnglish),
            ("the browser's", ["Accept-Language": "de-AT"], "", "XP nach Tag", inGerman),
            ("the chosen one", ["Accept-Language": "de"], "en_GB", "XP by day", inGerman),
            ("no locale", ["Accept-Language": "de-XX"], "", "XP nach Tag", inGerman),
        ]
        for row in rows {
            let target = "/reports/weekly-xp?show=true&week=last&locale=\(row.locale)"
            let page = try test.get(target, headers: row.headers).text
            #expect(page.contains(row.title), "\(row.name)")
            #expect(try Self.values(page, "f-locale") == row.choices, "\(row.name)")
            // Each link to a table leads to that table.
            for link in page.matches(of: /href="([^"]*format=csv[^"]*)"/) {
                let table = try test.get(String(link.1).replacing("&amp;", with: "&"), headers: row.headers)
                #expect(table.status == 200, "\(row.name): \(link.1)")
            }
        }
    }

    @Test func `the form stays where the week is unknown`() throws {
        let answer = try service().get("/reports/weekly-xp?show=true&week=nonsense")
        #expect(answer.status == 422 && answer.text.contains("Names no week"))
        #expect(try Self.values(answer.text, "f-week").count == 26)
    }
}
