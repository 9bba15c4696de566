// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import Synchronization
import Testing

@testable import LaurelReports

/// A message to a learner: a greeting, a sentence, three numbers, a button and a link.
@Suite struct MailTests {
    /// A message as a reader sees it.
    private struct Read {
        var headers: [String: String] = [:]
        var plain: String
        var html: String

        /// The plain text's lines, with ordinary spaces.
        var lines: [String] {
            plain.split(separator: "\r\n").map { String($0).replacing(/[\u{A0}\u{202F}\u{2009}]/, with: " ") }
        }

        /// The texts that the page shows.
        var shown: [String] {
            let body: Substring = html.split(separator: "<body", maxSplits: 1)[1]
            var texts: [String] = []
            for part in body.split(separator: "<") {
                guard let content = part.split(separator: ">", maxSplits: 1).dropFirst().first else { continue }
                let text = Read.unescaped(String(content)).replacing(/[\u{A0}\u{202F}\u{2009}]/, with: " ")
                if !text.allSatisfy(\.isWhitespace) { texts.append(text) }
            }
            return texts
        }

        private static func unescaped(_ text: String) -> String {
            var text = text
            for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
                text = text.replacingOccurrences(of: name, with: character)
            }
            return text
        }

        /// Reads a message.
        init(_ message: String) throws {
            let parts = message.components(separatedBy: "\r\n--=_")
            try #require(parts.count == 4)
            let contents = parts[1...2].map { part in
                Read.decoded(part.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n"))
            }
            (plain, html) = (contents[0], contents[1])
            for line in parts[0].replacingOccurrences(of: "\r\n ", with: " ").components(separatedBy: "\r\n") {
                let pair = line.components(separatedBy: ": ")
                if pair.count > 1 { headers[pair[0]] = pair.dropFirst().joined(separator: ": ") }
            }
        }

        /// Decodes quoted-printable text.
        private static func decoded(_ text: String) -> String {
            var bytes: [UInt8] = []
            var rest = Array(text.replacingOccurrences(of: "=\r\n", with: "").utf8)[...]
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "=") else {
                    bytes.append(byte)
                    continue
                }
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private static let links = MailLinks(
        app: MailLink("https://app.example/start?who={learner}"),
        page: MailLink("https://school.example/{learner}"),
        unsubscribe: MailLink("mailto:stop@school.example?subject={learner}", schemes: ["https:", "mailto:"])
    )

    /// The messages of some learners, by learner id.
    private static func messages(
        _ events: [Class.Event],
        week: String = "2026-W13",
        at: String = "2026-03-30T08:00:00Z",
        report: String = "weekly-xp",
        locale: String = "",
        links: MailLinks = links
    ) throws -> [String: Read] {
        let learners = Set(events.map(\.subject))
        let lines = learners.sorted().map { "\($0),\($0)@example.org,\(locale)\n" }.joined()
        let settings = MailSettings(
            from: Mailbox("The school <school@example.org>"),
            addresses: try MailAddresses(Array(("learner,address,locale\n" + lines).utf8), file: "to.csv"),
            links: links
        )
        let maker = try ReportMaker(report, Class.engine(events), week: week, at: at)
        let written = Mutex<[String: String]>([:])
        _ = try maker.mails(settings, only: nil, observe: { _, _ in }) { name, content in
            written.withLock { $0[name] = content }
        }
        return try Dictionary(
            uniqueKeysWithValues: written.withLock { $0 }.map { name, content in
                (String(name.dropLast(".eml".count)), try Read(content))
            }
        )
    }

    private static func line(_ subject: String, _ day: String) -> Class.Event {
        Class.Event(subject: subject, type: "line.spoken", time: "2026-\(day)T10:00:00Z")
    }

    private static func named(_ subject: String, _ name: String) -> Class.Event {
        Class.Event(
            subject: subject,
            type: "learner.updated",
            time: "2026-02-02T09:00:00Z",
            data: ["displayName": .string(name)]
        )
    }

    /// Two days of practice a week before, and three in the week.
    private static let busy =
        [named("learner-0004", "Ana")]
        + ["03-17", "03-18", "03-24", "03-26", "03-27"].map { line("learner-0004", $0) }

    @Test(
        "The whole message, in each language",
        arguments: [
            (
                "en_GB",
                [
                    "Hello Ana,", "The week in XP: up to Sunday, 29 March",
                    "You practised on 3 days, 1 day more than the week before.", "XP this week: 11 XP",
                    "Days of practice: 3 days", "Practice: 18 s", "Practise now:", "See the whole report:",
                    "Stop these messages:",
                ]
            ),
            (
                "en_US",
                ["Hello Ana,", "The week in XP: up to Sunday, March 29"]
            ),
            (
                "de_DE",
                [
                    "Hallo Ana,", "Die Woche in XP: bis Sonntag, 29. März",
                    "Du hast an 3 Tagen geübt, 1 Tag mehr als in der Woche davor.",
                ]
            ),
            (
                "es_ES",
                [
                    "Hola, Ana:", "La semana en XP: hasta el domingo, 29 de marzo",
                    "Has practicado 3 días, 1 día más que la semana anterior.",
                ]
            ),
            (
                "fr_FR",
                [
                    "Bonjour Ana,", "La semaine en XP : jusqu’au dimanche 29 mars",
                    "Vous avez pratiqué 3 jours, 1 jour de plus que la semaine précédente.",
                ]
            ),
            (
                "ja_JP",
                [
                    "Anaさん、こんにちは。", "今週のXP：3月29日 日曜日まで",
                    "3日練習しました。前の週より1日多くなりました。",
                ]
            ),
        ]
    )
    func wholeMessage(locale: String, expected: [String]) throws {
        let read = try #require(try Self.messages(Self.busy, locale: locale)["learner-0004"])
        let words = read.lines.filter { !$0.hasPrefix("https:") && !$0.hasPrefix("mailto:") }
        #expect(Array(words.prefix(expected.count)) == expected)
        #expect(words.count == 9)
        #expect(
            read.lines.filter { !words.contains($0) } == [
                "https://app.example/start?who=learner-0004", "https://school.example/learner-0004",
                "mailto:stop@school.example?subject=learner-0004",
            ]
        )
    }

