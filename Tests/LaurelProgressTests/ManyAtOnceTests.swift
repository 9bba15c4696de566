// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import SeededRandom
import Testing

/// Learners with more open sessions, or more languages, than a linear search handles well.
@Suite("Many at once") struct ManyAtOnceTests {
    private static let rules = """
        metrics: {lines: {count: line.spoken}}
        xp:
          - {id: line, bucket: lines, on: line.spoken, award: session.lines}
          - {id: end, bucket: ends, on: session.ended, award: 1000 * session.lines}
        """

    /// The expected worth of sessions, computed with a dictionary instead of the fold's search.
    private struct Expected {
        private var sessions: [Int: (lines: Int, lastAt: Int64)] = [:]
        private(set) var xp = 0

        mutating func note(_ session: Int, at time: Int64, ends: Bool) {
            var known = sessions[session] ?? (0, time)
            if time - known.lastAt > 86_400_000 { known = (0, time) }
            known = (known.lines + (ends ? 0 : 1), time)
            xp += ends ? 1000 * known.lines : known.lines
            sessions[session] = ends ? nil : known
        }
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `sessions are kept apart, end, and are forgotten after a day`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        var (time, events, expected) = (Int64(1_770_000_000_000), [Event](), Expected())
        for index in 0..<1000 {
            time += Int64.random(in: 0..<3_000_000, using: &random)
            let session = Int.random(in: 0..<60, using: &random)
            let ends = Int.random(in: 0..<15, using: &random) == 0
            expected.note(session, at: time, ends: ends)
            events.append(
                Event(
                    id: "e\(index)",
                    source: "app",
                    type: ends ? "session.ended" : "line.spoken",
                    subject: "ana",
                    time: Timestamp(milliseconds: time),
                    session: "s\(session)"
                )
            )
        }
        let story = Story(ManyAtOnceTests.rules, events)
        let plan = try story.plan()
        let state = try story.state(plan)
        let progress = ProgressReader(plan: plan).progress(state, subject: "ana", at: Timestamp(milliseconds: time))
        #expect(progress?.numbers.xp == Double(expected.xp), "seed \(seed)")
        #expect(try story.state(plan, saves: true).encoded() == state.encoded(), "seed \(seed)")
    }

    @Test func `each of many languages has its own track and words`() throws {
        let events = (0..<300).flatMap { index in
            ["line.spoken", "word.added"].map { type in
                event(type, "2026-02-05T18:00:00Z", ["word": .string("w\(index / 2)")], language: "x-\(index % 100)")
            }
        }
        let story = Story(ManyAtOnceTests.rules, events)
        let plan = try story.plan()
        let state = try story.state(plan)
        let reader = ProgressReader(plan: plan)
        let instant = try Timestamp("2026-02-05T19:00:00Z")
        for index in 0..<100 {
            let progress = reader.progress(state, subject: "ana", language: "x-\(index)", at: instant)
            #expect(progress?.numbers.counts.events == 6)
            #expect(progress?.numbers.counts.words.known == 3)
            #expect(progress?.wordsDueForReview == 3)
        }
        #expect(reader.progress(state, subject: "ana", language: "x-100", at: instant) == nil)
        #expect(try story.state(plan, saves: true).encoded() == state.encoded())
    }
}
