// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The speakers of an export's lines, and the errors in the lines.
@Suite struct BabLinesTests {
    private static let start = 1_770_310_800_000
    private static let at = "--at 2026-02-08T23:00:00+01:00 --json"

    /// A line: its speaker, the player that it is assigned to, and the number of errors heard in it (nil if it was not
    /// heard).
    struct Line: Sendable {
        var speaker: String
        var assigned = ""
        var errors: Int?
        var role = "Guest"

        func json(_ number: Int) -> [String: Any] {
            var line: [String: Any] = [
                "id": "l\(number)", "speakerId": speaker, "roleName": role, "textNative": "frase \(number)",
                "textTranslated": "sentence", "timestamp": BabLinesTests.start + number * 10_000,
            ]
            if !assigned.isEmpty { line["assignedToPlayerId"] = assigned }
            if let errors {
                line["pronunciationResult"] = [
                    "errorCount": errors, "accuracy": errors == 0 ? 1 : 0.8, "skipped": false, "duration": 2000,
                    "wordErrors": (0..<errors).map {
                        ["word": "w\($0)", "position": $0, "heard": "x"] as [String: Any]
                    },
                ]
            }
            return line
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var lines: [Line]
        var spoken: Int? = nil
        var detected: Int? = nil
        var mode = "SOLO"
        /// The lines of the learner.
        var expected: [String]
    }

    private static let (robot, ana, leo) = ("ai-robot", "peer-1", "peer-2")
    static let rows = [
        Row(
            testDescription: "the SDK's way: the machine speaks all, and some were heard",
            lines: [Line(speaker: robot, errors: 1), Line(speaker: robot), Line(speaker: robot, errors: 0)],
            spoken: 2,
            expected: ["l0", "l2"]
        ),
        Row(
            testDescription: "the SDK's way before it heard: one role has as many lines as were spoken",
            lines: [
                Line(speaker: robot, role: "Waiter"), Line(speaker: robot), Line(speaker: robot, role: "Waiter"),
            ],
            spoken: 1,
            expected: ["l1"]
        ),
        Row(
            testDescription: "nothing tells whose",
            lines: [Line(speaker: robot, role: "Waiter"), Line(speaker: robot)],
            expected: []
        ),
        Row(
            testDescription: "assigned to a player, and the rest to nobody",
            lines: [Line(speaker: robot, assigned: ana), Line(speaker: robot), Line(speaker: robot, assigned: ana)],
            expected: ["l0", "l2"]
        ),
        Row(
            testDescription: "two peers: the one with as many lines as the statistics say",
            lines: [
                Line(speaker: robot, assigned: ana), Line(speaker: robot, assigned: leo),
                Line(speaker: robot, assigned: leo),
            ],
            spoken: 2,
            mode: "HOST",
            expected: ["l1", "l2"]
        ),
        Row(
            testDescription: "two peers with as many lines: the one with as many errors",
            lines: [Line(speaker: robot, assigned: ana, errors: 2), Line(speaker: robot, assigned: leo, errors: 1)],
            spoken: 1,
            detected: 1,
            mode: "HOST",
            expected: ["l1"]
        ),
        Row(
            testDescription: "two peers who are alike: the host begins",
            lines: [Line(speaker: ana, errors: 0), Line(speaker: leo, errors: 0)],
            spoken: 1,
            mode: "HOST",
            expected: ["l0"]
        ),
        Row(
            testDescription: "two peers who are alike: who joined comes second",
            lines: [Line(speaker: ana, errors: 0), Line(speaker: leo, errors: 0)],
            spoken: 1,
            mode: "CLIENT",
            expected: ["l1"]
        ),
        Row(
            testDescription: "a name of the learner's goes before all",
            lines: [Line(speaker: ana, errors: 0), Line(speaker: "learner-9"), Line(speaker: robot, assigned: "me")],
            spoken: 1,
            expected: ["l1", "l2"]
        ),
        Row(
            testDescription: "who is no machine",
            lines: [Line(speaker: "Carlos"), Line(speaker: "npc-7"), Line(speaker: "Carlos")],
            expected: ["l0", "l2"]
        ),
    ]

