// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import Testing

@testable import Laurel

/// Exports that may be shared.
@Suite struct PseudonymTests {
    private static let secret = Array("0123456789abcdef0123456789abcdef".utf8)

    private func exported(_ bench: Bench, _ pseudonyms: Pseudonyms) throws -> [String] {
        var bytes: [UInt8] = []
        _ = try bench.engine.export(pseudonyms: pseudonyms) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    // MARK: The catalogue

    /// The fields that an export with pseudonyms shows, or drops, although they may have any text. All other such fields
    /// get pseudonyms.
    @Test func `what the catalogue says of each text`() {
        func fields(_ content: Field.Content) -> Set<String> {
            let texts = Catalogue.types.flatMap { type in
                type.fields.filter { $0.content == content && $0.type == .text && $0.constraint == .none }
            }
            return Set(texts.map(\.name))
        }
        #expect(
            fields(.value) == [
                "nativeLanguage", "kind", "mode", "level", "partOfSpeech", "achievement", "item", "currency", "league",
                "week", "tier", "next",
            ]
        )
        #expect(fields(.freeText) == ["text", "translation", "original", "corrected", "reason"])
        #expect(fields(.identity) == ["source", "id"])
        #expect(
            fields(.name) == [
                "displayName", "cohort", "scenario", "role", "partner", "line", "word", "category", "origin", "to",
                "label", "character", "group",
            ]
        )
    }

    // MARK: Nothing of the input

    /// A text that cannot stand in an export by chance.
    private func token(_ random: inout SeededGenerator) -> String {
        "Zq" + (0..<8).map { _ in String("GHJKLMNPQRSTVWXYZ".randomElement(using: &random)!) }.joined() + "ñ"
    }

    private func value(_ field: Field, _ random: inout SeededGenerator) -> JSONValue {
        switch (field.content, field.type, field.constraint) {
        case (.value, .text, .oneOf(let names)): .string(names.randomElement(using: &random)!)
        case (.value, .text, _): "kept"
        case (_, .text, _): .string(token(&random))
        case (_, .textList, _): .array([.string(token(&random)), .string(token(&random))])
        case (_, .boolean, _): true
        case (_, .date, _): "2026-03-04"
        case (_, .instant, _): "2026-03-04T05:06:07Z"
        case (_, .numberList, .numbers(let bounds)): .array(bounds.map { .double($0.lowerBound) })
        case (_, _, .integer(let range)): .integer(max(range.lowerBound, 1))
        case (_, _, .number(let range)): .double(range.lowerBound)
        default: 1
        }
    }

    /// An event of each type with all fields, and events of an unknown type. All other texts are tokens.
    private func events(_ random: inout SeededGenerator) -> [Event] {
        (Catalogue.types.map(\.name) + ["quest.finished", "quest.started"]).flatMap { type in
            (0..<3).map { number in
                var data: [String: JSONValue] = [:]
                for field in Catalogue.type(named: type)?.fields ?? [] { data[field.name] = value(field, &random) }
                data[token(&random)] = .string(token(&random))
                data["address"] = ["street": .string(token(&random))]
                return Event(
                    id: token(&random),
                    source: token(&random),
                    type: type,
                    subject: token(&random),
                    time: Timestamp(milliseconds: 1_770_000_000_000 + Int64(number % 2)),
                    language: "es",
                    session: token(&random),
                    timezone: "Europe/Madrid",
                    data: data,
                    extensions: ["traceparent": .string(token(&random))]
                )
            }
        }
    }

    @Test(arguments: [61, 62, 63] as [UInt64]) func `no id, name or free text is left`(seed: UInt64) throws {
        let bench = try Bench(.sqliteTiny)
        var random = SeededGenerator(seed: seed)
        let events = events(&random)
        try #require(bench.ingest(events.map(\.json)).stored == events.count, "seed \(seed)")
        _ = try bench.engine.merge(events[0].subject, into: events[1].subject, by: nil, at: Bench.date)
        let pseudonyms = try Pseudonyms(secret: Self.secret)
        let lines = try exported(bench, pseudonyms)
        // Two unknown types have three events each. The last line is the merge.
        #expect(lines.count == events.count - 6 + 1)
        var log: [UInt8] = []
        #expect(try bench.engine.exportReviewLog(pseudonyms: pseudonyms) { log += $0 } == 3)
        let folder = bench.folder.file("tables")
        #expect(try bench.engine.exportTables(.csv, into: folder, pseudonyms: pseudonyms) == events.count - 6)
        let tables = try Catalogue.types.flatMap { try contents("\(folder)/\($0.name).csv") }
        for text in [lines.joined(separator: "\n"), String(decoding: log + tables, as: UTF8.self)] {
            #expect(!text.contains("Zq") && !text.contains("ñ"), "seed \(seed)")
            #expect(!text.contains("street"), "seed \(seed)")
        }
        #expect(access("\(folder)/quest.finished.csv", F_OK) != 0)
        #expect(try bench.engine.exportTables(.parquet, into: folder, pseudonyms: pseudonyms) == events.count - 6)
    }

    // MARK: The same numbers

    /// A learner's numbers in all tracks, without names.
    private func numbers(_ bench: Bench, _ learner: String) throws -> [LearnerProgress] {
        let reader = bench.engine.learner(learner)
        // The last day of the simulation.
        let date = try Timestamp("2026-01-24T23:59:59Z").date
        let languages = try [nil] + reader.languages(at: date).map(Optional.some)
        return try languages.compactMap { language in
            guard var progress = try reader.progress(language: language, at: date) else { return nil }
            (progress.learner, progress.displayName) = ("", nil)
            return progress
        }
    }

    /// Simulated events, many of them at the same time, and retractions of some.
    private func stream(seed: UInt64) throws -> [String] {
        let lines = simulated(learners: 8, days: 20, seed: seed, disorder: true)
        return try lines.enumerated().flatMap { index, text in
            let event = try JSONLine(text)
            let whole = event["time"].prefix(15) + "0:00Z"
            let isMoved = event["id"].utf8.last! % 3 != 0
            let moved = isMoved ? text.replacing(event["time"], with: whole) : text
            guard index % 50 == 0 else { return [moved] }
            let target = #"{"source":"\#(event["source"])","id":"\#(event["id"])"}"#
            return [moved, line("r\(index)", "event.retracted", at: String(whole), by: event["subject"], data: target)]
        }
    }

    @Test(arguments: [71, 72] as [UInt64]) func `an ingest gives the same numbers`(seed: UInt64) throws {
        let first = try Bench(.sqliteTiny)
        let stored = try first.ingest(try stream(seed: seed)).stored
        // The shipped rules read this field of a type that the catalogue does not have.
        let pseudonyms = try Pseudonyms(secret: Self.secret, keeping: ["quest.finished:difficulty"])
        let second = try Bench(.sqlite)
        let report = try second.ingest(try exported(first, pseudonyms))
        #expect(report.stored == stored && report.refused == 0, "seed \(seed): \(report.problems)")
        let names = Pseudonymiser(pseudonyms)
        for learner in try first.engine.learnerIDs() {
            let numbers = try numbers(first, learner)
            try #require(!numbers.isEmpty)
            #expect(try self.numbers(second, names.pseudonym(learner)) == numbers, "seed \(seed): \(learner)")
        }
    }

    // MARK: Pseudonyms

    @Test func `a secret decides the pseudonyms, in all formats`() throws {
        let bench = try Bench(.sqlite)
        let words = #"{"word":"w1","grade":"good"}"#
        try bench.ingest([line("a", "review.graded", by: "leo", data: words), line("b", by: "ana")])
        let one = try Pseudonyms(secret: Self.secret)
        let lines = try exported(bench, one)
        #expect(try exported(bench, Pseudonyms(secret: Self.secret)) == lines)
        let others = try exported(bench, Pseudonyms(secret: Self.secret.reversed()))
        #expect(Set(lines).isDisjoint(with: others))
        let names = Pseudonymiser(one)
        let leo = try #require(lines.first { $0.contains(names.pseudonym("leo")) })
        // The reference is Python: hmac.new(secret, b"leo", "sha256").hexdigest()[:32]
        #expect(names.pseudonym("leo") == "98df3b0d4f8d67edd92c548c71753f7f")
        var log: [UInt8] = []
        _ = try bench.engine.exportReviewLog(pseudonyms: one) { log += $0 }
        let card = "\(names.pseudonym("leo"))//\(names.pseudonym("w1"))"
        #expect(String(decoding: log, as: UTF8.self).contains(",\(card),"))
        #expect(leo.contains(#""data":{"word":"\#(names.pseudonym("w1"))","grade":"good"}"#))
    }

    @Test func `keeps what is named`() throws {
        let bench = try Bench(.sqlite)
        try bench.ingest([
            line("a", data: #"{"text":"Hola","translation":"Hello","mood":"calm"}"#),
            line("b", "quest.finished", data: #"{"stars":3,"note":"x"}"#),
            line("c", "quest.started", data: #"{"x":1}"#), line("d", "quest.lost"),
        ])
        let keeping = ["line.spoken:text", "line.spoken:mood", "quest.finished:stars", "quest.started"]
        let lines = try exported(bench, Pseudonyms(secret: Self.secret, keeping: keeping))
        let data = try lines.map { line -> String in
            guard case .object(let members) = try JSONLine(line).value else { return "" }
            return members["data"]?.json ?? "none"
        }
        #expect(Set(data) == [#"{"mood":"calm","text":"Hola"}"#, #"{"stars":3}"#, "none"] && data.count == 3)
    }

    struct Mistake: CustomTestStringConvertible, Sendable {
        var bytes = Pseudonyms.fewestBytes
        var keeping: [String] = []
        var message: String
        var testDescription: String { message }
    }

    @Test(arguments: [
        Mistake(bytes: 31, message: "the secret has 31 bytes; it must have at least 32 random bytes"),
        Mistake(keeping: ["Line"], message: "“Line” names neither an event type nor a field"),
        Mistake(keeping: ["line.spoken:"], message: "“line.spoken:” names neither an event type nor a field"),
        Mistake(keeping: [""], message: "“” names neither an event type nor a field"),
    ])
    func refuses(mistake: Mistake) {
        let error = #expect(throws: EngineError.self) {
            try Pseudonyms(secret: [UInt8](repeating: 7, count: mistake.bytes), keeping: mistake.keeping)
        }
        #expect(error?.code == .invalidRequest && error?.message.hasPrefix(mistake.message) == true)
    }
}
