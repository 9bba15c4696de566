// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Synchronization
import Testing

@testable import LaurelReports
@testable import LaurelService

/// The dashboard in the reader's language.
@Suite struct PageLanguageTests {
    /// The beginnings of the addresses of pages whose texts are translated.
    private static let translated = [
        "/home", "/learners?", "/leaderboard", "/achievements", "/health", "/reports",
        "/flags", "/rules", "/keys", "/webhooks", "/jobs", "/audit", "/intake",
    ]

    private static func service() throws -> TestService {
        let now = Date(timeIntervalSince1970: 1_775_556_000)
        let test = try TestService { $0.now = { now } }
        let lines = (1...3).flatMap { number in
            ["ana", "ben", "<b>cy"].prefix(number).map { event("\(number)", learner: $0) }
        }
        try test.post(lines.joined(separator: "\n"))
        return test
    }

    private static func text(_ response: HTTPResponse) -> String { response.text }

    @Test func `the reader's choice comes before the browser's`() throws {
        let test = try Self.service()
        let rows: [(name: String, headers: HTTPHeaders, language: String, title: String)] = [
            ("neither", [:], "en", "Home"),
            ("browser", ["Accept-Language": "de-AT, en;q=0.5"], "de", "Start"),
            ("cookie", ["Accept-Language": "de", "Cookie": "a=b; laurel_language=fr"], "fr", "Accueil"),
            ("no such language", ["Accept-Language": "de", "Cookie": "laurel_language=xx"], "de", "Start"),
        ]
        for row in rows {
            let page = Self.text(try test.get("/home", headers: row.headers))
            #expect(page.contains("<html lang=\"\(row.language)\">"), "\(row.name)")
            #expect(page.contains("<title>\(row.title) · Laurel</title>"), "\(row.name)")
        }
        let missing = try test.get("/learners/nobody", headers: ["Accept-Language": "es"])
        #expect(Self.text(missing).contains("<h1>No encontrado</h1>"))
    }

    @Test func `a choice leads back to the page`() throws {
        let test = try Self.service()
        let rows = [
            (name: "a page", next: "/learners?sort=xp", location: "/learners?sort=xp"),
            (name: "another site", next: "//example.com", location: "/home"),
        ]
        for row in rows {
            let body = "language=ja&next=\(PercentCoding.encode(row.next))"
            let answer = try test.send("POST", "/reader-language", body, headers: EntranceTests.own)
            #expect(answer.headers["Location"] == row.location, "\(row.name)")
            #expect(answer.headers["Set-Cookie"]?.hasPrefix("laurel_language=ja; Path=/; HttpOnly") == true)
        }
        #expect(try test.send("POST", "/reader-language", "language=xx", headers: EntranceTests.own).status == 400)
    }

    @Test func `an explanation names the first day of an achievement in the reader's language`() throws {
        let test = try Self.service()
        try test.service.engine.apply(
            Rules(
                yaml: """
                    version: 1
                    metrics: {lines: {count: line.spoken}}
                    achievements: [{id: later, value: total.lines, at_least: 1, from: 2030-12-24}]
                    """
            )
        )
        let target = "/learners/ana/why/achievement?achievement=later"
        for (language, words) in [("en", "not before"), ("de", "nicht vor"), ("fr", "pas avant")] {
            let page = Self.text(try test.get(target, headers: ["Accept-Language": language]))
            let answer = page.firstMatch(of: /<p class="strong">(.*?)<\/p>/).map { String($0.1) } ?? ""
            #expect(answer.contains(words), "\(language): \(answer)")
        }
    }

    @Test func `the result of a check has the reader's language, and English for programs`() throws {
        let test = try Self.service()
        let examination = HealthExamination(
            service: test.service,
            now: Date(timeIntervalSince1970: 1_775_556_038),
            probes: false
        )
        let german = try #require(LocaleText.shipped(for: "de"))
        let intake = try #require(examination.findings().first { $0.check == "intake" })
        #expect(intake.message == "6 lines came in the last hour")
        #expect(intake.text.written(for: german) == "6 Zeilen in der letzten Stunde")
        let page = Self.text(try test.get("/health", headers: ["Accept-Language": "de"]))
        let results = [
            "Ereignisse können gespeichert werden.", "Niemand wartet lange", "Es gibt keine.",
            "Nichts wurde abgelehnt.",
        ]
        for result in results { #expect(page.contains(result), "\(result)") }
    }

    @Test func `no page shows a text without translation`() throws {
        let asked = Mutex<Set<String>>([])
        let table = TextTable(language: "zxx", entries: ["–": .text("–")]) { english in
            asked.withLock { _ = $0.insert(english) }
            return english
        }
        ReaderLanguage.add(LocaleText(identifier: "zxx", texts: table), for: "zxx")
        asked.withLock { $0 = [] }
        for test in [try Self.service(), try TestService()] {
            var (waiting, seen): ([String], Set<String>) = (["/home", "/learners", "/reports"], [])
            while let address = waiting.popLast(), seen.count < 200 {
                guard seen.insert(address).inserted else { continue }
                let page = Self.text(try test.get(address, headers: ["Accept-Language": "zxx"]))
                waiting += page.matches(of: /href="(\/[^"#]*)/).map { String($0.1).replacing("&amp;", with: "&") }
                    .filter { link in
                        Self.translated.contains { link.hasPrefix($0) } && !link.contains("format=csv")
                    }
            }
        }
        let texts = asked.withLock { $0 }
        #expect(texts.contains("Learners"))
        for (language, table) in TextTable.shipped {
            let missing = texts.subtracting(table.keys).sorted()
            #expect(missing.isEmpty, "\(language) lacks \(missing)")
        }
    }
}
