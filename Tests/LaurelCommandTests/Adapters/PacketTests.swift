// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Captured packets of BabLanguageSDK: every type, repeats, reordering, equal clocks.
@Suite struct PacketTests {
    private static let options = "--format bab-packets --timezone Europe/Madrid"
    private static let prefix = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."

    private static func packet(
        _ type: String,
        from sender: String = "peer-a",
        clock: Int,
        _ payload: String,
        at second: Int
    ) -> String {
        let time = "2026-02-05T18:00:\(second < 10 ? "0" : "")\(second)+01:00"
        return #"{"capturedAt":"\#(time)","session":"s1","language":"es","#
            + #""learners":{"peer-a":"learner-9","peer-b":"learner-4"},"packet":{"type":"\#(type)","#
            + #""senderId":"\#(sender)","vectorClock":{"timestamps":{"\#(sender)":\#(clock)}},"#
            + #""payload":{"type":"\#(prefix)\#(type)"\#(payload)}}}"#
    }

    private static let result = """
        ,"lineId":"line-1","result":{"errorCount":1,"accuracy":0.92,"wordErrors":[{"word":"hola","position":0,\
        "expected":"ola","heard":"olla"}],"skipped":false,"duration":2500}
        """
    private static let capture = [
        packet("HANDSHAKE", clock: 1, #","participant":{"id":"peer-a"}"#, at: 0),
        packet("HEARTBEAT", from: "peer-b", clock: 1, "", at: 0),
        // One action, two packets, one clock.
        packet("ROLE_ASSIGNED", clock: 2, #","playerId":"peer-a","roleId":"customer""#, at: 1),
        packet("ROLE_ASSIGNED", clock: 2, #","playerId":"peer-b","roleId":"waiter""#, at: 1),
        packet("PLAYER_READY", from: "peer-b", clock: 2, "", at: 2),
        packet("GAME_STARTED", clock: 3, #","scenarioId":"cafe""#, at: 3),
        packet("GENERATE_REQUEST", clock: 4, "", at: 4),
        packet(
            "DIALOG_LINE_ADDED",
            clock: 5,
            #","line":{"id":"line-1","speakerId":"peer-a","roleName":"Customer","textNative":"Hola","textTranslated":"Hello","timestamp":1770310804000}"#,
            at: 5
        ),
        packet("LINE_COMPLETED", clock: 6, result, at: 9),
        packet("LINE_COMPLETED", clock: 6, result, at: 8),
        packet("LINE_COMPLETED", clock: 6, result, at: 11),
        packet(
            "LINE_COMPLETED",
            from: "peer-b",
            clock: 6,
            #","lineId":"line-2","result":{"errorCount":0,"accuracy":0,"wordErrors":[],"skipped":true,"duration":0}"#,
            at: 12
        ),
        packet("LINE_SKIPPED", from: "peer-b", clock: 7, #","lineId":"line-3""#, at: 13),
        packet("LINE_SKIPPED", from: "peer-b", clock: 7, #","lineId":"line-3""#, at: 14),
        packet("VOTE_REQUEST", clock: 8, "", at: 15),
        packet("VOTE_CAST", from: "peer-b", clock: 8, #","option":"a""#, at: 16),
        packet("FULL_STATE_SNAPSHOT", clock: 9, "", at: 17),
        packet("NAVIGATION_SYNC", clock: 10, "", at: 18),
        packet("TURN_ADVANCED", clock: 11, "", at: 19),
        packet("LEADERBOARD_UPDATE", clock: 12, "", at: 20),
        packet("PLOT_TWIST", from: "peer-b", clock: 13, #","twist":"a thief""#, at: 21),
    ]

    private func laurel(with lines: [String]) throws -> Laurel {
        let laurel = try Laurel()
        try laurel.write(lines.joined(separator: "\n") + "\n", to: "capture.ndjson")
        return laurel
    }

    @Test func `every type of packet is read or told of, repeats are one`() throws {
        let laurel = try laurel(with: Self.capture)
        let report = try laurel.take("\(Self.options) capture.ndjson")
        #expect(report.refused == 0 && report.conflicts == 0)
        #expect(
            report.storedByKind == [
                "games started": 2, "roles assigned": 2, "lines of the dialog": 2, "lines spoken": 1,
                "pronunciation errors": 1, "lines skipped": 2, "other packets": 5,
            ]
        )
        #expect(report.duplicates == 2 * 2 + 1)
        #expect(
            report.leftOutByKind == [
                "HEARTBEAT": 1, "HANDSHAKE": 1, "FULL_STATE_SNAPSHOT": 1,
                "NAVIGATION_SYNC": 1, "TURN_ADVANCED": 1, "LEADERBOARD_UPDATE": 1,
            ]
        )
        #expect(
            try laurel.types() == [
                "session.started": 2, "line.added": 2, "line.spoken": 3, "error.detected": 3, "line.skipped": 3,
                "role.assigned": 2, "packet.player_ready": 1, "packet.generate_request": 1,
                "packet.vote_request": 1, "packet.vote_cast": 1, "packet.plot_twist": 1, "event.retracted": 5,
            ]
        )
        let progress = try laurel.json("laurel progress learner-9 --language es --at 2026-02-05T19:00:00+01:00 --json")
        #expect((progress["metrics"] as? [String: Int])?["lines"] == 1)
    }

    @Test func `a line has its text, its numbers, its learner and the time of its first capture`() throws {
        let laurel = try laurel(with: Self.capture)
        _ = try laurel.take("\(Self.options) capture.ndjson")
        let events = try laurel.events()
        let voids = Set(events.filter { $0["type"] as? String == "event.retracted" }.compactMap { $0.text("id") })
        let lines = events.filter {
            $0["type"] as? String == "line.spoken" && !voids.contains($0["id"] as? String ?? "")
        }
        let line = try #require(lines.first)
        #expect(lines.count == 1 && line["subject"] as? String == "learner-9")
        #expect(line["time"] as? String == "2026-02-05T18:00:08+01:00")
        #expect(line["session"] as? String == "s1" && line["language"] as? String == "es")
        #expect(
            line["data"] as? NSDictionary == ["line": "line-1", "accuracy": 0.92, "errors": 1, "durationMs": 2500]
        )
        let session = try laurel.shell("laurel sessions learner-9 --session s1 --json --at 2026-02-05T19:00:00+01:00")
        for text in [#""text":"Hola""#, #""translation":"Hello""#, #""role":"Customer""#] {
            #expect(session.output.contains(text), "\(session)")
        }
        let error = try #require(events.first { $0["type"] as? String == "error.detected" })
        #expect(error.text("original") == "olla" && error.text("corrected") == "ola")
        let starts = events.filter { $0["type"] as? String == "session.started" }
        #expect(
            Set(starts.map { "\($0["subject"]!) \($0.text("mode")!) \($0.text("partner")!)" })
                == ["learner-9 host learner-4", "learner-4 client learner-9"]
        )
        let roles = events.filter { $0["type"] as? String == "role.assigned" }
        #expect(
            Set(roles.map { "\($0["subject"]!) \($0.text("role")!)" }) == ["learner-9 customer", "learner-4 waiter"]
        )
    }

    /// Step widths that visit all 21 packets once.
    @Test(arguments: [2, 5, 8, 10, 20])
    func `shuffled, twice and in halves it is the same as once`(step: Int) throws {
        let laurel = try laurel(with: Self.capture)
        _ = try laurel.take("\(Self.options) capture.ndjson", store: "once.db")
        let shuffled = Self.capture.indices.map { Self.capture[$0 * step % Self.capture.count] }
        try laurel.write(shuffled.joined(separator: "\n"), to: "shuffled.ndjson")
        _ = try laurel.take("\(Self.options) shuffled.ndjson", store: "shuffled.db")
        #expect(try laurel.fingerprint("shuffled.db") == laurel.fingerprint("once.db"))
        let middle = step
        try laurel.write(Self.capture[..<middle].joined(separator: "\n"), to: "first.ndjson")
        try laurel.write(Self.capture[middle...].joined(separator: "\n"), to: "second.ndjson")
        _ = try laurel.take("\(Self.options) first.ndjson", store: "halves.db")
        _ = try laurel.take("\(Self.options) second.ndjson", store: "halves.db")
        let again = try laurel.take("\(Self.options) capture.ndjson", store: "halves.db")
        #expect(again.stored == 0 && again.conflicts == 0)
        #expect(try laurel.fingerprint("halves.db") == laurel.fingerprint("once.db"))
    }

    /// The other phone received each packet a little later, some not at all, and one earlier.
    @Test func `in which order two phones' captures are fed does not show`() throws {
        let laurel = try laurel(with: Self.capture)
        let other = Self.capture.enumerated().filter { $0.offset % 4 != 2 }.map { index, line in
            line.replacing(
                "+01:00\",\"session\"",
                with: index == 8 ? "-00:00\",\"session\"" : ".350+01:00\",\"session\""
            )
            .replacing(index == 8 ? "T18:00:09-00:00" : "none", with: "T17:00:07.5Z")
        }
        try laurel.write(other.joined(separator: "\n"), to: "other.ndjson")
        for (store, files) in [("ab.db", ["capture", "other"]), ("ba.db", ["other", "capture"])] {
            for file in files { _ = try laurel.take("\(Self.options) \(file).ndjson", store: store) }
        }
        _ = try laurel.take("\(Self.options) other.ndjson capture.ndjson", store: "both.db")
        #expect(try laurel.fingerprint("ab.db") == laurel.fingerprint("ba.db"))
        #expect(try laurel.fingerprint("ab.db") == laurel.fingerprint("both.db"))
        #expect(try laurel.events("ab.db").count == laurel.events("ba.db").count)
        let line = try laurel.shell("laurel sessions learner-9 --store ba.db --session s1 --json").output
        #expect(line.contains(#""time":"2026-02-05T17:00:07.500Z""#), "\(line)")
    }

    @Test func `what cannot be read goes to quarantine with the reason, and stops nothing`() throws {
        let bad = [
            "{broken", #"{"capturedAt":"2026-02-05T18:00:00Z"}"#,
            #"{"capturedAt":"yesterday","learners":{"p":"ana"},"packet":{"type":"LINE_SKIPPED","senderId":"p"}}"#,
            #"{"capturedAt":"2026-02-05T18:00:00Z","learners":[],"packet":{"type":"LINE_SKIPPED","senderId":"p"}}"#,
            #"{"capturedAt":"2026-02-05T18:00:00Z","packet":{"type":"LINE_SKIPPED"}}"#,
            #"{"capturedAt":"2026-02-05T18:00:00Z","learners":{"p":"ana"},"packet":{"type":"LINE_COMPLETED","senderId":"p","payload":{"result":{"accuracy":92}}}}"#,
        ]
        let laurel = try laurel(with: bad + Self.capture)
        let outcome = try laurel.shell("laurel ingest \(Self.options) --now 2026-03-01T00:00:00Z capture.ndjson")
        #expect(outcome.status == 1)
        let reasons = [
            "capture.ndjson:1: not valid JSON: a key in double quotes is missing at column 2",
            "capture.ndjson:5: lines skipped: packet.senderId is missing",
            "capture.ndjson:4: lines skipped: learners does not say who p is; give --subject",
            "capture.ndjson:3: lines skipped: time is “yesterday”: not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00",
            "capture.ndjson:6: lines spoken: data.accuracy is 92; it must be a number from 0 to 1",
            "capture.ndjson:2: other packets: packet.senderId is missing",
        ]
        for reason in reasons { #expect(outcome.errors.contains(reason + "\n"), "\(reason)\n\(outcome)") }
        #expect(outcome.output.contains("stored 15, duplicates 5, conflicts 0, refused 6"))
        let kept = try laurel.shell("laurel quarantine export").output.split(separator: "\n").map(String.init)
        #expect(Set(kept) == Set(bad))
    }
}
