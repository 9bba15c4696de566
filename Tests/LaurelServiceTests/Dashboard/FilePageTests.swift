// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// Storing a file on the Intake page.
@Suite struct FilePageTests {
    /// A file that a reader chooses, and the page that shows its events.
    struct Choice: Sendable, CustomStringConvertible {
        var description: String
        var file: String
        var content: String
        var fields: [String: String] = [:]
        var status = 200
        var shown: [String]
    }

    private static let words = "word,translation\ncasa,house\nperro,dog\n"
    private static let reviews = "Student;Wort;Score\nana;Haus;8\nben;Hund;2\n"
    private static let mapping = """
        version: 1
        name: homework
        reads: csv
        events:
          - what: homework
            type: session.ended
            id: key('row', digest($))
            subject: $.Student
            time: "'2026-04-05T18:00:00Z'"
            data:
              durationMs: 60000
        """

    private let test: TestService

    init() throws { test = try TestService() }

    /// Sends the form with a file.
    private func choose(
        _ file: String,
        _ content: String,
        _ fields: [String: String] = [:],
        _ key: HTTPHeaders = [:]
    ) throws -> HTTPResponse {
        let head = "--xyz\r\nContent-Disposition: form-data; name="
        let chosen = content.isEmpty ? "" : "\(head)\"file\"; filename=\"\(file)\"\r\n\r\n\(content)\r\n"
        let others = fields.map { "\(head)\"\($0)\"\r\n\r\n\($1)\r\n" }.sorted().joined()
        var headers = EntranceTests.own
        for field in key.fields { headers[field.name] = field.value }
        let type = "multipart/form-data; boundary=xyz"
        return try test.send("POST", "/intake/files", "\(chosen)\(others)--xyz--\r\n", type: type, headers: headers)
    }

    /// Sends the form of the page that shows a file's events.
    private func store(
        _ page: HTTPResponse,
        _ fields: [String: String],
        _ key: HTTPHeaders = [:]
    ) throws -> HTTPResponse {
        var fields = fields
        for name in ["name", "content", "shown"] {
            let start = "type=\"hidden\" name=\"\(name)\" value=\""
            let rest = page.text.firstRange(of: start).map { page.text[$0.upperBound...] }
            fields[name] = rest.map { String($0.prefix { $0 != "\"" }) }
        }
        fields["step"] = "store"
        return try choose("", "", fields, key)
    }

    private func events(of learner: String = "ana") throws -> Int {
        try test.service.engine.learner(learner, timeZone: nil).progress(at: Date())?.events ?? 0
    }

