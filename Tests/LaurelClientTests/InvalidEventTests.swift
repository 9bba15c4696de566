// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient
import LaurelEvents
import LaurelWire
import Testing

@Suite struct InvalidEventTests {
    private func problem(
        _ event: LearningEvent,
        _ context: PracticeContext = Workshop.context,
        at time: Date? = nil
    ) async throws -> String? {
        let client = try Workshop().client()
        do {
            try await client.record(event, in: context, at: time)
            return nil
        } catch let error as InvalidEvent {
            return error.description
        }
    }

    @Test func `messages say what would be right`() async throws {
        #expect(
            try await problem(.lineSpoken(accuracy: 93))
                == "line.spoken: data.accuracy is 93.0; it must be a number from 0 to 1"
        )
        #expect(
            try await problem(LearningEvent(type: "review.graded", data: ["word": "w", "grade": "correct"]))
                == "review.graded: data.grade is “correct”; it must be again, hard, good or easy"
        )
        #expect(
            try await problem(.levelDeclared(level: .a1), PracticeContext(learner: "ana"))
                == "level.declared: language is missing"
        )
        #expect(
            try await problem(.sessionDiscarded(), PracticeContext(learner: "ana"))
                == "session.discarded: session is missing"
        )
        #expect(
            try await problem(.teamWon(), PracticeContext(learner: ""))
                == "team.won: subject has 0 bytes; it must be text of 1 to 256 bytes (UTF-8)"
        )
        #expect(
            try await problem(.teamWon(), PracticeContext(learner: "ana", language: "español"))
                == "team.won: language is “español”; it must be a BCP 47 tag, such as es or pt-BR"
        )
        #expect(
            try await problem(.teamWon(), at: Workshop.now.addingTimeInterval(86_401))
                == "team.won: time is 2026-02-06T15:00:01.000+01:00, more than 24 hours ahead of the clock"
        )
        #expect(try await problem(.teamWon(), at: .distantPast)?.hasPrefix("event: time is ") == true)
        #expect(
            try await problem(LearningEvent(type: "Quest"))
                == "Quest: type must be lower-case words and digits joined by . _ or -, such as line.spoken"
        )
        #expect(
            try await problem(.lineSpoken(text: String(repeating: "x", count: 65_536)))
                == "line.spoken: data has 65547 bytes; it may have 65536 at most (64 KiB)"
        )
    }

    @Test func `types of your own take any JSON that JSON can say`() async throws {
        #expect(
            try await problem(LearningEvent(type: "quest.finished", data: ["difficulty": 3, "map": ["a": [1, nil]]]))
                == nil
        )
        #expect(try await problem(.lineSpoken(accuracy: 1).adding("room", "kitchen")) == nil)
        #expect(
            try await problem(LearningEvent(type: "quest.finished", data: ["x": [.double(.nan)]]))
                == "quest.finished: data.x is nan, which is no number in JSON"
        )
        #expect(try await problem(LearningEvent(type: "quest.finished", data: ["x": .number("1e999")])) != nil)
        let deep = (0..<100).reduce(JSONValue.null) { value, _ in [value] }
        #expect(try await problem(LearningEvent(type: "quest.finished", data: ["x": deep])) != nil)
    }

    /// The client refuses exactly the events that the engine refuses.
    @Test func `random events get one verdict`() async throws {
        let workshop = try Workshop()
        let client = try workshop.client()
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var decoder = EventDecoder()
        let now = Int64(Workshop.now.timeIntervalSince1970 * 1000)
        var accepted = 0
        for _ in 0..<2000 {
            let type = Catalogue.types.randomElement(using: &random)!
            var event = LearningEvent(type: type.name)
            for field in type.fields where field.isRequired || Bool.random(using: &random) {
                event = event.adding(field.name, value(for: field, &random))
            }
            let context = PracticeContext(
                learner: ["ana", "", "さくら"].randomElement(using: &random)!,
                language: ["es", "pt-BR", "x_y", "", nil].randomElement(using: &random)!,
                session: ["s", "", nil].randomElement(using: &random)!
            )
            let sent = Event(
                id: "1",
                source: "app",
                type: event.type,
                subject: context.learner,
                time: Timestamp(milliseconds: now, offset: .minutes(60)),
                language: context.language,
                session: context.session,
                data: event.data
            )
            var table = EventTable()
            let result = sent.encoded.withUnsafeBufferPointer { decoder.decode(line: $0, into: &table, clock: now) }
            let isAccepted = if case .ok = result { true } else { false }
            var refusal: InvalidEvent?
            do {
                try await client.record(event, in: context)
            } catch let error as InvalidEvent {
                refusal = error
            }
            #expect((refusal == nil) == isAccepted, "seed \(seed): \(sent.json) \(refusal?.description ?? "")")
            accepted += isAccepted ? 1 : 0
        }
        #expect((200...1800).contains(accepted), "seed \(seed): \(accepted)")
    }

    /// A value that is mostly valid.
    private func value(for field: Field, _ random: inout SeededGenerator) -> JSONValue {
        let odd: [JSONValue] = [
            nil, true, "", "x", 0, -1, 1.5, 5.0, 1e300, -0.0, .integer(.max), [], ["a"], [1], ["a": 1], "2026-02-05",
            "2026-02-05T10:00:00Z", "again", "A1", "solo", 9_007_199_254_740_993, 9_007_199_254_740_992,
        ]
        guard Int.random(in: 0..<8, using: &random) > 0 else { return odd.randomElement(using: &random)! }
        switch (field.constraint, field.type) {
        case (.integer(let range), _):
            return .integer(Bool.random(using: &random) ? range.lowerBound : range.upperBound)
        case (.number(let range), _): return .double(Bool.random(using: &random) ? range.lowerBound : range.upperBound)
        case (.positive, _): return .double(.leastNonzeroMagnitude)
        case (.oneOf(let names), _): return .string(names.randomElement(using: &random)!)
        case (.numbers(let bounds), _):
            return .array(bounds.map { .double(Bool.random(using: &random) ? $0.lowerBound : $0.upperBound) })
        case (.none, .numberList): return [0.5, 2]
        case (.none, .text): return .string("text")
        case (.none, .number): return 1.25
        case (.none, .boolean): return .boolean(Bool.random(using: &random))
        case (.none, .textList): return ["a", ""]
        case (.none, .instant): return "2026-02-05T10:00:00+01:00"
        case (.none, .date): return "2028-02-29"
        }
    }
}
