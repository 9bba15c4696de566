// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelResults
import LaurelWire
import Testing

import struct Laurel.ApplyOptions
import struct Laurel.DiffOptions
import class Laurel.ProgressEngine
import struct Laurel.Rules

/// The `--json` output of the rules commands is the JSON of the library's results, and can be decoded again.
@Suite struct RulesDocumentTests {
    private static let rules =
        Laurel.rules + """
            tests:
              - name: passes
                events: [{type: line.spoken, time: "2026-02-05T18:00:00Z", language: es, data: {durationMs: 1234}}]
                language: es
                expect: {totalXP: 10, total.seconds: 1.234, estimatedCEFR: A1, displayName: null}
              - name: fails
                events: [{type: line.spoken, time: "2026-02-05T18:00:00Z"}]
                expect: {totalXP: 0.5, lastActivityDate: "2026-02-06", achievements: {talkr: {tier: 1}}}
              - name: refused
                events: [{type: line.spoken, time: "2026-02-05T18:00:00Z", data: {accuracy: 7}}]
                expect: {totalXP: 10}

            """
    private static let harder = rules.replacing("award: 10}", with: "award: 4}")
        .replacing("at_least: [2, 4]", with: "at_least: [3, 4]").replacing("name: small", with: "name: harder")
    private static let at = "2026-02-06T01:00:00+01:00"

    /// A command, and checks of its output.
    private struct Row {
        var name: String
        var arguments: [String]
        /// Decodes its documents, and encodes them again.
        var again: (Data) throws -> Data
        /// The library's own results, encoded; nil if computing them would change the store.
        var library: ((ProgressEngine, Laurel) throws -> [Data])?

        init<Result: Codable>(
            _ command: String,
            _ result: Result.Type,
            library: ((ProgressEngine, Laurel) throws -> [Result])? = nil
        ) {
            name = command
            arguments = (["rules"] + command.split(separator: " ").map(String.init)) + ["--json"]
            again = { try LaurelJSON.encode(LaurelJSON.decode(Result.self, from: $0)) }
            self.library = library.map { library in { try library($0, $1).map { try LaurelJSON.encode($0) } } }
        }
    }

    private static func rules(_ file: String, in laurel: Laurel) throws -> Rules {
        try Rules(path: laurel.folder.appending(path: file).path)
    }

    private static func diff(
        _ engine: ProgressEngine,
        _ laurel: Laurel,
        sample: Int? = nil,
        all: Bool = false,
        from: String? = nil
    ) throws -> [RulesDiff] {
        var options = DiffOptions(at: try Timestamp(Self.at))
        (options.sample, options.listsAll) = (sample, all)
        let day = from.flatMap { LocalDay(parsing: $0.utf8) }
        return [try engine.diff(rules("new.yaml", in: laurel), from: day, options: options)]
    }

    /// The order matters, because some commands change the store.
    private static var rows: [Row] {
        [
            Row("diff new.yaml --at \(at)", RulesDiff.self) { try diff($0, $1) },
            Row("diff new.yaml --all --at \(at) --from 2026-02-05", RulesDiff.self) {
                try diff($0, $1, all: true, from: "2026-02-05")
            },
            Row("diff new.yaml --sample 1 --at \(at)", RulesDiff.self) { try diff($0, $1, sample: 1) },
            Row("diff new.yaml --sample 50 --at \(at)", RulesDiff.self) { try diff($0, $1, sample: 50) },
            Row("history", AppliedRules.self) { engine, _ in try engine.rulesHistory() },
            Row("apply rules.yaml --yes", RulesApplication.self) { _, _ in [RulesApplication(inForce: 1)] },
            Row("apply new.yaml --yes --sample 40 --keep-achievements --keep-xp", RulesApplication.self),
            Row("apply rules.yaml --yes --from 2099-01-01", RulesApplication.self),
            Row("history", AppliedRules.self) { engine, _ in try engine.rulesHistory() },
            Row("withdraw 2099-01-01", RulesWithdrawal.self),
            Row("history", AppliedRules.self) { engine, _ in try engine.rulesHistory() },
            Row("show 1", AppliedRulesSource.self) { engine, _ in [try engine.appliedRules(version: 1)!] },
            Row("show", AppliedRulesSource.self) { engine, _ in try engine.rulesInForce().suffix(1) },
            Row("check rules.yaml", RulesCheck.self),
            Row("check broken.yaml", RulesCheck.self),
            Row("test rules.yaml", RuleTestReport.self),
            Row("test broken.yaml", RuleTestReport.self),
            Row("test --coverage covered.yaml", RuleTestReport.self),
        ]
    }

    @Test func `documents are the library's results`() throws {
        let laurel = try Laurel(events: Laurel.events, rules: Self.rules)
        try laurel.write(Self.harder, to: "new.yaml")
        try laurel.write("version: 1\nxp: [{id: a, on: line.spokn, award: 1}]\n", to: "broken.yaml")
        try laurel.write(Laurel.rules, to: "covered.yaml")
        try laurel.run("simulate", "--learners", "60", "--days", "8", "--seed", "5", "--out", "class.ndjson")
        try laurel.run("ingest", "class.ndjson")
        for row in Self.rows {
            let answers = try row.library.map { library in
                let store = laurel.folder.appending(path: "laurel.db").path
                return try library(ProgressEngine.open(path: store, for: .reading), laurel)
            }
            let outcome = try laurel.run(row.arguments)
            let documents = outcome.output.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
                Data(($0.hasSuffix(",") ? $0.dropLast() : $0).utf8)
            }
            #expect(!documents.isEmpty, "\(row.name): \(outcome)")
            for document in documents {
                #expect(try Self.text(row.again(document)) == Self.text(document), "\(row.name)")
            }
            guard let answers else { continue }
            #expect(documents.map(Self.text) == answers.map(Self.text), "\(row.name)")
        }
    }

    private static func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    /// Diagnostics contain the files' names as given, so the library gets the same names.
    @Test func `checks and tests are the library's results`() throws {
        let laurel = try Laurel(rules: Self.rules)
        let file = laurel.folder.appending(path: "rules.yaml").path
        let rules = try Rules(path: file)
        let check = try laurel.run("rules", "check", file, "--json")
        #expect(try check.output == Self.text(LaurelJSON.encode(rules.check())) + "\n")
        let test = try laurel.run("rules", "test", file, "--json")
        #expect(try test.output == Self.text(LaurelJSON.encode(RuleTestReport(rules.runTests()))) + "\n")
        #expect(test.output.contains(#""expected":1.234,"got":1.234,"passed":true"#), "\(test)")
        #expect(test.output.contains(#""expected":"A1","got":"A1","passed":true"#), "\(test)")
        #expect(test.output.contains(#""expected":null,"got":null,"passed":true"#), "\(test)")
    }
}
