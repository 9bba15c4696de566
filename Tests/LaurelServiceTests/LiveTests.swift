// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelStore
import StoreTesting
import Synchronization
import Testing

@testable import LaurelService

@Suite struct LiveTests {
    @Test func tellsThePresentStateAndThenEachNewOne() throws {
        let test = try TestService()
        try test.post(event("1"))
        let stream = try test.stream(test.get("/v1/learners/ana/stream"))
        var text = ""
        test.wait(stream, &text) { $0.contains("\"events\":1,") }
        #expect(text.hasPrefix("event: progress\ndata: {\"userId\":\"ana\""))
        try test.post(event("2"))
        test.wait(stream, &text) { $0.contains("\"events\":2,") }
        #expect(text.contains("\"events\":2,"))
        try test.post(event("1", learner: "bob"))
        let other = try ProgressEngine.open(path: test.path)
        try other.ingest(cloudEvents: Data(event("3").utf8))
        test.wait(stream, &text) { $0.contains("\"events\":3,") }
        #expect(text.contains("\"events\":3,"), "another process's commits are seen, too")
        #expect(!text.contains("bob"))
    }

    @Test func tellsManyLearnersAndThoseWhoAreNotThereYet() throws {
        let test = try TestService()
        let stream = try test.stream(test.get("/v1/stream?learner=ana&learner=bob"))
        var text = ""
        test.wait(stream, &text) { $0.components(separatedBy: "data: null").count == 3 }
        try test.post(event("1", learner: "bob"))
        test.wait(stream, &text) { $0.contains("\"userId\":\"bob\"") }
        #expect(text.contains("\"userId\":\"bob\"") && !text.contains("\"userId\":\"ana\""))
        #expect(try test.get("/v1/stream").status == 400)
    }

    @Test func manyEventsBecomeFewStates() throws {
        let test = try TestService()
        let stream = try test.stream(test.get("/v1/learners/ana/stream"))
        var text = ""
        test.wait(stream, &text) { $0.contains("null") }
        let start = Date()
        for index in 0..<100 { try test.post(event("\(index)")) }
        test.wait(stream, &text) { $0.contains("\"events\":100,") }
        let seconds = Date().timeIntervalSince(start)
        let states = text.components(separatedBy: "event: progress").count - 1
        #expect(Double(states) <= seconds * 4 + 4, "\(states) states in \(seconds) s")
        #expect(text.contains("\"events\":100,"), "the last state is told")
    }

    @Test func whatCannotBeReadIsToldOnceItCan() throws {
        let store = WatchedStore(MemoryStore())
        let test = try TestService(over: store)
        try test.post(event("1"))
        struct Unreadable: Error {}
        let isReadable = Mutex(false)
        store.willRead = { if !isReadable.withLock(\.self) { throw Unreadable() } }
        let stream = try test.stream(test.get("/v1/learners/ana/stream"))
        var text = ""
        let reads = store.reads
        while store.reads < reads + 2 { usleep(2000) }
        test.wait(stream, &text) { _ in true }
        #expect(text.isEmpty, "nobody's progress is gone")
        isReadable.withLock { $0 = true }
        test.wait(stream, &text) { $0.contains("\"events\":1,") }
        #expect(text.hasPrefix("event: progress\ndata: {\"userId\":\"ana\""))
    }

    @Test func unlockedAchievementsAreTold() throws {
        let test = try TestService()
        try test.post(event("first"))
        let stream = try test.stream(test.get("/v1/learners/ana/stream"))
        var text = ""
        test.wait(stream, &text) { $0.contains("\"events\":1,") }
        let lines = (0..<200).map { event("\($0)") }.joined(separator: "\n")
        try test.post(lines)
        test.wait(stream, &text) { $0.contains("event: achievement") }
        #expect(text.contains("event: achievement\ndata: {\"learner\":\"ana\",\"language\":null,\"id\":\""))
    }

    @Test func streamsEndWithTheService() throws {
        let test = try TestService()
        let stream = try test.stream(test.get("/v1/learners/ana/stream"))
        #expect(test.service.hub.count == 1)
        test.service.close()
        #expect(!stream.write([1]))
        #expect(try test.get("/readyz").status == 503)
        #expect(try test.get("/healthz").status == 200)
        #expect(try test.get("/v1/learners").code == "shutting-down")
        #expect(try test.post(event("1")).code == "shutting-down")
    }

    @Test func streamsAreBounded() throws {
        let test = try TestService { $0.mostStreams = 2 }
        let streams = try (0..<2).map { _ in try test.get("/v1/learners/ana/stream") }
        #expect(streams.allSatisfy { $0.status == 200 })
        #expect(try test.get("/v1/learners/ana/stream").code == "too-many-streams")
    }
}
