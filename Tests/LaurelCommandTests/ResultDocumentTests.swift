// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelResults
import Testing

/// The commands' `--json` output is the JSON of the library's results, and can be decoded again.
@Suite struct ResultDocumentTests {
    private struct Row: CustomTestStringConvertible, Sendable {
        var command: String
        var again: @Sendable (Data) throws -> Data

        var testDescription: String { command }

        init<Result: Codable & Sendable>(_ command: String, _ result: Result.Type) {
            self.command = command
            again = { try LaurelJSON.encode(LaurelJSON.decode(Result.self, from: $0)) }
        }
    }

    private static let at = "--at 2026-02-20T12:00:00Z"

    private static let rows = [
        Row("progress learner-0001 \(at)", LearnerProgress.self),
        Row("progress learner-0001 --all \(at)", LearnerTracks.self),
        Row("words learner-0001 \(at)", [Word].self),
        Row("vocabulary learner-0001 \(at)", VocabularySummary.self),
        Row("sessions learner-0001 \(at)", [Session].self),
        Row("study-time learner-0001 \(at)", StudyTime.self),
        Row("achievements learner-0001 \(at)", [Achievement].self),
        Row("learners", [LearnerOverview].self),
        Row("leaderboard --all-time \(at)", [Leaderboard.Row].self),
        Row("quarantine list", [QuarantinedLine].self),
        Row("formats list", [FormatListing].self),
        Row("verify", VerificationReport.self),
        Row("replay --check", ReplayReport.self),
        Row("replay", ReplayReport.self),
        Row("fingerprint", [String: String].self),
        Row("ingest again.ndjson", IngestReport.self),
        Row("backup backup.db", BackupReport.self),
        Row("restore backup.db --store restored.db", RestoreReport.self),
        Row("tables --into tables.db \(at)", TableReport.self),
    ]

    @Test func `documents are the library's results`() throws {
        let laurel = try Laurel()
        try laurel.run("simulate", "--learners", "6", "--days", "40", "--seed", "5", "--out", "class.ndjson")
        try laurel.run("ingest", "class.ndjson", "--rules", "rules.yaml")
        try laurel.write(laurel.read("class.ndjson") + "no event\n{\"idd\":1}\n", to: "again.ndjson")
        try laurel.run("ingest", "again.ndjson")
        for row in Self.rows {
            let outcome = try laurel.run(row.command.split(separator: " ").map(String.init) + ["--json"])
            let again = try row.again(Data(outcome.output.utf8))
            // Lists are printed with an element per line.
            let printed = outcome.output.replacing(/^\[\n|,\n|\n\]\n$|\n$/) { match in
                ["[\n": "[", ",\n": ",", "\n]\n": "]", "\n": ""][String(match.output)] ?? ""
            }
            #expect(String(decoding: again, as: UTF8.self) == printed, "\(row.command)")
            #expect(again.count > 2, "\(row.command)")
        }
    }

    @Test func `a session's document, and that of its board`() throws {
        let laurel = try Laurel(events: Laurel.events)
        let session = try laurel.run("sessions", "anna", "--session", "s1", "--json").output
        let report = try LaurelJSON.decode(SessionReport.self, from: Data(session.utf8))
        #expect(String(decoding: try LaurelJSON.encode(report), as: UTF8.self) + "\n" == session)
        let rows = try laurel.run("leaderboard", "--session", "s1", "--json").output
        let board = try LaurelJSON.decode([SessionLeaderboard.Row].self, from: Data(rows.utf8))
        #expect(board.map(\.xp) == [report.xpEarned] && board[0].xpBreakdown == report.xpBreakdown)
    }

    @Test func `what is no result is refused with its place`() {
        let wrong =
            Data(
                #"{"learner":"ana","displayName":null,"cohort":null,"currentLevel":1,"totalXP":0,"currentStreak":0,"#
                    .utf8
            )
            + Data(#""totalWordsLearned":0,"events":0,"lastEventAt":"yesterday"}"#.utf8)
        #expect { try LaurelJSON.decode(LearnerOverview.self, from: wrong) } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.codingPath.map(\.stringValue) == ["lastEventAt"]
        }
    }
}
