// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

/// Tags that differ only in case mean one language.
@Suite struct LanguageTagTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let sent: String
        let shown: String
        var testDescription: String { sent }
    }

    private static func event(_ id: String, _ language: String, _ type: String = "line.spoken", _ data: String = "{}")
        -> String
    {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"ana","time":"2026-02-05T18:00:00Z","#
            + #""language":"\#(language)","data":\#(data)}"#
    }

    @Test(arguments: [
        Row(sent: "pt-br", shown: "pt-BR"), Row(sent: "PT-BR", shown: "pt-BR"),
        Row(sent: "zh-hant-tw", shown: "zh-Hant-TW"),
        Row(sent: "SR-LATN", shown: "sr-Latn"), Row(sent: "en-x-us-abcd", shown: "en-x-us-abcd"),
        Row(sent: "DE-u-CO-PHONEBK", shown: "de-u-co-phonebk"), Row(sent: "es-419", shown: "es-419"),
        Row(sent: "SGN-be-FR", shown: "sgn-BE-FR"), Row(sent: "x-KLINGON", shown: "x-klingon"),
        Row(sent: "ES", shown: "es"),
        Row(sent: "ca-valencia", shown: "ca-valencia"), Row(sent: "i-DEFAULT-us", shown: "i-default-us"),
    ])
    func `is shown in canonical case`(row: Row) throws {
        let bench = try Bench(.memory)
        try bench.ingest([Self.event("1", row.sent)])
        #expect(try bench.engine.learner("ana").languages() == [row.shown])
        #expect(try bench.export()[0].contains(#""language":"\#(row.sent)""#))
    }

    private static let rules = """
        version: 1
        metrics: {brazilian: {count: line.spoken, where: event.language == 'pt-BR'}, tongues: {distinct: event.language, on: line.spoken}}
        xp: [{id: line, on: line.spoken, award: 10}]
        """

    @Test(arguments: Backend.allCases) func `makes one track, one word and one duplicate`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules)
        let word = #"{"word":"w","text":"casa","grade":"good"}"#
        let report = try bench.ingest([
            Self.event("1", "pt-BR"), Self.event("2", "pt-br"), Self.event("3", "PT-BR"), Self.event("2", "Pt-Br"),
            Self.event("4", "pt-br", "word.added", word), Self.event("5", "PT-br", "review.graded", word),
            Self.event("5", "pt", "review.graded", word),
        ])
        #expect((report.stored, report.duplicates, report.conflicts) == (5, 1, 1))
        let ana = bench.engine.learner("ana")
        for tag in ["pt-BR", "pt-br", "PT-BR"] {
            let progress = try #require(try ana.progress(language: tag))
            #expect((progress.language, progress.totalXP, progress.totalWordsKnown) == ("pt-BR", 30, 1))
            #expect(try ana.words(language: tag).map(\.text) == ["casa"])
            #expect(try ana.vocabulary(language: tag).known == 1)
            #expect(try ana.explainXP(language: tag)?.totalXP == 30)
            #expect(try ana.explainWord("w", language: tag).first?.steps.count == 2)
            #expect(try bench.engine.leaderboard(.allTime, language: tag)?.rows.map(\.xp) == [30])
        }
        let metrics = try #require(try ana.progress()).metrics
        #expect((metrics["brazilian"], metrics["tongues"]) == (3, 1))
        #expect(try ana.languages() == ["pt-BR"])
        _ = try bench.soundFingerprint()
    }

    @Test func `gives the fingerprint of the canonical tags`() throws {
        let prints = try ["pt-BR", "pt-br"].map { tag in
            let bench = try Bench(.sqliteTiny, rules: Self.rules)
            try bench.ingest([Self.event("1", tag), Self.event("2", tag)])
            return try bench.soundFingerprint()
        }
        #expect(prints[0] == prints[1])
    }
}
