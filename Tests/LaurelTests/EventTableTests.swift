// SPDX-License-Identifier: Apache-2.0

import Glibc
import Laurel
import LaurelEvents
import Testing

/// Exports with a table for each event type.
@Suite struct EventTableTests {
    /// Random events of known and unknown types, with texts that are difficult in CSV.
    private func events(seed: UInt64) -> [Event] {
        var random = SeededGenerator(seed: seed)
        let texts = [
            "", "=1+1", "a,b", "the \"same\"", "line\r\nbreak", "é", "😀 🇩🇪", "@home", "-5", ";x", "\u{0}", "NULL",
        ]
        func text() -> JSONValue { .string(texts.randomElement(using: &random)!) }
        return (0..<200).map { number in
            let type = ["word.added", "line.spoken", "quest.finished", "event.retracted"].randomElement(using: &random)!
            var data: [String: JSONValue] = ["mood": text(), "list": [1, "x", .null], "nothing": .null]
            switch type {
            case "word.added":
                data.merge(["word": .string("w\(number)"), "text": text(), "tags": ["a", text()]]) { $1 }
            case "line.spoken":
                data["accuracy"] = .double(Double.random(in: 0...1, using: &random))
                data["errors"] = .integer(Int64.random(in: 0...(1 << 53), using: &random))
            case "event.retracted": data.merge(["source": "none", "id": .string("x,\(number)")]) { $1 }
            default: data = number % 2 == 0 ? [:] : data
            }
            return Event(
                id: "e\(number)",
                source: "app \"\(number % 3)\"",
                type: type,
                subject: "ana,\(number % 4)",
                time: Timestamp(
                    milliseconds: Int64.random(in: 0...1_800_000_000_000, using: &random),
                    offset: [.zulu, .unknown, .minutes(0), .minutes(-570)].randomElement(using: &random)!
                ),
                language: ["es", "pt-BR", nil].randomElement(using: &random)!,
                session: ["s;1", nil].randomElement(using: &random)!,
                timezone: ["Asia/Kathmandu", nil].randomElement(using: &random)!,
                data: data,
                extensions: number % 5 == 0 ? ["trace": [true, .null]] : [:]
            )
        }
    }

    /// The row that an event must have, by column. Absent values are left out.
    private func row(_ event: Event) -> [String: String] {
        var row = [
            "id": event.id, "source": event.source, "subject": event.subject,
            "time": Timestamp.utc(event.time.milliseconds),
        ]
        if case .minutes(let minutes) = event.time.offset { row["offsetMinutes"] = "\(minutes)" }
        row["language"] = event.language
        row["session"] = event.session
        row["timezone"] = event.timezone
        var others = event.data
        for field in Catalogue.type(named: event.type)?.fields ?? [] {
            guard let value = others.removeValue(forKey: field.name) else { continue }
            row[row[field.name] == nil ? field.name : "data_\(field.name)"] =
                switch value {
                // An apostrophe keeps spreadsheets from running the text.
                case .string(let text) where ["=1+1", "@home", "-5"].contains(text): "'" + text
                case .string(let text): text
                case .double(let number): CSVRecord([.number(number)]).description
                default: value.json
                }
        }
        if !others.isEmpty { row["data"] = JSONValue.object(others).json }
        if !event.extensions.isEmpty { row["extensions"] = JSONValue.object(event.extensions).json }
        return row.filter { !$0.value.isEmpty }
    }

