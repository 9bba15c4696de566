// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelSimulation
import Testing

@testable import LaurelReports

/// All numbers of both reports equal those that `Tests/Oracle/reports.py` computes from the same events.
@Suite struct OracleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let learners: Int
        let days: Int
        let week: String
        let start: String
        var rules = "bab-language.yaml"
        var language: String?
        /// An instant in the week, or after it.
        var at = "2026-06-01T00:00:00Z"

        var testDescription: String {
            "\(learners) learners, \(week), \(rules)\(language.map { ", \($0)" } ?? ""), as of \(at)"
        }
    }

    private static let usual = [
        Row(learners: 0, days: 1, week: "2026-W04", start: "2026-01-19"),
        Row(learners: 1, days: 90, week: "2026-W12", start: "2026-03-16", rules: "vocabmaster.yaml"),
        Row(learners: 24, days: 28, week: "2026-W05", start: "2026-01-26"),
        Row(
            learners: 8,
            days: 40,
            week: "2026-W05",
            start: "2026-01-26",
            language: "es",
            at: "2026-01-29T13:00:00Z"
        ),
        Row(learners: 8, days: 40, week: "2026-W06", start: "2026-02-02", rules: "immersion-rooms.yaml"),
        Row(learners: 6, days: 120, week: "2026-W16", start: "2026-04-13", rules: "starter.yaml"),
    ]

    /// A class of fifty learners in more than nine zones, at the quarters of a year, for `make report-matrix`.
    private static let year = [
        ("2026-W13", "2026-03-23"), ("2026-W26", "2026-06-22"), ("2026-W39", "2026-09-21"), ("2026-W52", "2026-12-21"),
    ].map { week, start in
        Row(learners: 50, days: 365, week: week, start: start, rules: "starter.yaml", at: "2027-01-10T00:00:00Z")
    }

    @Test("Computed twice", arguments: Class.isWhole ? year : usual)
    func computedTwice(row: Row) throws {
        let seed: UInt64 = 5
        let lines = row.learners == 0 ? [] : Class.lines(learners: row.learners, days: row.days, seed: seed)
        var options = ["--rules", Oracle.rulesFile(row.rules).path, "--week", row.start, "--at", row.at]
        if let language = row.language { options += ["--language", language] }
        let oracle: [String: [String: [Entry]]] = try Oracle.run("reports.py", options, lines)
        let engine = try Class.engine(lines, rules: try Oracle.rules(row.rules))
        var compared = 0
        for report in ["weekly-xp", "mastery"] {
            let maker = try ReportMaker(report, engine, week: row.week, at: row.at, language: row.language)
            let subjects = try #require(oracle[report])
            for (subject, expected) in subjects.sorted(by: { $0.key < $1.key }) {
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

    /// - Returns: the number of compared exhibits.
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

    /// An exhibit's name and rows; nil if the rows contain no numbers.
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
