// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// Calls that connect an anonymous id with a user.
@Suite struct AnalyticsMergeTests {
    private static let time = #""timestamp":"2026-04-05T18:00:00.000Z""#

    private static func spoken(_ ids: String, _ id: String) -> String {
        #"{"type":"track","event":"line.spoken",\#(ids),"messageId":"\#(id)",\#(time)}"#
    }
    private static func identify(_ user: String, _ device: String, _ id: String) -> String {
        #"{"type":"identify","userId":"\#(user)","anonymousId":"\#(device)","messageId":"\#(id)",\#(time)}"#
    }
    private static func batch(_ calls: [String]) -> String { #"{"batch":[\#(calls.joined(separator: ","))]}"# }

    /// Sends calls with a public key.
    /// - Returns: the learners of the merges, as `merged>into`.
    private func merges(_ test: TestService, _ path: String, _ calls: String...) throws -> [String] {
        let answer = try test.send("POST", path, Self.batch(calls), headers: test.key([.analytics]))
        #expect(answer.status == 200, "\(answer.text)")
        return try test.service.engine.merges().map { "\($0.merged)>\($0.into)" }
    }

    static let connections: [(name: String, path: String, call: String)] = [
        ("identify", "/v1/batch", identify("ana", "a1", "i1")),
        (
            "alias", "/v1/batch", #"{"type":"alias","userId":"ana","previousId":"a1","messageId":"i1",\#(time)}"#
        ),
        (
            "PostHog's identify", "/batch/",
            #"{"event":"$identify","distinct_id":"ana","uuid":"i1",\#(time),"properties":{"$anon_distinct_id":"a1"}}"#
        ),
        (
            "PostHog's alias", "/batch/",
            #"{"event":"$create_alias","distinct_id":"a1","uuid":"i1",\#(time),"#
                + #""properties":{"distinct_id":"a1","alias":"ana"}}"#
        ),
    ]

    @Test(arguments: connections.indices) func anAnonymousLearnerIsMergedIntoTheUser(index: Int) throws {
        let (name, path, call) = Self.connections[index]
        for isFirst in [false, true] {
            let test = try TestService()
            let before = Self.spoken(#""anonymousId":"a1""#, "m1")
            if !isFirst { #expect(try merges(test, "/v1/batch", before).isEmpty) }
            #expect(try merges(test, path, call) == ["anonymous:a1>ana"], "\(name)")
            #expect(try merges(test, path, call) == ["anonymous:a1>ana"], "\(name), again")
            #expect(try test.service.engine.currentID(of: "anonymous:a1") == "ana")
            #expect(try test.service.engine.quarantineCounts().isEmpty, "\(name)")
            if !isFirst { #expect(try test.service.engine.learner("ana").isKnown(), "\(name)") }
        }
    }

    @Test func onlyAnAnonymousIDIsMerged() throws {
        let test = try TestService()
        try test.post(event("1", learner: "ben"))
        // Another user on the same device, before the first user has any events.
        let merged = ["anonymous:a1>ana"]
        #expect(try merges(test, "/v1/batch", Self.identify("ana", "a1", "i1")) == merged)
        #expect(try merges(test, "/v1/batch", Self.identify("mallory", "a1", "i2")) == merged)
        // A user's id in place of an anonymous id means nobody.
        #expect(
            try merges(test, "/v1/batch", Self.spoken(#""userId":"ana""#, "m1"), Self.identify("mallory", "ana", "i3"))
                == merged + ["anonymous:ana>mallory"]
        )
        #expect(try test.service.engine.currentID(of: "ana") == "ana")
        // A user of another sender is closed to public keys.
        #expect(try merges(test, "/v1/batch", Self.identify("ben", "a2", "i4")).count == 2)
        #expect(try merges(test, "/v1/batch", Self.identify("anonymous:a1", "a3", "i5")).count == 2)
        let reasons = try test.service.engine.quarantinedLines().map(\.reason)
        #expect(reasons == ["forbidden-learner", "forbidden-learner", "forbidden-learner"])
    }
}