    /// The records of a CSV file, which may have line breaks in quotes.
    private func records(_ path: String) throws -> [[String]] {
        var records: [[String]] = []
        var record: [UInt8] = []
        var isQuoted = false
        for byte in try contents(path) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            record.append(byte)
            guard byte == UInt8(ascii: "\n"), !isQuoted else { continue }
            #expect(record.suffix(2) == [13, 10])
            let fields = try #require(CSVRecord.fields(of: record.dropLast(2)))
            records.append(fields.map { String(decoding: $0, as: UTF8.self) })
            record = []
        }
        #expect(record.isEmpty)
        return records
    }

    /// The rows of a CSV file, by column. Empty cells are left out.
    private func rows(_ path: String) throws -> [[String: String]] {
        let records = try records(path)
        let header = try #require(records.first)
        return records.dropFirst().map { record in
            #expect(record.count == header.count)
            return Dictionary(uniqueKeysWithValues: zip(header, record)).filter { !$0.value.isEmpty }
        }
    }

    @Test(arguments: [51, 52, 53] as [UInt64]) func `CSV has the rows of the events`(seed: UInt64) throws {
        let bench = try Bench(.sqliteTiny)
        let events = events(seed: seed)
        try #require(bench.ingest(events.map(\.json)).stored == events.count)
        let folder = bench.folder.file("tables")
        #expect(try bench.engine.exportTables(.csv, into: folder) == events.count)
        for type in Set(events.map(\.type)) {
            let found = try rows("\(folder)/\(type).csv")
            let expected = events.filter { $0.type == type }.map(row)
            let byID = Dictionary(uniqueKeysWithValues: found.map { ($0["id"]!, $0) })
            #expect(found.count == expected.count, "seed \(seed)")
            for row in expected { #expect(byID[row["id"]!] == row, "seed \(seed)") }
        }
        let one = bench.folder.file("one")
        let count = events.count { $0.subject == "ana,1" }
        #expect(try bench.engine.exportTables(.csv, into: one, learner: "ana,1") == count)
    }

    @Test func `an empty store has a file with a header for each type of the catalogue`() throws {
        let bench = try Bench(.sqlite)
        let folder = bench.folder.file("a/b")
        #expect(try bench.engine.exportTables(.csv, into: folder) == 0)
        for type in Catalogue.types {
            let records = try records("\(folder)/\(type.name).csv")
            #expect(records.count == 1 && records[0].starts(with: ["id", "source", "subject", "time"]))
            #expect(records[0].count == 10 + type.fields.count)
        }
    }

    @Test func `an export that fails changes no file`() throws {
        let bench = try Bench(.sqlite)
        try bench.ingest([line("a")])
        let folder = bench.folder.file("tables")
        _ = try bench.engine.exportTables(.csv, into: folder)
        let before = try contents("\(folder)/line.spoken.csv")
        try bench.ingest([line("b"), line("c", "quest.finished")])
        // The file of this type cannot be made, after many others.
        try #require(mkdir("\(folder)/quest.finished.csv.part", 0o777) == 0)
        #expect(throws: EngineError.self) { try bench.engine.exportTables(.csv, into: folder) }
        #expect(try contents("\(folder)/line.spoken.csv") == before)
        #expect(access("\(folder)/line.spoken.csv.part", F_OK) != 0)
        try #require(rmdir("\(folder)/quest.finished.csv.part") == 0)
        #expect(try bench.engine.exportTables(.csv, into: folder) == 3)
        #expect(try rows("\(folder)/line.spoken.csv").compactMap { $0["id"] } == ["a", "b"])
    }

    @Test func `an unknown learner has no files`() throws {
        let bench = try Bench(.sqlite)
        let folder = bench.folder.file("tables")
        #expect(try bench.engine.exportTables(.csv, into: folder, learner: "nobody") == nil)
        #expect(access(folder, F_OK) != 0)
    }
}

/// Exports in the form of the FSRS project.
@Suite struct ReviewLogTests {
    private func log(_ bench: Bench, learner: String? = nil, language: String? = nil) throws -> [String] {
        var bytes: [UInt8] = []
        _ = try bench.engine.exportReviewLog(learner: learner, language: language) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func review(_ id: String, _ word: String, _ grade: String, day: Int, language: String, more: String = "")
        -> String
    {
        #"{"id":"\#(id)","source":"app","type":"review.graded","subject":"ana/1","language":"\#(language)","#
            + #""time":"2026-01-0\#(day)T00:00:00Z","data":{"word":"\#(word)","grade":"\#(grade)"\#(more)}}"#
    }

    @Test(arguments: Backend.allCases) func `the reviews that count, in the columns of the optimiser`(backend: Backend)
        throws
    {
        let bench = try Bench(backend)
        try bench.ingest([
            review("1", "a,b", "again", day: 1, language: "es", more: #","durationMs":1500"#),
            review("2", "a,b", "hard", day: 2, language: "es"),
            review("3", "=1", "good", day: 3, language: "ES"),
            review("4", "null", "easy", day: 4, language: "de"),
            review("5", "a,b", "easy", day: 5, language: "es"),
            line("6", "event.retracted", at: "2026-01-06T00:00:00Z", by: "ana/1", data: #"{"source":"app","id":"5"}"#),
            line("7", by: "leo"),
        ])
        let header = "review_time,card_id,review_rating,review_duration,review_state"
        let spanish = [
            #"1767225600000,"a,b",1,1500,0"#, #"1767312000000,"a,b",2,0,2"#, "1767398400000,=1,3,0,0",
        ]
        #expect(try log(bench, learner: "ana/1", language: "es") == [header] + spanish)
        #expect(
            try log(bench).dropFirst() == [
                #"1767225600000,"ana%2F1/es/a,b",1,1500,0"#, #"1767312000000,"ana%2F1/es/a,b",2,0,2"#,
                "1767398400000,ana%2F1/es/=1,3,0,0", "1767484800000,ana%2F1/de/null,4,0,0",
            ]
        )
        #expect(try log(bench, learner: "leo") == [header])
        #expect(try bench.engine.exportReviewLog(learner: "nobody") { _ in } == nil)
    }
}