    private static func document(_ lines: [[String: Any]], spoken: Int?, detected: Int?, mode: String) throws -> String
    {
        var stats: [String: Any] = [
            "sessionId": "g", "startedAt": start, "endedAt": start + 600_000, "mode": mode, "wordsEncountered": 12,
        ]
        if let spoken { stats["linesSpoken"] = spoken }
        if let detected { stats["errorsDetected"] = detected }
        let document: [String: Any] = [
            "profile": [
                "id": "learner-9", "displayName": "Ana", "nativeLanguage": "en", "currentTargetLanguage": "es",
                "createdAt": start - 1000, "lastActiveAt": start + 700_000,
            ],
            "sessions": [
                [
                    "id": "g", "scenarioName": "Café", "playedAt": start, "durationMinutes": 10, "dialogLines": lines,
                    "stats": stats,
                ]
            ],
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
    }

    private func laurel(_ lines: [[String: Any]], spoken: Int?, detected: Int?, mode: String = "SOLO") throws -> Laurel
    {
        let laurel = try Laurel()
        try laurel.write(
            Self.document(lines, spoken: spoken, detected: detected, mode: mode),
            to: "export.json"
        )
        let rules = URL(filePath: Laurel.fixtures).appending(path: "../../Rules/bab-language.yaml").path
        let report = try laurel.take("--rules \(rules) --format bab-export --timezone Europe/Madrid export.json")
        #expect(report.refused == 0 && report.conflicts == 0)
        return laurel
    }

    @Test(arguments: rows) func `one player's lines are the learner's`(row: Row) throws {
        let lines = row.lines.enumerated().map { $1.json($0) }
        let laurel = try laurel(lines, spoken: row.spoken, detected: row.detected, mode: row.mode)
        let spoken = try laurel.events().filter { $0["type"] as? String == "line.spoken" }
        #expect(spoken.compactMap { $0.text("line") }.sorted() == row.expected)
        let heard = try laurel.types()["line.heard"] ?? 0
        #expect(heard == row.lines.count - row.expected.count)
    }

    struct Errors: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The first of two lines, as JSON.
        var result: String
        var errors: String
        var detected: Int?
        var expected: Int
    }

    private static let heard =
        #"{"errorCount":2,"accuracy":0.8,"skipped":false,"duration":2000,"wordErrors":[{"word":"ola","position":0,"heard":"olla"}]}"#
    static let errors = [
        Errors(testDescription: "none", result: "null", errors: "null", expected: 0),
        Errors(testDescription: "misread words, named and counted", result: heard, errors: "null", expected: 2),
        Errors(testDescription: "a number", result: "null", errors: "3", expected: 3),
        Errors(
            testDescription: "a list beside the misread words",
            result: heard,
            errors: #"[{"original":"yo es","corrected":"yo soy","errorType":"CONJUGATION"}]"#,
            expected: 3
        ),
        Errors(
            testDescription: "a list that repeats a misread word",
            result: heard,
            errors: #"[{"original":"olla","corrected":"ola"}]"#,
            expected: 2
        ),
        Errors(testDescription: "only the statistics", result: "null", errors: "null", detected: 1, expected: 1),
        Errors(
            testDescription: "statistics that say the same",
            result: heard,
            errors: "null",
            detected: 2,
            expected: 2
        ),
        Errors(
            testDescription: "statistics that know of more",
            result: heard,
            errors: "null",
            detected: 3,
            expected: 3
        ),
    ]

    @Test(arguments: errors) func `errors count, wherever they stand`(row: Errors) throws {
        func value(_ json: String) throws -> Any {
            try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        }
        var lines = (0..<4).map { Line(speaker: "user").json($0) }
        lines[0]["pronunciationResult"] = try value(row.result)
        lines[0]["errors"] = try value(row.errors)
        let laurel = try laurel(lines, spoken: 4, detected: row.detected)
        let session = try laurel.json("laurel sessions learner-9 --session g \(Self.at)")
        #expect(session["errorsDetected"] as? Int == row.expected && session["wordsEncountered"] as? Int == 12)
        let progress = try laurel.json("laurel progress learner-9 \(Self.at)")
        let breakdown = try #require(progress["xpBreakdown"] as? [String: Int])
        #expect(breakdown["accuracyBonus"] ?? 0 == 30 * max(0, 4 - row.expected) / 4)
        let achievements = try #require(progress["achievements"] as? [[String: Any]])
        let flawless = achievements.first { $0["id"] as? String == "flawless_scene" }
        #expect(flawless?["tier"] as? Int == (row.expected == 0 ? 1 : 0))
    }

    /// By the packets, a line contains what was heard; by the export, its text.
    @Test func `a line of which packets and an export tell is one`() throws {
        let packet =
            #"{"capturedAt":"2026-02-05T18:00:04+01:00","session":"g","language":"es","learners":{"p":"learner-9"},"packet":{"type":"LINE_COMPLETED","senderId":"p","vectorClock":{"timestamps":{"p":1}},"payload":{"lineId":"l0","result":{"errorCount":1,"accuracy":0.5,"wordErrors":[{"word":"a","position":0}],"skipped":false,"duration":900}}}}"#
        for heard in [false, true] {
            var prints: Set<String> = []
            for order in [["packets", "export"], ["export", "packets"]] {
                let laurel = try Laurel()
                let line = Line(speaker: "user", errors: heard ? 1 : nil).json(0)
                try laurel.write(Self.document([line], spoken: 1, detected: 1, mode: "SOLO"), to: "export")
                try laurel.write(packet, to: "packets")
                for name in order { _ = try laurel.take("--format bab-\(name) --timezone Europe/Madrid \(name)") }
                prints.insert(try laurel.fingerprint())
                let session = try laurel.json("laurel sessions learner-9 --session g \(Self.at)")
                #expect(session["linesSpoken"] as? Int == 1 && session["errorsDetected"] as? Int == 1)
                let shown = try #require((session["lines"] as? [[String: Any]])?.first)
                #expect(shown["accuracy"] as? Double == (heard ? 0.8 : 0.5))
            }
            #expect(prints.count == 1)
        }
    }
}
