// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import Synchronization
import Testing

@testable import LaurelReports

/// Pages as a browser shows them. Chromium opens them at the widths of a phone and of a desktop, in light and dark
/// mode, and printed.
@Suite(.enabled(if: Chromium.isThere, "Playwright is not there"))
struct PageTests {
    private struct Page: Decodable {
        struct View: Decodable {
            var width: Int
            var scheme: String
            var overflow: [String]
            var scrolled: [String]
            var torn: [String]
            var cut: [String]
            var overlaps: [String]
            var faintText: [String]
            var faintMarks: [String]
            var alike: [String]
        }

        var file: String
        var views: [View]
        /// The used share of each printed sheet.
        var paper: [Double]
        var text: String
        var title: String
        var scripts: Int
        var requests: [String]
        var messages: [String]
    }

    /// Opens pages, by name.
    /// - Parameter few: true to check only the narrowest width, a usual one, and paper. Other tests check the same at
    ///   all widths.
    private func open(_ pages: [String: String], few: Bool = false) throws -> [String: Page] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-pages-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, page) in pages {
            try page.write(to: folder.appending(path: "\(name).html"), atomically: false, encoding: .utf8)
        }
        return try pages.keys.reduce(into: [:]) { found, name in
            let line = try Chromium.inspect(folder.appending(path: "\(name).html"), few: few)
            found[name] = try JSONDecoder().decode(Page.self, from: line)
        }
    }

    /// - Parameter isUsual: true if names and words have usual lengths.
    private func check(_ page: Page, _ name: String, isUsual: Bool = true) {
        #expect(page.requests == [], "\(name)")
        #expect(page.messages == [], "\(name)")
        #expect(page.scripts == 0, "\(name)")
        for view in page.views {
            let where_ = Comment(rawValue: "\(name), \(view.width) px, \(view.scheme)")
            #expect(view.overflow == [], where_)
            #expect(view.overlaps == [], where_)
            #expect(view.faintText == [], where_)
            #expect(view.faintMarks == [], where_)
            #expect(view.alike == [], where_)
            #expect(view.torn == [], where_)
            guard isUsual else { continue }
            #expect(view.cut == [], where_)
            #expect(view.scrolled == [], where_)
        }
        // The last sheet may end early.
        if isUsual { #expect(page.paper.dropLast().allSatisfy { $0 >= 0.6 }, "\(name): \(page.paper)") }
    }

    @Test func reportsOfAClassReadWellEverywhere() throws {
        let engine = try Class.simulated(learners: 8, days: 90, seed: 4)
        var pages: [String: String] = [:]
        let many = try Class.engine(PageTests.busyDays)
        pages["busy-everyone"] = ReportFormat.html.write(
            try ReportMaker("weekly-xp", many, week: "2026-W06").cohort(),
            locale: "en_GB"
        )
        for report in ["weekly-xp", "mastery"] {
            let maker = try ReportMaker(report, engine, week: "2026-W13")
            pages["\(report)-learner"] = ReportFormat.html.write(try maker.learner("learner-0004"), locale: "en_GB")
            pages["\(report)-everyone"] = ReportFormat.html.write(try maker.cohort(), locale: "en_GB")
        }
        for report in ["engagement", "experiments", "retention", "rules-health"] {
            let maker = try ReportMaker(report, engine, week: "2026-W13")
            pages[report] = ReportFormat.html.write(try maker.cohort(), locale: "en_GB")
        }
        let index = Mutex("")
        try ReportMaker("weekly-xp", engine, week: "2026-W13").each(.html) { name, content in
            if name == "index.html" { index.withLock { $0 = content } }
        }
        pages["index"] = index.withLock { $0 }
        let found = try open(pages)
        for (name, page) in found { check(page, name) }
        let learner = try #require(found["weekly-xp-learner"])
        #expect(learner.title.hasPrefix("The week in XP: "))
        for text in ["XP by day and source", "Day by day", "To the next level", "Nearest achievements"] {
            #expect(learner.text.contains(text))
        }
    }

    /// Pseudo-translations: texts half as long again with accents, and texts in Hebrew letters from right to left.
    @Test("In a language that never was", arguments: ["long", "he"])
    func pseudo(language: String) throws {
        let engine = try Class.simulated(learners: 8, days: 28, seed: 4)
        var pages: [String: String] = [:]
        for var report in try ReportLibrary().all() {
            report.texts = ["he": Pseudo.table(try TextsTests.wanted(), isLong: language == "long")]
            let request = ReportRequest(
                week: LocalDay(startOfISOWeek: "2026-W04".utf8)!,
                at: try Timestamp("2027-06-01T00:00:00Z"),
                locale: "he_IL"
            )
            let maker = ReportMaker(report, engine, request)
            var documents = [try maker.cohort()]
            if report.isAboutLearners { documents.append(try maker.learner("learner-0004")) }
            for document in documents {
                let name = document.subject == .everyone ? "everyone" : "learner"
                let page = try #require(ReportFormat.html.write(document, locale: "en_GB"))
                pages["\(report.name)-\(name)"] = page
                #expect(page.contains(language == "long" ? "<html lang=\"x-long\">" : "<html lang=\"he\" dir=\"rtl\">"))
            }
        }
        for (name, page) in try open(pages, few: true) { check(page, "\(name), \(language)") }
    }

    @Test("A class of", arguments: [0, 1, 40, 400])
    func aClassOf(learners: Int) throws {
        // A class of 400 has long tables. The number of days does not matter for them.
        let engine = try Class.simulated(learners: learners, days: learners == 400 ? 8 : 21, seed: 9)
        var pages: [String: String] = [:]
        for report in ["weekly-xp", "mastery"] {
            let maker = try ReportMaker(report, engine, week: learners == 400 ? "2026-W02" : "2026-W04")
            pages["\(report)-everyone"] = ReportFormat.html.write(try maker.cohort(), locale: "en_GB")
            guard learners > 0 else { continue }
            pages["\(report)-learner"] = ReportFormat.html.write(try maker.learner("learner-0001"), locale: "fr_FR")
        }
        for (name, page) in try open(pages) { check(page, "\(name) of \(learners)") }
    }

    @Test("Under each rule set", arguments: try PageTests.shippedRules())
    func under(rules: String) throws {
        let yaml = try String(contentsOf: PageTests.rules.appending(path: rules), encoding: .utf8)
        let engine = try Class.simulated(learners: 12, days: 60, seed: 5, rules: yaml)
        var pages: [String: String] = [:]
        for report in ["weekly-xp", "mastery"] {
            let maker = try ReportMaker(report, engine, week: "2026-W09")
            pages["\(report)-everyone"] = ReportFormat.html.write(try maker.cohort(), locale: "de_DE")
            pages["\(report)-learner"] = ReportFormat.html.write(try maker.learner("learner-0002"), locale: "en_GB")
        }
        for (name, page) in try open(pages, few: true) { check(page, "\(name) under \(rules)") }
    }

    private static let rules = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Rules").standardized

    private static func shippedRules() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: rules.path).filter { $0.hasSuffix(".yaml") }.sorted()
    }

    /// A week with so much XP each day that the numbers are long.
    private static var busyDays: [Class.Event] {
        (2...8).flatMap { day in
            [
                Class.Event(time: "2026-02-0\(day)T10:00:00Z", data: ["durationMs": 9_000_000]),
                Class.Event(
                    type: "xp.adjusted",
                    time: "2026-02-0\(day)T11:00:00Z",
                    data: ["amount": .number(1_234_567)]
                ),
            ]
        }
    }

    /// Names that try to act as markup, to reverse the page, or to overflow it.
    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=http://example.com/x onerror=alert(1)>",
        "مرحبا بالعالم \u{202E}gnp.exe",
        "👩‍👩‍👧‍👦🦄", String(repeating: "Donaudampfschiff", count: 19), "../../etc/passwd", "=cmd|' /C calc'!A0",
        "a\u{0}b\u{1B}[31m", "</style></title><svg onload=alert(1)>", "",
    ]

    @Test func hostileNamesAndWordsAreHarmless() throws {
        var events: [Class.Event] = []
        for (index, name) in PageTests.hostile.enumerated() {
            // An id has no NUL; names and words may have one.
            let subject = name.isEmpty ? "plain" : String(name.prefix(200)).replacing("\u{0}", with: "")
            let time = "2026-02-0\(2 + index % 6)T10:00:00Z"
            events.append(
                Class.Event(subject: subject, type: "learner.updated", time: time, data: ["displayName": .string(name)])
            )
            events.append(Class.Event(subject: subject, time: time, data: ["durationMs": 60_000]))
            for word in PageTests.hostile where !word.isEmpty {
                let data: [String: JSONValue] = [
                    "word": .string(word), "text": .string(word), "category": .string(word),
                ]
                events.append(Class.Event(subject: subject, type: "word.added", time: time, data: data))
                for _ in 0..<2 {
                    let review: [String: JSONValue] = ["word": .string(word), "grade": "again"]
                    events.append(Class.Event(subject: subject, type: "review.graded", time: time, data: review))
                }
            }
        }
        let engine = try Class.engine(events)
        let files = Mutex<[String: String]>([:])
        for report in ["weekly-xp", "mastery"] {
            let written = try ReportMaker(report, engine, week: "2026-W06").each(.html) { name, content in
                files.withLock { $0["\(report)-\(name)"] = content }
            }
            #expect(written == PageTests.hostile.count)
        }
        var pages = files.withLock { $0 }
        #expect(pages.count == 2 * PageTests.hostile.count + 4)
        #expect(pages.keys.allSatisfy { !$0.contains("/") && !$0.contains("..") })
        pages["everyone.html"] = ReportFormat.html.write(
            try ReportMaker("weekly-xp", engine, week: "2026-W06").cohort(),
            locale: "en_GB"
        )
        // All learners have the same words, so two pages of words are enough.
        let words = pages.keys.filter { $0.hasPrefix("mastery-") && !$0.hasPrefix("mastery-index") }.sorted()
        for name in words.dropFirst(2) where name != "mastery-class.html" { pages[name] = nil }
        let found = try open(pages, few: true)
        for (name, page) in found { check(page, name, isUsual: false) }
        #expect(found["everyone.html"]?.text.contains("<script>alert(1)</script>") == true)
    }

    @Test func nothingAndNextToNothingAreReportedSensibly() throws {
        let nobody = try ProgressEngine.inMemory()
        let one = try Class.engine([
            Class.Event(type: "word.added", time: "2026-02-03T10:00:00Z", data: ["word": "sol"])
        ])
        var pages: [String: String] = [:]
        for report in ["engagement", "experiments", "retention", "rules-health"] {
            pages["\(report)-nobody"] = ReportFormat.html.write(
                try ReportMaker(report, nobody, week: "2026-W06").cohort(),
                locale: "en_GB"
            )
        }
        for report in ["weekly-xp", "mastery"] {
            pages["\(report)-nobody"] = ReportFormat.html.write(
                try ReportMaker(report, nobody, week: "2026-W06").cohort(),
                locale: "en_GB"
            )
            let maker = try ReportMaker(report, one, week: "2026-W06")
            pages["\(report)-one"] = ReportFormat.html.write(try maker.learner("ana"), locale: "de_DE")
            pages["\(report)-before"] = ReportFormat.html.write(
                try ReportMaker(report, one, week: "2026-W01").learner("ana"),
                locale: "ar_EG"
            )
        }
        let found = try open(pages, few: true)
        for (name, page) in found { check(page, name) }
        #expect(found["weekly-xp-one"]?.text.contains("No practice this week.") == true)
        #expect(found["mastery-before"]?.text.contains("No words yet.") == true)
    }
}
