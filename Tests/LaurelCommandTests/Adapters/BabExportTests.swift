// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// BabLanguageSDK's repositories as JSON.
@Suite struct BabExportTests {
    /// The options with the app's own rules.
    private static let options =
        "--format bab-export --timezone Europe/Madrid --rules \(Laurel.fixtures)/../../Rules/bab-language.yaml"

    /// 2026-02-05T17:00:00Z, and the length of a day.
    private static let (start, day) = (1_770_310_800_000, 86_400_000)

    private static var profile: [String: Any] {
        [
            "id": "learner-9", "displayName": "Ana", "nativeLanguage": "en-US", "currentTargetLanguage": "es",
            "targetLanguages": [["code": "es", "proficiencyLevel": "A2", "startedAt": start]],
            "interests": ["TRAVEL"], "learningGoals": ["CONVERSATION"], "dailyGoalMinutes": 30, "voiceSpeed": "NORMAL",
            "showTranslations": "ALWAYS", "onboardingCompleted": true, "createdAt": start - day,
            "lastActiveAt": start + 3 * day,
        ]
    }

    private static func word(_ number: Int, reviewed: Bool) -> [String: Any] {
        var entry: [String: Any] = [
            "id": "w\(number)", "word": "palabra \(number)", "translation": "word \(number)", "language": "es",
            "partOfSpeech": "NOUN", "masteryLevel": number % 6, "easeFactor": 2.5, "intervalDays": number,
            "nextReviewAt": start + number * day, "totalReviews": reviewed ? 4 : 0, "correctReviews": reviewed ? 3 : 0,
            "firstSeenAt": start + 60_000, "firstSeenInDialogId": "game-1",
        ]
        if reviewed { entry["lastReviewedAt"] = start + day }
        return entry
    }

    private static var sessions: [[String: Any]] {
        [
            [
                "id": "game-1", "scenarioName": "The café", "playedAt": start, "durationMinutes": 10,
                "dialogLines": [
                    [
                        "id": "l1", "speakerId": "learner-9", "roleName": "Guest", "textNative": "Hola",
                        "textTranslated": "Hello", "timestamp": start + 30_000,
                    ],
                    [
                        "id": "l2", "speakerId": "robot-1", "roleName": "Waiter", "textNative": "¿Qué desea?",
                        "textTranslated": "What would you like?", "timestamp": start + 40_000,
                    ],
                ],
                "stats": [
                    "sessionId": "game-1", "startedAt": start, "endedAt": start + 612_000, "mode": "HOST",
                    "scenarioId": "cafe", "linesSpoken": 1, "wordsEncountered": 12, "newVocabulary": 2,
                    "errorsDetected": 3, "errorsCorrected": 1, "xpEarned": 120,
                    "xpBreakdown": ["dialogCompletion": 50],
                ],
            ],
            [
                "id": "game-2", "scenarioName": "The market", "playedAt": start + day, "durationMinutes": 5,
                "dialogLines": [],
            ],
        ]
    }

    private static func progress(_ totalXP: Int) -> [String: Any] {
        [
            "userId": "learner-9", "language": "es", "currentStreak": 4, "longestStreak": 11,
            "lastActivityDate": "2026-02-08", "todayMinutes": 12, "totalXP": totalXP, "weeklyXP": 300,
            "currentLevel": 5, "totalWordsLearned": 20, "totalSessions": 9, "totalMinutesPlayed": 99,
            "successfulRepairs": 2, "helpGiven": 3, "teamWins": 1, "estimatedCEFR": "A2",
        ]
    }

    private static func document(words: Range<Int>, sessions: Range<Int>, xp: Int?) -> String {
        let document: [String: Any] = [
            "profile": profile, "vocabulary": words.map { word($0, reviewed: $0 % 2 == 0) },
            "savedSessions": Array(Self.sessions[sessions]), "progress": xp.map { [progress($0)] } ?? [],
            "achievements": [
                ["id": "chatterbox", "name": "Chatterbox", "category": "SOCIAL", "unlockedAt": start, "progress": 1.0]
            ],
        ]
        return String(decoding: try! JSONSerialization.data(withJSONObject: document), as: UTF8.self)
    }

