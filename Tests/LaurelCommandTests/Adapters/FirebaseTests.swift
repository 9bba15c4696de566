// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Firebase Analytics, as BigQuery exports it.
@Suite struct FirebaseTests {
    private static let options = "--format firebase --timezone Europe/Madrid"

    private static func event(_ name: String, _ second: Int, _ parameters: [String: Any], user: String? = "ana")
        -> String
    {
        let list: [[String: Any]] = parameters.sorted { $0.key < $1.key }.map { key, value in
            let kind = value is String ? "string_value" : value is Double ? "double_value" : "int_value"
            // BigQuery writes 64-bit integers as text.
            return ["key": key, "value": [kind: value is Int ? "\(value)" : value]]
        }
        var event: [String: Any] = [
            "event_name": name, "event_timestamp": "\(1_770_310_800_000_000 + second * 1_000_000)",
            "user_pseudo_id": "device-1", "event_params": list,
        ]
        event["user_id"] = user
        let data = try! JSONSerialization.data(withJSONObject: event, options: [.sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    private static var card: [String: Any] { ["card_language": "es", "has_tags": 1, "tag_count": 2] }
    private static let log = [
        event("study_session_started", 0, [:]),
        event("card_added", 1, card),
        event("card_flipped", 2, card),
        event("card_played", 3, card),
        event("card_reviewed_correct", 4, card),
        event("card_reviewed_incorrect", 5, card),
        event("card_edited", 6, card),
        event("card_deleted", 7, card),
        event("card_favorited", 8, ["card_language": "es"]),
        event("study_session_ended", 600, ["session_duration": 600.5, "cards_reviewed": 2]),
        event("preset_collection_imported", 700, ["collection_name": "Food", "card_count": 40, "category": "food"]),
        event("screen_view", 701, ["firebase_screen": "Home", "ga_session_id": 77]),
        event("card_reviewed_correct", 800, card.merging(["card_id": "c1", "mode": "practice10"]) { $1 }),
        event("card_reviewed_incorrect", 801, card.merging(["card_id": "c1", "time_taken": 2.5]) { $1 }),
        event("card_added", 802, card, user: nil),
    ]

    private func laurel(with lines: [String]) throws -> Laurel {
        let laurel = try Laurel()
        try laurel.write(lines.joined(separator: "\n") + "\n", to: "events.ndjson")
        return laurel
    }

    @Test func `Flippin's events mean what they say, others are kept under their name`() throws {
        let laurel = try laurel(with: Self.log)
        let report = try laurel.take("\(Self.options) events.ndjson")
        #expect(report.refused == 0 && report.conflicts == 0 && report.stored == Self.log.count)
        #expect(
            try laurel.types() == [
                "session.started": 1, "session.ended": 1, "review.graded": 2, "card_added": 2, "card_flipped": 1,
                "card_played": 1, "card_reviewed_correct": 1, "card_reviewed_incorrect": 1, "card_edited": 1,
                "card_deleted": 1, "card_favorited": 1, "preset_collection_imported": 1, "screen_view": 1,
            ]
        )
        let events = try laurel.events()
        let ended = try #require(events.first { $0["type"] as? String == "session.ended" })
        #expect(ended["data"] as? NSDictionary == ["durationMs": 600_500, "cardsReviewed": 2])
        let reviews = events.filter { $0["type"] as? String == "review.graded" }
        #expect(reviews[0]["data"] as? NSDictionary == ["word": "c1", "grade": "good", "mode": "practice10"])
        #expect(reviews[1]["data"] as? NSDictionary == ["word": "c1", "grade": "again", "durationMs": 2500])
        #expect(reviews[0]["language"] as? String == "es")
        let added = try #require(
            events.first { $0["type"] as? String == "card_added" && $0["subject"] as? String == "ana" }
        )
        #expect(added["data"] as? NSDictionary == ["card_language": "es", "has_tags": 1, "tag_count": 2])
        let progress = try laurel.json("laurel progress ana --at 2026-02-05T23:00:00+01:00 --json")
        #expect(progress["totalMinutesPlayed"] as? Int == 10)
        #expect(try laurel.shell("laurel learners --json").output.contains("device-1"))
    }

    /// A session without Firebase's id. Two timed reviews are within its ten minutes, the third is not.
    private static let timed =
        [event("study_session_started", 0, [:])]
        + [("a", 100), ("b", 300), ("c", 900)].map {
            event("card_reviewed_correct", $1, card.merging(["card_id": $0, "time_taken": 60.0]) { $1 })
        } + [event("study_session_ended", 600, ["session_duration": 600])]

    @Test func `a timed review counts once, within its session, in whichever file the session ends`() throws {
        let laurel = try laurel(with: Self.timed)
        for (name, parts) in [("whole", [Self.timed]), ("later", [Array(Self.timed[..<3]), Self.timed])] {
            for (number, part) in parts.enumerated() {
                try laurel.write(part.joined(separator: "\n"), to: "\(name)-\(number).ndjson")
                _ = try laurel.take("\(Self.options) \(name)-\(number).ndjson", store: "\(name).db")
            }
            let progress = try laurel.json(
                "laurel progress ana --store \(name).db --at 2026-02-05T23:00:00+01:00 --json"
            )
            #expect(progress["totalMinutesPlayed"] as? Int == 11, "\(name)")
            #expect(progress["totalWordsKnown"] as? Int == 3, "\(name)")
        }
    }

    @Test func `twice and in halves it is the same as once`() throws {
        let laurel = try laurel(with: Self.log)
        _ = try laurel.take("\(Self.options) events.ndjson", store: "once.db")
        let again = try laurel.take("\(Self.options) events.ndjson", store: "once.db")
        #expect(again.stored == 0 && again.duplicates == Self.log.count)
        try laurel.write(Self.log[7...].joined(separator: "\n"), to: "second.ndjson")
        try laurel.write("[" + Self.log[..<7].joined(separator: ",") + "]", to: "first.json")
        _ = try laurel.take("\(Self.options) second.ndjson first.json", store: "halves.db")
        #expect(try laurel.fingerprint("halves.db") == laurel.fingerprint("once.db"))
    }

    @Test func `many more than fit in a batch come over once each`() throws {
        let lines = (0..<20_000).map { Self.event("card_flipped", $0, ["card_id": "c\($0 % 50)"]) }
        let report = try laurel(with: lines).take("\(Self.options) events.ndjson")
        #expect(report.stored == 20_000 && report.read == 20_000)
    }

    @Test func `a time or name that cannot be is refused, with the line`() throws {
        let laurel = try laurel(with: [
            Self.log[0], #"{"event_name":"x","event_timestamp":"soon","user_id":"ana"}"#,
            #"{"event_name":"Odd Name","event_timestamp":1770310800000000,"user_id":"ana"}"#,
        ])
        let outcome = try laurel.shell("laurel ingest \(Self.options) --now 2026-03-01T00:00:00Z events.ndjson")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("events.ndjson:2: other events: time is “soon”: "))
        #expect(outcome.errors.contains("events.ndjson:3: other events: type is “odd name”; "))
    }
}
