// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import StoreTesting
import Testing

/// Groups in stores of every kind.
@Suite struct GroupTests {
    private static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1}
        xp: [{id: line, on: line.spoken, award: 10}]
        groups:
          friends: {streak: {need: all}, goals: [{id: lines, every: week, sum: lines, target: 5}]}
        """

    private static func line(
        _ id: String,
        _ type: String,
        _ learner: String,
        _ time: String,
        _ data: String = "{}"
    ) -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(learner)","time":"2026-02-\#(time)","data":\#(data)}"#
    }

    private static func spoken(_ learner: String, _ time: String) -> String {
        line("\(learner)-\(time)", "line.spoken", learner, time)
    }

    private static func joined(_ learner: String, _ time: String, _ group: String = "blue") -> String {
        line("j-\(group)", "group.joined", learner, time, #"{"group":"\#(group)","kind":"friends"}"#)
    }

    private static let lines =
        [joined("ana", "09T08:00:00Z"), joined("ben", "09T08:00:00Z"), joined("ana", "10T08:00:00Z", "a solo")]
        + ["09T10:00:00Z", "10T10:00:00Z", "11T10:00:00Z"].map { spoken("ana", $0) }
        + ["09T12:00:00+02:00", "10T12:00:00+02:00"].map { spoken("ben", $0) }
        + [line("n", "learner.updated", "ben", "09T09:00:00+02:00", #"{"displayName":"Ben"}"#)]

    private static let noon = try! Timestamp("2026-02-11T12:00:00Z").date

    @Test(arguments: Backend.allCases) func `are computed from their members`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules)
        try bench.ingest(Self.lines)
        let group = try #require(try bench.engine.group("blue", at: Self.noon))
        #expect(group.id == "blue" && group.kind == "friends" && group.day.description == "2026-02-11")
        #expect(group.members.map(\.learner) == ["ana", "ben"] && group.members.map(\.displayName) == [nil, "Ben"])
        #expect(group.members.map(\.practisedToday) == [true, false])
        #expect(group.members.map { $0.shares["lines"] } == [3, 2])
        #expect(
            group.streak
                == LearnerGroup.Streak(current: 2, longest: 2, need: "all", needed: 2, practised: 1, isReached: false)
        )
        #expect(group.goals.map(\.value) == [5] && group.goals[0].isComplete && group.goals[0].window == "2026-W07")
        #expect(try bench.engine.group("red", at: Self.noon) == nil)
        #expect(try bench.engine.groups(at: Self.noon).map(\.id) == ["a solo", "blue"])
        #expect(try bench.engine.groups(after: "a solo", limit: 1, at: Self.noon) == [group])
        #expect(try bench.engine.learner("ana").groups(at: Self.noon).map(\.id) == ["a solo", "blue"])
        #expect(try bench.engine.learner("ben").groups(at: Self.noon) == [group])
        #expect(try bench.engine.learner("eve").groups(at: Self.noon) == [])
    }

    /// An earlier instant is before later events, joinings and leavings.
    @Test(arguments: Backend.allCases) func `are as of an instant`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules)
        try bench.ingest(Self.lines + [Self.line("l", "group.left", "ben", "12T08:00:00Z", #"{"group":"blue"}"#)])
        let before = try #require(try bench.engine.group("blue", at: Timestamp("2026-02-10T09:00:00Z").date))
        #expect(before.members.count == 2 && before.streak?.current == 1 && before.goals.map(\.value) == [2])
        let after = try #require(try bench.engine.group("blue", at: Timestamp("2026-02-12T09:00:00Z").date))
        #expect(after.members.map(\.learner) == ["ana"])
        #expect(after.streak?.current == 0 && after.goals.map(\.value) == [5])
        #expect(try bench.engine.group("blue", at: Timestamp("2026-02-08T00:00:00Z").date) == nil)
        #expect(try bench.engine.learner("ben").groups(at: Self.noon).map(\.id) == ["blue"])
        #expect(try bench.engine.learner("ben").groups(at: Timestamp("2026-02-12T09:00:00Z").date) == [])
    }

    /// Late events, corrections, an erasure and a replay.
    @Test(arguments: Backend.allCases) func `follow what changes later`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules)
        try bench.ingest(Self.lines)
        func streak() throws -> Int? { try bench.engine.group("blue", at: Self.noon)?.streak?.current }
        #expect(try streak() == 2)
        try bench.ingest([Self.spoken("ben", "11T08:00:00Z")])
        #expect(try streak() == 3)
        // A third member who did not practise on the 10th.
        try bench.ingest([Self.joined("cy", "10T07:00:00Z"), Self.spoken("cy", "11T08:00:00Z")])
        #expect(try streak() == 1)
        let retraction = #"{"source":"app","id":"j-blue"}"#
        try bench.ingest([Self.line("r", "event.retracted", "cy", "11T09:00:00Z", retraction)])
        #expect(try streak() == 3)
        #expect(try bench.engine.learner("cy").groups(at: Self.noon) == [])
        _ = try bench.soundFingerprint()
        let before = try bench.engine.group("blue", at: Self.noon)
        _ = try bench.engine.replay()
        #expect(try bench.engine.group("blue", at: Self.noon) == before)
        try bench.use(rules: nil)
        #expect(try bench.engine.group("blue", at: Self.noon) == before)
        _ = try bench.engine.erase(learner: "ben")
        #expect(try bench.engine.group("blue", at: Self.noon)?.members.map(\.learner) == ["ana"])
        #expect(try bench.engine.learner("ben").groups(at: Self.noon) == [])
    }

    /// An earlier instant is also before a correction, in whatever order both arrive.
    @Test(arguments: Backend.allCases) func `are known before the joining is retracted`(backend: Backend) throws {
        let joining = Self.joined("ana", "09T08:00:00Z")
        let retraction = Self.line(
            "r",
            "event.retracted",
            "ana",
            "10T09:00:00Z",
            #"{"source":"app","id":"j-blue"}"#
        )
        // The practice before the joining puts the void event inside a stretch of events.
        let practice = Self.spoken("ana", "09T07:00:00Z")
        let arrivals = [
            [[joining], [retraction]], [[retraction], [joining]], [[joining, retraction]],
            [[practice, joining, retraction]],
        ]
        for batches in arrivals {
            let bench = try Bench(backend, rules: Self.rules)
            for batch in batches { try bench.ingest(batch) }
            let before = try Timestamp("2026-02-10T08:00:00Z").date
            #expect(try bench.engine.group("blue", at: before)?.members.map(\.learner) == ["ana"], "\(batches)")
            #expect(try bench.engine.groups(at: before).map(\.id) == ["blue"], "\(batches)")
            #expect(try bench.engine.group("blue", at: Self.noon) == nil, "\(batches)")
            _ = try bench.soundFingerprint()
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `do not depend on the order of arrival`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let left = Self.line("l", "group.left", "ana", "11T09:00:00Z", #"{"group":"a solo"}"#)
        let lines = Self.lines + [left, Self.joined("cy", "10T07:00:00Z"), Self.spoken("cy", "10T08:00:00Z")]
        let whole = try Bench(.memory, rules: Self.rules)
        try whole.ingest(lines)
        let expected = try whole.engine.groups(at: Self.noon)
        #expect(expected.map(\.id) == ["blue"])
        for backend in [Backend.sqlite, .sqliteTiny, .memoryPartitioned] {
            let bench = try Bench(backend, rules: Self.rules)
            for line in lines.shuffled(using: &random) { try bench.ingest([line]) }
            #expect(try bench.engine.groups(at: Self.noon) == expected, "seed \(seed)")
        }
    }

    @Test(arguments: [2, 2000]) func `have few or many members`(count: Int) throws {
        let bench = try Bench(.sqlite, rules: Self.rules)
        let ids = (0..<count).map { "learner \($0)" }
        try bench.ingest(ids.flatMap { [Self.joined($0, "09T08:00:00Z"), Self.spoken($0, "10T08:00:00Z")] })
        let group = try #require(try bench.engine.group("blue", at: Self.noon))
        #expect(group.members.count == count && group.goals[0].value == Double(count))
        #expect(group.streak?.longest == 1 && group.streak?.needed == count)
    }

    @Test func `of a merged learner has the other id`() throws {
        let bench = try Bench(.sqlite, rules: Self.rules)
        try bench.ingest(Self.lines)
        _ = try bench.engine.merge("ben", into: "cy")
        let group = try #require(try bench.engine.group("blue", at: Self.noon))
        #expect(group.members.map(\.learner) == ["ana", "cy"] && group.streak?.current == 2)
        #expect(try bench.engine.learner("ben").groups(at: Self.noon).map(\.id) == ["blue"])
    }

    @Test func `show a reader only what the reader may know`() throws {
        let bench = try Bench(.memory, rules: Self.rules)
        try bench.ingest(Self.lines)
        let group = try #require(try bench.engine.group("blue", at: Self.noon)).visible { $0 == "ana" }
        #expect(group.members.map(\.learner) == ["ana", nil])
        #expect(group.members.map { $0.since == nil } == [false, true])
        #expect(group.members[1].displayName == "Ben" && group.members[1].shares["lines"] == 2)
    }
}