    private func laurel() throws -> Laurel {
        let laurel = try Laurel()
        try laurel.write(Self.document(words: 1..<11, sessions: 0..<2, xp: 1500), to: "export.json")
        return laurel
    }

    @Test func `the repositories come over, and the summary says what could not`() throws {
        let laurel = try laurel()
        let report = try laurel.take("\(Self.options) export.json")
        #expect(report.refused == 0 && report.conflicts == 0)
        #expect(
            report.storedByKind == [
                "profiles": 1, "declared levels": 1, "words": 10, "schedules": 10, "session starts": 2,
                "lines spoken": 1, "lines of others": 1, "errors": 3, "corrected errors": 1, "sessions": 2,
                "streak days": 4, "help given": 3, "repairs": 2, "wins": 1, "XP totals": 1,
            ]
        )
        #expect(
            report.leftOutByKind == [
                "days of a longest streak": 7, "minutes without a session": 84, "sessions without a record": 7,
                "unlocked achievements": 1,
            ]
        )
    }

    @Test func `nobody starts from zero`() throws {
        let laurel = try laurel()
        _ = try laurel.take("\(Self.options) export.json")
        let progress = try laurel.json("laurel progress learner-9 --language es --at 2026-02-08T23:00:00+01:00 --json")
        #expect(progress["totalXP"] as? Int == 1500)
        #expect(progress["currentStreak"] as? Int == 4 && progress["dailyGoalMinutes"] as? Int == 30)
        #expect(progress["totalWordsKnown"] as? Int == 10 && progress["displayName"] as? String == "Ana")
        #expect(progress["helpGiven"] as? Int == 3 && progress["teamWins"] as? Int == 1)
        #expect(progress["totalSessions"] as? Int == 2 && progress["totalMinutesPlayed"] as? Int == 15)
        let breakdown = try #require(progress["xpBreakdown"] as? [String: Int])
        #expect(breakdown["dialogCompletion"] == 100 && breakdown["vocabularyBonus"] == 100)
        // One line has three errors, which only the statistics contain.
        #expect(breakdown["accuracyBonus"] == nil)
        #expect(breakdown["adjustment"] == 1500 - breakdown.filter { $0.key != "adjustment" }.values.reduce(0, +))
        let words = try laurel.shell("laurel words learner-9 --json --at 2026-02-08T23:00:00+01:00 | grep '\"w4\"'")
            .output
        #expect(words.contains(#""nextReviewAt":"2026-02-09T17:00:00.000Z""#) && words.contains(#""reviews":4"#))
        let lines = try laurel.shell("laurel sessions learner-9 --session game-1 --json --at 2026-02-08T23:00:00+01:00")
            .output
        #expect(lines.contains("Hola") && !lines.contains("desea") && lines.contains(#""errorsDetected":3"#))
    }

    @Test func `twice it is the same, a newer export adds what was earned since`() throws {
        let laurel = try laurel()
        _ = try laurel.take("\(Self.options) export.json")
        let before = try laurel.fingerprint()
        let again = try laurel.take("\(Self.options) export.json")
        #expect(again.stored == 0 && again.conflicts == 0)
        #expect(try laurel.fingerprint() == before)
        try laurel.write(Self.document(words: 1..<12, sessions: 0..<2, xp: 1800), to: "newer.json")
        let newer = try laurel.take("\(Self.options) newer.json")
        #expect(newer.conflicts == 0 && newer.storedByKind == ["words": 1, "schedules": 1, "XP totals": 1])
        let progress = try laurel.json("laurel progress learner-9 --at 2026-02-08T23:00:00+01:00 --json")
        #expect(progress["totalXP"] as? Int == 1800)
    }

    @Test func `an older export after a newer one, or a capture from before it, ends at the same XP`() throws {
        let laurel = try laurel()
        try laurel.write(Self.document(words: 1..<11, sessions: 0..<1, xp: 1000), to: "older.json")
        let stores = [("on.db", ["older", "export"]), ("no.db", ["export", "older"])]
        for (store, files) in stores {
            for file in files { _ = try laurel.take("\(Self.options) \(file).json", store: store) }
            let at = "--store \(store) --at 2026-02-08T23:00:00+01:00"
            #expect(try laurel.json("laurel progress learner-9 \(at) --json")["totalXP"] as? Int == 1500, "\(store)")
        }
        #expect(try laurel.fingerprint("on.db") == laurel.fingerprint("no.db"))
    }

    @Test func `what was once adjusted for a total is taken back when the export is fed again`() throws {
        let laurel = try laurel()
        let old = [("xp-es-1500-9000", "es"), ("xp-es-1200-70", "es"), ("xp-pt-1500-5", "pt")].map { id, language in
            #"{"id":"\#(id)","source":"bab-export","type":"xp.adjusted","subject":"learner-9","language":"\#(language)","#
                + #""time":"2026-02-08T17:00:00Z","data":{"amount":9000,"reason":"totals that the events do not explain"}}"#
        }
        try laurel.write(old.joined(separator: "\n"), to: "old.ndjson")
        _ = try laurel.take("--rules \(Laurel.fixtures)/../../Rules/bab-language.yaml old.ndjson")
        for _ in 1...2 { _ = try laurel.take("\(Self.options) export.json") }
        let at = "--at 2026-02-08T23:00:00+01:00 --json"
        #expect(try laurel.json("laurel progress learner-9 --language es \(at)")["totalXP"] as? Int == 1500)
        #expect(try laurel.json("laurel progress learner-9 --language pt \(at)")["totalXP"] as? Int == 9000)
    }

    @Test func `in halves it is the same as once`() throws {
        let laurel = try laurel()
        _ = try laurel.take("\(Self.options) export.json", store: "once.db")
        try laurel.write(Self.document(words: 1..<5, sessions: 0..<1, xp: nil), to: "first.json")
        try laurel.write(Self.document(words: 5..<11, sessions: 0..<2, xp: 1500), to: "second.json")
        _ = try laurel.take("\(Self.options) first.json", store: "halves.db")
        _ = try laurel.take("\(Self.options) second.json", store: "halves.db")
        #expect(try laurel.fingerprint("halves.db") == laurel.fingerprint("once.db"))
        // Pretty-printed, compact, and one document per line.
        _ = try laurel.shell(
            "python3 -m json.tool export.json > pretty.json && gzip pretty.json && cat first.json > lines.ndjson"
                + " && echo >> lines.ndjson && cat second.json >> lines.ndjson"
        )
        _ = try laurel.take("\(Self.options) pretty.json.gz", store: "pretty.db")
        _ = try laurel.take("\(Self.options) lines.ndjson", store: "lines.db")
        #expect(try laurel.fingerprint("pretty.db") == laurel.fingerprint("once.db"))
        #expect(try laurel.fingerprint("lines.db") == laurel.fingerprint("once.db"))
    }

    @Test func `a value that cannot be is refused with the entry, the others stay`() throws {
        let laurel = try Laurel()
        var words = (1..<4).map { Self.word($0, reviewed: false) }
        words[1]["masteryLevel"] = 9
        let data = try JSONSerialization.data(withJSONObject: ["profile": Self.profile, "words": words])
        try laurel.write(String(decoding: data, as: UTF8.self), to: "export.json")
        let outcome = try laurel.shell("laurel ingest \(Self.options) --now 2026-03-01T00:00:00Z export.json")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains(
                "schedules, row 2: data.masteryLevel is 9; it must be a whole number from 0 to 5\n"
            )
        )
        #expect(outcome.output.contains("stored 7, duplicates 0, conflicts 0, refused 1"))
        // Quarantine keeps the event that it would have been, so that it can be corrected and sent again.
        let repaired = try laurel.shell(
            "laurel quarantine export | sed 's/\"masteryLevel\":9/\"masteryLevel\":5/' | laurel ingest --json --now 2026-03-01T00:00:00Z"
        )
        #expect(repaired.output.contains(#""stored":1"#))
    }
}
