// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelResults
import SeededRandom
import Testing

/// The file of `laurel tables`, read by `sqlite3`, has the words and reviews of `laurel words` and `laurel explain`.
@Suite struct TablesTests {
    private static let learners = ["ana", "ben", "cho"]
    private static let words = ["sol", "luna", "mar"]
    private static let now = "2026-06-01T00:00:00Z"

    // MARK: Events

    /// Random events in February 2026.
    private struct Stream {
        var random: SeededGenerator
        private var last = 0

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func events(_ count: Int, of learners: [String] = TablesTests.learners) -> [String] {
            (0..<count).map { _ in event(learners.randomElement(using: &random)!) }
        }

        private mutating func event(_ learner: String) -> String {
            let word = TablesTests.words.randomElement(using: &random)!
            let grade = ["again", "hard", "good", "easy"].randomElement(using: &random)!
            let data = [
                ("review.graded", #""grade":"\#(grade)","durationMs":\#(Int.random(in: 1...9000, using: &random))"#),
                ("review.graded", #""grade":"\#(grade)""#), ("review.graded", #""grade":"\#(grade)""#),
                ("word.added", #""text":"el \#(word)","translation":"a | \#(grade)""#), ("word.removed", ""),
                ("word.encountered", #""count":2"#), ("word.learned", ""), ("word.imported", #""intervalDays":9"#),
            ].randomElement(using: &random)!
            let member = data.1.isEmpty ? "" : ",\(data.1)"
            let language = ["", #""language":"es","#, #""language":"fr","#].randomElement(using: &random)!
            let session = ["", #""session":"s1","#].randomElement(using: &random)!
            return line(data.0, learner, "\(language)\(session)", #"{"word":"\#(word)"\#(member)}"#)
        }

        mutating func line(_ type: String, _ learner: String, _ attributes: String, _ data: String) -> String {
            let hours = Int.random(in: 0..<28 * 24, using: &random)
            let (day, hour) = (101 + hours / 24, 100 + hours % 24)
            let time = "2026-02-\("\(day)".suffix(2))T\("\(hour)".suffix(2)):00:00Z"
            return line(type, learner, attributes, data, at: time)
        }

        mutating func line(
            _ type: String,
            _ learner: String,
            _ attributes: String,
            _ data: String,
            at time: String
        ) -> String {
            last += 1
            return #"{"id":"\#(last)","source":"app","type":"\#(type)","subject":"\#(learner)",\#(attributes)"#
                + #""time":"\#(time)","data":\#(data)}"#
        }
    }

    // MARK: A store and its tables

    private struct Place {
        let store: String
        let laurel = try! Laurel()
        let seed: UInt64
        var at = TablesTests.now

        @discardableResult
        func run(_ words: [String]) throws -> String {
            let outcome = try laurel.run(words + ["--store", store])
            #expect(outcome.status == 0, "seed \(seed), \(words): \(outcome)")
            return outcome.output
        }

        func ingest(_ lines: [String]) throws {
            try laurel.write(lines.joined(separator: "\n"), to: "events.ndjson")
            try run(["ingest", "--now", TablesTests.now, "events.ndjson"])
        }

        func update(_ file: String = "tables.db") throws -> TableReport {
            let output = try run(["tables", "words", "reviews", "--into", file, "--at", at, "--json"])
            return try LaurelJSON.decode(TableReport.self, from: Data(output.utf8))
        }

        func rows(_ sql: String, of file: String = "tables.db") throws -> [String] {
            let outcome = try laurel.shell("sqlite3 \(file) \"\(sql)\"")
            #expect(outcome.status == 0, "seed \(seed): \(outcome)")
            return outcome.output.split(separator: "\n").map(String.init)
        }

        /// The documents that a command prints about a learner; empty for an unknown learner or word.
        func documents<Document: Decodable>(_: Document.Type, _ words: String...) throws -> [Document] {
            let outcome = try laurel.run(words + ["--store", store, "--at", at, "--json"])
            guard outcome.status == 0 else { return [] }
            return try LaurelJSON.decode([Document].self, from: Data(outcome.output.utf8))
        }
    }

    private func text(_ number: Double?) -> String { number.map { String(format: "%.12g", $0) } ?? "" }

    private func text(_ instant: Date?) -> String {
        instant.map { "\(Int(($0.timeIntervalSince1970 * 1000).rounded()))" } ?? ""
    }

    private func check(_ place: Place, _ step: String, isNew: Bool, learners: Int) throws {
        let comment: Comment = "seed \(place.seed), \(step)"
        let report = try place.update()
        #expect(report.isNew == isNew && report.learners == learners, comment)
        func milliseconds(_ column: String) -> String {
            "CAST(round((julianday(\(column)) - 2440587.5) * 86400000) AS INTEGER)"
        }
        let words = try place.rows(
            """
            SELECT learner, language, word, text, translation, mastery, reviews, correct, interval_days, encounters,
                learned, printf('%.12g', stability), printf('%.12g', difficulty), \(milliseconds("next_review_at")),
                \(milliseconds("first_seen_at")), \(milliseconds("last_reviewed_at")) FROM words
            """
            .replacing("printf('%.12g', stability)", with: "iif(stability IS NULL, '', printf('%.12g', stability))")
            .replacing("printf('%.12g', difficulty)", with: "iif(difficulty IS NULL, '', printf('%.12g', difficulty))")
        )
        #expect(words.sorted() == (try expectedWords(place)).sorted(), comment)
        let reviews = try place.rows(
            """
            SELECT learner, language, word, \(milliseconds("reviewed_at")), grade, days_since,
                iif(recall IS NULL, '', printf('%.12g', recall)) FROM reviews
            """
        )
        #expect(reviews.sorted() == (try expectedReviews(place)).sorted(), comment)
        #expect(report.tables.map(\.rows) == [words.count, reviews.count], comment)
        // A file that is made at once has the same rows.
        try? FileManager.default.removeItem(at: place.laurel.folder.appending(path: "again.db"))
        #expect(try place.update("again.db").isNew)
        for sql in ["SELECT * FROM words", "SELECT * FROM reviews"] {
            #expect(try place.rows(sql) == place.rows(sql, of: "again.db"), comment)
        }
    }

    private func expectedWords(_ place: Place) throws -> [String] {
        try Self.learners.flatMap { learner in
            try place.documents(Word.self, "words", learner).map { word in
                let texts = [learner, word.language ?? "", word.id, word.text ?? "", word.translation ?? ""]
                let numbers = [
                    word.mastery, word.reviews, word.correctReviews, word.intervalDays, word.encounters,
                    word.isLearned ? 1 : 0,
                ]
                let times = [word.nextReviewAt, word.firstSeenAt, word.lastReviewedAt].map(text)
                let memory = [text(word.stability), text(word.difficulty)]
                return (texts + numbers.map(String.init) + memory + times).joined(separator: "|")
            }
        }
    }

    private func expectedReviews(_ place: Place) throws -> [String] {
        var rows: [String] = []
        for (learner, word) in Self.learners.flatMap({ learner in Self.words.map { (learner, $0) } }) {
            for found in try place.documents(WordExplanation.self, "explain", learner, "--word", word) {
                for step in found.steps where step.event.void == nil {
                    guard let grade = step.grade else { continue }
                    let days = step.daysSinceReview.map(String.init) ?? ""
                    rows.append(
                        [learner, found.language ?? "", word, text(step.event.time), grade, days, text(step.recall)]
                            .joined(separator: "|")
                    )
                }
            }
        }
        return rows
    }

    // MARK: Tests

    private func check(_ place: Place) throws {
        var (place, stream) = (place, Stream(seed: place.seed))
        try place.laurel.write("version: 1\nmastery: {scheduler: fsrs}\n", to: "fsrs.yaml")
        try place.laurel.write("version: 1\nmastery: {scheduler: sm2}\n", to: "sm2.yaml")
        try place.ingest(stream.events(90))
        try place.run(["rules", "apply", "--yes", "fsrs.yaml"])
        try check(place, "the first time", isNew: true, learners: 3)
        try check(place, "unchanged", isNew: false, learners: 0)
        try place.ingest(stream.events(15, of: ["ana"]))
        try check(place, "late events", isNew: false, learners: 1)
        let retraction = stream.line("event.retracted", "ben", "", #"{"source":"app","id":"7"}"#, at: Self.now)
        let discarded = stream.line("session.discarded", "ana", #""session":"s1","#, "{}", at: Self.now)
        try place.ingest([retraction, discarded])
        try check(place, "corrections", isNew: false, learners: 2)
        let ahead = #"{"word":"sol","grade":"good"}"#
        try place.ingest([stream.line("review.graded", "cho", "", ahead, at: "2026-06-01T12:00:00Z")])
        try check(place, "an event ahead", isNew: false, learners: 1)
        place.at = "2026-06-02T00:00:00Z"
        try check(place, "a day later", isNew: false, learners: 1)
        try place.run(["rules", "apply", "--yes", "sm2.yaml"])
        try check(place, "other rules", isNew: true, learners: 3)
        try place.run(["erase", "ben", "--yes"])
        try check(place, "an erasure", isNew: true, learners: 2)
        #expect(try place.laurel.shell("grep -c ben tables.db").output == "0\n")
    }

    @Test(arguments: [UInt64(41), 42]) func `of a file`(seed: UInt64) throws {
        try check(Place(store: "class.db", seed: seed))
    }

    @Test(.enabled(if: DatabaseServer.binaries != nil, "there is no PostgreSQL on this machine"))
    func `of a database`() throws {
        let location = try #require(DatabaseServer.shared).newDatabase()
        let place = Place(store: location, seed: 43)
        #expect(try place.laurel.run("store", "create", location).status == 0)
        try check(place)
    }

    /// The tables of a database, read by `psql`, have the rows of a file's tables.
    @Test(.enabled(if: DatabaseServer.binaries != nil, "there is no PostgreSQL on this machine"))
    func `into a database`() throws {
        let server = try #require(DatabaseServer.shared)
        let binaries = try #require(DatabaseServer.binaries)
        let location = try server.newDatabase()
        let name = DatabaseServer.database(of: location)
        let schema = try #require(location.components(separatedBy: "schema=").last) + "_tables"
        let place = Place(store: "class.db", seed: 44)
        var stream = Stream(seed: place.seed)

        func query(_ sql: String) throws -> [String] {
            let psql = "\(binaries)/psql -XAtq -h \(server.folder) -U \(server.user) -d \(name)"
            let outcome = try place.laurel.shell("\(psql) -c 'SET search_path = \(schema)' -c \"\(sql)\"")
            #expect(outcome.status == 0, "\(outcome)")
            return outcome.output.split(separator: "\n").map(String.init)
        }
        func check(_ step: Comment, isNew: Bool, learners: Int) throws {
            let report = try place.update(location)
            #expect(report.isNew == isNew && report.learners == learners, step)
            _ = try place.update()
            for sql in [
                "SELECT learner, language, word, text, translation, mastery, reviews, encounters, learned, next_review_at,"
                    + " CAST(round(stability * 1000000) AS INTEGER) FROM words",
                "SELECT learner, review, language, word, reviewed_at, grade, days_since, duration_ms,"
                    + " CAST(round(recall * 1000000) AS INTEGER) FROM reviews",
            ] {
                let rows = try query(sql).sorted()
                let others = try place.rows(sql).sorted()
                #expect(!rows.isEmpty && rows == others, step)
            }
        }
        try place.laurel.write("version: 1\nmastery: {scheduler: fsrs}\n", to: "fsrs.yaml")
        try place.ingest(stream.events(90))
        try place.run(["rules", "apply", "--yes", "fsrs.yaml"])
        try check("the first time", isNew: true, learners: 3)
        try check("unchanged", isNew: false, learners: 0)
        try place.ingest(stream.events(15, of: ["ana"]))
        try check("late events", isNew: false, learners: 1)
        try place.run(["erase", "ben", "--yes"])
        try check("an erasure", isNew: true, learners: 2)
        _ = try query("CREATE SCHEMA other_tables")
        let elsewhere = location.replacing("schema=\(schema.dropLast(7))", with: "schema=other")
        let other = try place.laurel.run("tables", "--store", "class.db", "--into", elsewhere)
        let message = "the schema other_tables is another program's; name another schema"
        #expect(other.status == 2 && other.messages.first?.hasSuffix(message) == true)
    }

    @Test func `keep the tables that a file has`() throws {
        let laurel = try Laurel(events: Laurel.events)
        let at = ["--at", "2026-03-01T00:00:00Z"]
        let first = try laurel.run(["tables", "reviews", "--into", "t.db"] + at)
        #expect(first.output.hasPrefix("reviews   ") && first.messages.last?.hasPrefix("made t.db of ") == true)
        #expect(try laurel.shell("stat -c %a t.db").output == "600\n")
        let more = try laurel.run(["tables", "words", "--into", "t.db"] + at)
        #expect(more.output.split(separator: "\n").map { $0.prefix(7) } == ["words  ", "reviews"])
        #expect(try laurel.run(["tables", "--into", "t.db"] + at).output == more.output)
        let all = try laurel.run(["tables", "--into", "all.db"] + at).output
        #expect(all.split(separator: "\n").map { $0.prefix(8) } == ["words   ", "sessions", "reviews "])
    }

    @Test func `refuse wrong requests`() throws {
        let laurel = try Laurel(events: Laurel.events)
        let outcome = try laurel.run("tables", "word", "--into", "t.db")
        #expect(outcome.status == 2 && outcome.messages.first == "there is no table “word”; did you mean words?")
        #expect(try laurel.run("tables", "words").status == 2)
        let other = try laurel.run("tables", "--into", "laurel.db")
        #expect(other.status == 2)
        #expect(other.messages.first == "laurel.db is another program's file; name a file that is not there yet")
        try laurel.write("no database", to: "text")
        #expect(try laurel.run("tables", "--into", "text").status == 2)
        #expect(try laurel.run("verify").status == 0)
    }
}
