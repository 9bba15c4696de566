// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import Laurel
import LaurelHTTP
import SeededRandom
import Synchronization
import Testing

@testable import LaurelService

/// A random story. A client keeps answers, and revalidates them at several services over one store. It must never be
/// told wrongly that an answer is still valid, whatever was written meanwhile, and whatever the time.
@Suite struct RevalidationTests {
    enum Place: String, CaseIterable { case file, database }

    private static let places = Place.allCases.filter { $0 != .database || DatabaseServer.shared != nil }

    /// The clock of all services and of all senders.
    private final class Clock: Sendable {
        private let seconds = Mutex(1_775_400_000)
        var now: Date { Date(timeIntervalSince1970: Double(seconds.withLock(\.self))) }
        func advance(by some: Int) { seconds.withLock { $0 += some } }
    }

    private let clock = Clock()

    private func node(store: String? = nil) throws -> TestService {
        let clock = clock
        return try TestService(store: store) { $0.now = { clock.now } }
    }

    private func nodes(_ place: Place) throws -> (nodes: [TestService], store: String) {
        switch place {
        case .file:
            let first = try node()
            return (try [first, node(store: first.path)], first.path)
        case .database:
            let store = try #require(DatabaseServer.shared).newLocation()
            try StoreManagement(StoreLocation(store)).create()
            return (try [node(store: store), node(store: store)], store)
        }
    }

    @Test(arguments: places) func `what is said to hold holds`(place: Place) throws {
        let seed = UInt64.random(in: 0...99_999)
        var story = RevalidationStory(seed: seed)
        let (nodes, store) = try nodes(place)
        var kept: [String: (tag: String, body: String)] = [:]
        for step in 1...12 {
            let happening = step == 1 ? .events : story.happening()
            clock.advance(by: story.pause())
            try happen(happening, nodes[story.random(below: 2)], store, &story)
            let fresh = try node(store: store)
            for _ in 0..<6 {
                let path = story.path()
                let comment: Comment = "seed \(seed), step \(step), \(happening): \(path)"
                let known = kept[path]
                let headers: HTTPHeaders = known.map { ["If-None-Match": $0.tag] } ?? [:]
                let answer = try nodes[story.random(below: 2)].get(path, headers: headers)
                let right = try fresh.get(path)
                if answer.status == 304 {
                    #expect(known?.body == right.text, comment)
                } else {
                    #expect(answer.status == right.status && answer.text == right.text, comment)
                    kept[path] = answer.headers["ETag"].map { ($0, answer.text) }
                }
            }
        }
    }

    private func happen(
        _ happening: RevalidationStory.Happening,
        _ node: TestService,
        _ store: String,
        _ story: inout RevalidationStory
    ) throws {
        switch happening {
        case .events: try node.post(story.events(until: clock.now))
        case .eventsOfAnotherProcess:
            let other = try ProgressEngine.open(path: store)
            try other.ingest(cloudEvents: Data(story.events(until: clock.now).utf8), now: clock.now)
        case .erasure: try node.send("DELETE", "/v1/learners/\(story.learner())")
        case .rules:
            let options = ApplyOptions(appliedAt: clock.now)
            _ = try? node.service.engine.apply(Rules(yaml: story.rules()), options: options)
        case .replay: try node.service.engine.replay()
        case .nothing: break
        }
    }
}

private struct RevalidationStory {
    enum Happening: CaseIterable { case events, eventsOfAnotherProcess, erasure, rules, replay, nothing }

    private var generator: SeededGenerator
    private var sent = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func random(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    mutating func happening() -> Happening {
        random(below: 3) > 0 ? .events : Happening.allCases.randomElement(using: &generator)!
    }

    /// A pause in seconds: often none, sometimes days.
    mutating func pause() -> Int { [0, 0, 1, 600, 40_000, 200_000][random(below: 6)] }

    mutating func learner() -> String { ["ana", "ben", "cleo"][random(below: 3)] }

    mutating func path() -> String {
        let question = [
            "progress", "progress?language=es", "tracks", "vocabulary", "achievements", "sessions", "words",
            "study-time", "explain/xp", "explain/streak",
        ]
        return "/v1/learners/\(learner())/\(question.randomElement(using: &generator)!)"
    }

    mutating func rules() -> String {
        "version: 1\nname: by-chance\nxp:\n  lines: { on: line.spoken, award: \(1 + random(below: 3)) }\n"
    }

    /// Events of the days before an instant, some of which were sent before.
    mutating func events(until now: Date) -> String {
        (0...random(below: 5)).map { _ in event(at: now) }.joined(separator: "\n")
    }

    private mutating func event(at now: Date) -> String {
        sent += random(below: 4) == 0 ? 0 : 1
        let time = now.addingTimeInterval(-Double([0, 5, 3600, 100_000][random(below: 4)])).ISO8601Format()
        let word = #"{"word":"w\#(random(below: 5))","grade":"\#(["again", "good", "easy"][random(below: 3)])"}"#
        let (type, data) = random(below: 2) == 0 ? ("line.spoken", #"{"accuracy":0.9}"#) : ("review.graded", word)
        return #"{"id":"\#(sent)","source":"app","type":"\#(type)","subject":"\#(learner())","time":"\#(time)","#
            + #""language":"\#(["es", "fr"][random(below: 2)])","data":\#(data)}"#
    }
}
