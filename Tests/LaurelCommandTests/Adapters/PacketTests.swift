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
                "games started": 2, "lines spoken": 1, "pronunciation errors": 1, "lines skipped": 2,
                "other packets": 7,
            ]
        )
        #expect(report.duplicates == 2 * 2 + 1)
        #expect(
            report.leftOutByKind == [
                "HEARTBEAT": 1, "HANDSHAKE": 1, "DIALOG_LINE_ADDED": 1, "FULL_STATE_SNAPSHOT": 1,
                "NAVIGATION_SYNC": 1, "TURN_ADVANCED": 1, "LEADERBOARD_UPDATE": 1,
            ]
        )
        #expect(
            try laurel.types() == [
                "session.started": 2, "line.spoken": 1, "error.detected": 1, "line.skipped": 2,
                "packet.role_assigned": 2, "packet.player_ready": 1, "packet.generate_request": 1,
                "packet.vote_request": 1, "packet.vote_cast": 1, "packet.plot_twist": 1,
            ]
        )
    }

    @Test func `a line has its text, its numbers, its learner and the time of its first capture`() throws {
        let laurel = try laurel(with: Self.capture)
        _ = try laurel.take("\(Self.options) capture.ndjson")
        let events = try laurel.events()
        let line = try #require(events.first { $0["type"] as? String == "line.spoken" })
        #expect(line["subject"] as? String == "learner-9" && line["time"] as? String == "2026-02-05T18:00:08+01:00")
        #expect(line["session"] as? String == "s1" && line["language"] as? String == "es")
        #expect(
            line["data"] as? NSDictionary == [
                "line": "line-1", "text": "Hola", "translation": "Hello", "role": "Customer", "accuracy": 0.92,
                "errors": 1, "durationMs": 2500,
            ]
        )
        let error = try #require(events.first { $0["type"] as? String == "error.detected" })
        #expect(error.text("original") == "olla" && error.text("corrected") == "ola")
        let starts = events.filter { $0["type"] as? String == "session.started" }
        #expect(
            Set(starts.map { "\($0["subject"]!) \($0.text("mode")!) \($0.text("role")!) \($0.text("partner")!)" })
                == ["learner-9 host customer learner-4", "learner-4 client waiter learner-9"]
        )
    }

    /// Steps that visit every packet once, for there are 21.
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
        #expect(outcome.output.contains("stored 13, duplicates 5, conflicts 0, refused 6"))
        let kept = try laurel.shell("laurel quarantine export").output.split(separator: "\n").map(String.init)
        #expect(Set(kept) == Set(bad))
    }
}