    @Test("Both parts say the same", arguments: TextsTests.languages + ["en"])
    func bothParts(language: String) throws {
        let away = [Self.named("b", "Ben"), Self.line("b", "02-03")]
        for report in ["weekly-xp", "mastery"] {
            for (_, read) in try Self.messages(Self.busy + away, report: report, locale: language) {
                let words = read.lines.filter { !$0.hasPrefix("https:") && !$0.hasPrefix("mailto:") }
                let plain = words.joined(separator: "\n")
                for text in read.shown { #expect(plain.contains(text), "\(text) in \(plain)") }
                let page = read.shown.joined(separator: " ").filter { !":：, ".contains($0) }
                for line in words { #expect(page.contains(line.filter { !":：, ".contains($0) }), "\(line) in \(page)") }
                for address in read.lines where !words.contains(address) {
                    #expect(read.html.contains("href=\"\(address)\""))
                }
                #expect(!plain.contains("learner-0004") && !read.shown.contains { $0.contains("learner-0004") })
            }
        }
    }

    @Test(
        "Kind words after a break, and no zeros",
        arguments: [
            ("03-18", "We missed you this week: come back whenever you like, all you have learned is still here."),
            (
                "02-28",
                "We have missed you for 4 weeks: come back whenever you like, all you have learned is still here."
            ),
        ]
    )
    func breaks(last: String, sentence: String) throws {
        let read = try #require(try Self.messages([Self.line("b", "02-27"), Self.line("b", last)])["b"])
        #expect(read.lines[0] == "Hello,")
        #expect(read.lines[2] == sentence)
        #expect(read.lines[4...5] == ["Longest streak: \(last == "02-28" ? "2 days" : "1 day")", "Level: 1"])
    }

    @Test func whoHasOnlyAProfileIsInvited() throws {
        let read = try #require(try Self.messages([Self.named("b", "Ben")])["b"])
        #expect(read.lines[0] == "Hello Ben," && read.lines[2].hasPrefix("You can begin whenever you like"))
        #expect(read.lines[3] == "Practise now:")
    }

    @Test(
        "Names as a greeting",
        arguments: [
            ("Ana", "Ana"), ("  Añá “Q”\tSüß ", "Añá “Q” Süß"), ("山田太郎", "山田太郎"), ("★", "★"), ("7", "7"),
            ("", nil), (" \u{200B}\u{2060}", nil), ("\u{3164}", nil), ("...", nil),
            ("You won: https://evil.example", nil), ("WWW.evil.example", nil), ("ana@evil.example", nil),
            ("Ana\r\nBcc: x", "Ana Bcc: x"), ("\u{202E}anA\u{2066}", "anA"), ("<b>Ana</b>", "<b>Ana</b>"),
            (String(repeating: "na", count: 5000), String(repeating: "na", count: 39) + "n…"),
            ("Z" + String(repeating: "\u{301}", count: 5000), nil),
        ] as [(String, String?)]
    )
    func names(name: String, shown: String?) { #expect(Letter.shown(name) == shown) }

    @Test func aHostileNameIsOnlyAName() throws {
        let read = try #require(
            try Self.messages([Self.named("b", "</td><script>x</script>\r\nBcc: y@z.w"), Self.line("b", "03-24")])["b"]
        )
        #expect(read.headers["Bcc"] == nil && !read.html.contains("<script"))
        #expect(read.lines[0] == "Hello,", "the name has an address in it")
        let tags = try #require(
            try Self.messages([Self.named("b", "<i>Ana</i>\r\nBcc: y"), Self.line("b", "03-24")])["b"]
        )
        #expect(tags.headers["Bcc"] == nil && !tags.html.contains("<i>") && tags.shown[0] == "Hello <i>Ana</i> Bcc: y,")
    }

    @Test func aWeekLongAgoHasItsYearAndAWeekUnderWayItsDay() throws {
        let late = try Self.messages(Self.busy, at: "2027-01-04T08:00:00Z")
        #expect(late["learner-0004"]?.lines[1] == "The week in XP: up to Sunday, 29 March 2026")
        let soon = try Self.messages(Self.busy, at: "2026-03-25T08:00:00Z")
        #expect(soon["learner-0004"]?.lines[1] == "The week in XP: up to Wednesday, 25 March")
    }

    @Test func withoutAddressesThereIsNoButton() throws {
        let read = try #require(try Self.messages(Self.busy, links: MailLinks())["learner-0004"])
        #expect(read.lines.count == 6 && !read.html.contains("<a "))
    }

    @Test func aDraftIsCompletedByAPerson() throws {
        let addresses = try MailAddresses(
            Array("learner,address\nlearner-0004,ana@example.org\nx,x@y.z\n".utf8),
            file: "to"
        )
        let mail = MailSettings(from: nil, addresses: addresses, links: Self.links, isDraft: true)
        let engine = try Class.engine(Self.busy + [Self.line("b", "03-24")])
        let maker = try ReportMaker("weekly-xp", engine, week: "2026-W13", at: "2026-03-30T08:00:00Z")
        let known = try maker.draft(ofLearner: "learner-0004", mail)
        let unknown = try maker.draft(ofLearner: "b", mail)
        #expect(known.name == "learner-0004.eml" && unknown.name == "b.eml")
        let headers = try [known, unknown].map { try Read($0.content).headers }
        #expect(headers.map { $0["To"] } == ["\"Ana\" <ana@example.org>", nil])
        for header in headers {
            #expect(header["X-Unsent"] == "1" && header["From"] == nil && header["Message-ID"] == nil)
        }
        #expect(throws: ReportProblem.unknownLearner("x")) { try maker.draft(ofLearner: "x", mail) }
    }

    @Test func theArchiveHasAllDraftsAndTheirList() throws {
        let addresses = try MailAddresses(
            Array("learner,address\nlearner-0004,ana@example.org\nx,x@y.z\n".utf8),
            file: "to"
        )
        let mail = MailSettings(from: nil, addresses: addresses, links: Self.links, isDraft: true)
        let engine = try Class.engine(Self.busy + [Self.line("B/é", "03-24")])
        let maker = try ReportMaker("weekly-xp", engine, week: "2026-W13", at: "2026-03-30T08:00:00Z")
        let archive = try maker.drafts(mail)
        #expect(archive.name == "weekly-xp-2026-W13.zip")
        #expect(try maker.drafts(mail).bytes == archive.bytes)
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-drafts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(archive.bytes).write(to: folder.appending(path: "drafts.zip"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-m", "zipfile", "-e", "drafts.zip", "out"]
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "out").path).sorted()
        let other = try #require(names.first { $0 != "learner-0004.eml" && $0 != "learners.csv" })
        #expect(names == ["learner-0004.eml", "learners.csv", other].sorted())
        func read(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: "out").appending(path: name), encoding: .utf8)
        }
        #expect(try read("learner-0004.eml") == maker.draft(ofLearner: "learner-0004", mail).content)
        #expect(
            try read("learners.csv")
                == "learner,address,file\r\nB/é,,\(other)\r\nlearner-0004,ana@example.org,learner-0004.eml\r\nx,x@y.z,\r\n"
        )
    }

    @Test(
        "What a report's `mail` may have",
        arguments: [
            (
                "learner: {sections: [{exhibits: [{show: text, text: A}]}]}", "table, query: SELECT 1 AS a",
                "not `table`"
            ),
            ("cohort: {sections: [{exhibits: [{show: text, text: A}]}]}", "text, text: B", "`mail` needs `learner`"),
        ]
    )
    func definition(other: String, exhibit: String, expected: String) throws {
        let yaml = "version: 1\ntitle: T\n\(other)\nmail: {sections: [{exhibits: [{show: \(exhibit)}]}]}\n"
        do {
            _ = try ReportLoader.load(Array(yaml.utf8), file: "own.yaml")
            Issue.record("accepted")
        } catch {
            #expect("\(error)".contains(expected), "\(error)")
        }
    }
}