    @Test(arguments: [
        Choice(
            description: "a list of words",
            file: "words.csv",
            content: words,
            fields: ["learner": "ana"],
            shown: ["word.added", "translation: house", "Store 2 events", "<option value=\"word-list\" selected"]
        ),
        Choice(
            description: "a table of its own",
            file: "class.csv",
            content: reviews,
            shown: ["review.graded", "grade: again", "name=\"mapping\"", "trim($.Student)", "Store 2 events"]
        ),
        Choice(
            description: "events",
            file: "events.ndjson",
            content: event("1") + "\n" + event("2"),
            shown: ["line.spoken", "Store 2 events", "<option value=\"cloudevents\" selected"]
        ),
        Choice(
            description: "a list without its learner",
            file: "words.csv",
            content: words,
            shown: ["Enter the id of the learner below.", "casa"]
        ),
        Choice(
            description: "a row with a mistake",
            file: "words.csv",
            content: words + "gato,cat,animal\n",
            fields: ["learner": "ana"],
            shown: ["Store 2 events", "1 row gives no event", "<td class=\"n\">4</td>"]
        ),
        Choice(
            description: "another mapping",
            file: "class.csv",
            content: reviews,
            fields: ["format": "mapping", "mapping": mapping],
            shown: ["session.ended", "durationMs: 60000"]
        ),
        Choice(
            description: "a mapping with a mistake",
            file: "class.csv",
            content: reviews,
            fields: ["format": "mapping", "mapping": mapping.replacing("events:", with: "evnts:")],
            status: 422,
            shown: ["id=\"line-4\" class=\"wrong\"", "Mistake: ", "events"]
        ),
        Choice(
            description: "a workbook",
            file: "words.xlsx",
            content: "PK\u{3}\u{4}\u{14}\0xl/workbook.xml",
            fields: ["format": "word-list"],
            status: 400,
            shown: ["it is a workbook", "as CSV"]
        ),
        Choice(description: "no file", file: "", content: "", status: 400, shown: ["Choose a file first."]),
        Choice(
            description: "a misspelt time zone",
            file: "words.csv",
            content: words,
            fields: ["learner": "ana", "timezone": "Europe/Madird"],
            status: 422,
            shown: ["Europe/Madrid"]
        ),
        Choice(
            description: "a misspelt format",
            file: "words.csv",
            content: words,
            fields: ["format": "wordlist"],
            status: 422,
            shown: ["there is no format wordlist"]
        ),
        Choice(
            description: "a format that compares files",
            file: "packets.ndjson",
            content: "{\"packet\":1}",
            fields: ["format": "firebase"],
            status: 422,
            shown: ["laurel ingest --format firebase"]
        ),
    ])
    func theFirstRowsAreShownAndNothingIsStored(_ choice: Choice) throws {
        let answer = try choose(choice.file, choice.content, choice.fields)
        #expect(answer.status == choice.status)
        for text in choice.shown { #expect(answer.text.contains(text), "\(text) in \(answer.text.suffix(6000))") }
        #expect(try events() == 0 && events(of: "?") == 0)
        #expect(try test.service.engine.quarantineCounts().isEmpty)
    }

    @Test func theSameFileTwiceStoresNothingTwice() throws {
        let results = ["2 stored, 0 stored before, 1 refused.", "0 stored, 2 stored before, 1 refused."]
        for (round, text) in results.enumerated() {
            let page = try choose("words.csv", Self.words + "gato,cat,animal\n", ["learner": "ana"])
            let answer = try store(page, ["learner": "ana", "format": "word-list"])
            #expect(answer.status == 200 && answer.text.contains(text), "round \(round): \(answer.text.suffix(3000))")
            #expect(try events() == 2)
        }
        let line = try #require(try test.service.engine.quarantinedLines(after: 0, limit: 1).first)
        #expect(line.file == "words.csv")
    }

    @Test(arguments: [
        ("another learner", ["learner": "ben", "format": "word-list"], "You have changed how the file is read."),
        ("another format", ["learner": "ana", "format": "draft"], "You have changed how the file is read."),
        ("no learner", ["format": "word-list"], "Enter the id of the learner below."),
    ])
    func onlyWhatWasShownIsStored(name: String, fields: [String: String], text: String) throws {
        let page = try choose("words.csv", Self.words, ["learner": "ana"])
        let answer = try store(page, fields)
        #expect(answer.status == 422 && answer.text.contains(text), "\(name): \(answer.text.suffix(3000))")
        #expect(try events() == 0 && events(of: "ben") == 0, "\(name)")
    }

    @Test(arguments: [
        ("a reader", [Scope.read], 403), ("a sender", [.ingest], 403), ("an administrator", [.admin], 200),
    ])
    func onlyAnAdministratorStoresFiles(name: String, scopes: [Scope], status: Int) throws {
        let answer = try choose("words.csv", Self.words, ["learner": "ana"], test.key(scopes))
        #expect(answer.status == status, "\(name)")
        #expect(answer.text.contains("Store 2 events") == (status == 200), "\(name)")
    }

    @Test func theEventsHaveTheSourceOfTheKey() throws {
        var grant = KeyGrant([.admin])
        grant.source = "school"
        let key = try test.key(grant)
        let page = try choose("words.csv", Self.words, ["learner": "ana"], key)
        let answer = try store(page, ["learner": "ana", "format": "word-list"], key)
        #expect(answer.text.contains("2 stored"), "\(answer.text.suffix(3000))")
        let foreign = try choose("events.ndjson", event("1"), [:], key)
        #expect(try store(foreign, ["format": "cloudevents"], key).status == 403)
        #expect(try events() == 2)
    }

    @Test func numbersSetByAFileStandInTheAuditLog() throws {
        let key = try test.key([.admin])
        let decree = event("1").replacing("line.spoken", with: "xp.adjusted")
            .replacing(/"data":\{[^}]*\}/, with: #""data":{"amount":1000,"reason":"a gift"}"#)
        let answer = try store(try choose("events.ndjson", decree, [:], key), ["format": "cloudevents"], key)
        #expect(answer.text.contains("1 stored, 0 stored before, 0 refused."), "\(answer.text.suffix(3000))")
        #expect(try test.get("/v1/audit", headers: key).text.contains("xp.adjusted"))
    }

    @Test func theBytesOfAFileStayAsTheyAre() throws {
        let headers: HTTPHeaders = ["Content-Type": "multipart/form-data; boundary=xyz"]
        let head = HTTPRequestHead(method: "POST", target: "/", headers: headers)
        let start = "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n"
        let content: [UInt8] = [0xE9, 0x2D, 0x2D, 0x78, 0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x2D]
        let fields = try FormBody.fields(Array(start.utf8) + content + Array("\r\n--xyz--\r\n".utf8), head)
        #expect(fields.files["file"]?.name == "a.csv" && fields.files["file"]?.bytes == content)
    }
}
