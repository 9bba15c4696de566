// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelSimulation
import Testing

@testable import LaurelReports

/// Every number of both reports is what `Tests/Oracle/reports.py` makes of the same events.
@Suite struct OracleTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    struct Row: Sendable, CustomTestStringConvertible {
        let learners: Int
        let days: Int
        let week: String
        let start: String
        var rules = "bab-language.yaml"
        var language: String?
        /// Within the week, or after it.
        var at = "2026-06-01T00:00:00Z"

        var testDescription: String {
            "\(learners) learners, \(week), \(rules)\(language.map { ", \($0)" } ?? ""), as of \(at)"
        }
    }

    @Test(
        "Computed twice",
        arguments: [
            Row(learners: 0, days: 1, week: "2026-W04", start: "2026-01-19"),
            Row(learners: 1, days: 90, week: "2026-W14", start: "2026-03-30"),
            Row(learners: 1, days: 90, week: "2026-W12", start: "2026-03-16", rules: "vocabmaster.yaml"),
            Row(learners: 40, days: 28, week: "2026-W05", start: "2026-01-26"),
            Row(
                learners: 8,
                days: 40,
                week: "2026-W05",
                start: "2026-01-26",
                language: "es",
                at: "2026-01-29T13:00:00Z"
            ),
            Row(learners: 8, days: 40, week: "2026-W06", start: "2026-02-02", rules: "immersion-rooms.yaml"),
            Row(learners: 400, days: 4, week: "2026-W02", start: "2026-01-05"),
        ]
    )
    func computedTwice(row: Row) throws {
        let seed: UInt64 = 5
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-oracle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = row.learners == 0 ? [] : Class.lines(learners: row.learners, days: row.days, seed: seed)
        try Data(lines).write(to: folder.appending(path: "events.ndjson"))
        let rules = Self.tests.deletingLastPathComponent().appending(path: "Rules/\(row.rules)")
        let oracle: [String: [String: [Entry]]] = try Self.oracle(row, folder, rules)
        let engine = try Class.engine(lines, rules: String(contentsOf: rules, encoding: .utf8))
        var compared = 0
        for report in ["weekly-xp", "mastery"] {
            let maker = try ReportMaker(report, engine, week: row.week, at: row.at, language: row.language)
            let subjects = try #require(oracle[report])
            for (subject, expected) in Self.compared(subjects) {
                let document = try subject.isEmpty ? maker.cohort() : maker.learner(subject)
                compared += try compare(
                    document,
                    expected,
                    "seed \(seed), \(report), \(subject.isEmpty ? "everyone" : subject)"
                )
            }
        }
        #expect(compared >= 12)
    }

    /// Everyone, and each learner; of many learners every twentieth, since a report takes its time.
    private static func compared<Entry>(_ subjects: [String: Entry]) -> [(String, Entry)] {
        let sorted = subjects.sorted { $0.key < $1.key }
        guard sorted.count > 50 else { return sorted }
        return sorted.enumerated().filter { $0.offset % 20 == 0 }.map(\.element)
    }

    private static func oracle(_ row: Row, _ folder: URL, _ rules: URL) throws -> [String: [String: [Entry]]] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        var arguments = ["python3", "-B", tests.appending(path: "Oracle/reports.py").path, "--rules", rules.path]
        arguments += ["--events", folder.appending(path: "events.ndjson").path, "--week", row.start, "--at", row.at]
        if let language = row.language { arguments += ["--language", language] }
        process.arguments = arguments
        let output = folder.appending(path: "found.json")
        try Data().write(to: output)
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try JSONDecoder().decode([String: [String: [Entry]]].self, from: try Data(contentsOf: output))
    }

    /// - Returns: how many exhibits were compared.
    private func compare(_ document: Document, _ expected: [Entry], _ what: String) throws -> Int {
        let exhibits = document.sections.flatMap(\.exhibits)
        try #require(exhibits.map { $0.title ?? $0.show.rawValue } == expected.map(\.name))
        for (exhibit, entry) in zip(exhibits, expected) {
            guard let rows = entry.rows else { continue }
            let comment = Comment(rawValue: "\(what), \(exhibit.title ?? exhibit.show.rawValue)")
            #expect(exhibit.table.rows.count == rows.count, comment)
            for (found, wanted) in zip(exhibit.table.rows, rows) {
                let isSame = found.count == wanted.count && zip(found, wanted).allSatisfy(same)
                #expect(isSame, "\(comment): \(found), \(wanted)")
            }
        }
        return exhibits.count
    }

    private func same(_ cell: Cell, _ value: Value) -> Bool {
        switch (cell, value) {
        case (.null, .null): true
        case (.text(let one), .text(let other)): one == other
        case (.number(let one), .number(let other)): abs(one - other) <= 1e-9 * max(1, abs(one), abs(other))
        default: false
        }
    }

    /// An exhibit's name and rows; nil where they hold no numbers.
    private struct Entry: Decodable {
        var name: String
        var rows: [[Value]]?

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            name = try list.decode(String.self)
            rows = try list.decode([[Value]]?.self)
        }
    }

    private enum Value: Decodable {
        case null, number(Double), text(String)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }
}
