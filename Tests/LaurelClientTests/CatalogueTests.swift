// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient
import LaurelEvents
import Synchronization
import Testing

/// Every type and field of the catalogue has a constructor, whose events the engine can read.
@Suite struct CatalogueTests {
    private static let instant = Date(timeIntervalSince1970: 1_770_300_000.123)

    /// Texts and numbers that are easily changed in transport.
    private static let peculiar: [LearningEvent] = [
        .wordAdded(word: "", .init(text: "Árbol \"\u{1}\n", tags: ["", "🌍"])), .lineSpoken(text: "", accuracy: 0.92),
        .wordImported(word: "w", easeFactor: 1.3, stability: 0.25, nextReviewAt: instant),
        .xpAdjusted(amount: -(1 << 53)),
        .xpDeclared(total: 0), .currencyAdjusted(currency: "g", amount: -1_000_000_000_000),
        .streakFrozen(date: "2028-02-29"), .streakPaused(from: "2026-02-05", through: "2026-02-05"),
    ]

    @Test func `every type and every field has a constructor`() {
        #expect(everyEvent.map(\.type) == Catalogue.types.map(\.name))
        #expect(everyBareEvent.map(\.type) == Catalogue.types.map(\.name))
        for (type, (full, bare)) in zip(Catalogue.types, zip(everyEvent, everyBareEvent)) {
            #expect(Set(full.data.keys) == Set(type.fields.map(\.name)), "\(type.name)")
            #expect(Set(bare.data.keys) == Set(type.fields.filter(\.isRequired).map(\.name)), "\(type.name)")
        }
    }

    @Test func `the engine reads the same values`() async throws {
        let workshop = try Workshop()
        let client = try workshop.client()
        let events = everyEvent + everyBareEvent + Self.peculiar
        for event in events { try await client.record(event, in: Workshop.context, at: Self.instant) }
        try await client.flush()
        let lines = workshop.delivered.withLock { $0 }
        #expect(lines.count == events.count)
        var decoder = EventDecoder()
        for (index, (line, sent)) in zip(lines, events).enumerated() {
            var table = EventTable()
            let result = Array(line.utf8).withUnsafeBufferPointer {
                decoder.decode(line: $0, into: &table, clock: 1_770_300_001_000)
            }
            guard case .ok = result else {
                Issue.record("\(line): \(result)")
                continue
            }
            let event = table.event(at: 0)
            #expect(event.id == "\(index + 1)" && event.source == client.source && event.subject == "ana")
            #expect(event.type == sent.type && event.language == "es" && event.session == "s1")
            #expect(event.time == Timestamp(milliseconds: 1_770_300_000_123, offset: .minutes(60)))
            // The engine keeps a whole number as an integer, however it was written.
            #expect(JSONValue.object(event.data).json == reread(.object(sent.data)).json, "\(line)")
        }
    }

    private func reread(_ value: JSONValue) -> JSONValue { JSONValue(validated: Array(value.json.utf8))! }

    /// The nearest invalid values beyond each bound of a field.
    private static func wrongValues(of field: Field) -> [JSONValue] {
        switch (field.constraint, field.type) {
        case (.integer(let range), _): [.integer(range.lowerBound - 1), .integer(range.upperBound + 1), .double(0.5)]
        case (.number(let range), _):
            [.double(range.lowerBound.nextDown), .double(range.upperBound.nextUp), .double(.nan), .double(.infinity)]
        case (.positive, _): [.double(0), .double(-.leastNonzeroMagnitude)]
        case (.oneOf, _): ["none of them"]
        case (.numbers(let bounds), _):
            bounds.indices.flatMap { index in
                [bounds[index].lowerBound.nextDown, bounds[index].upperBound.nextUp, .infinity].map { wrong in
                    .array(bounds.indices.map { .double($0 == index ? wrong : bounds[$0].lowerBound) })
                }
            } + [[1]]
        case (.none, .number): [.double(.nan), .double(.infinity), "1"]
        case (.none, .instant): ["2026-02-29T00:00:00Z", "1969-12-31T23:59:59Z", "2026-02-05"]
        case (.none, .date): ["2026-02-29", "5.2.2026"]
        case (.none, .text), (.none, .boolean), (.none, .textList), (.none, .numberList): [.integer(1)]
        }
    }

    /// Invalid whole events.
    private static let beyond: [(LearningEvent, String)] = [
        (.wordImported(word: "w", nextReviewAt: .distantPast), "nextReviewAt"),
        (.wordImported(word: "w", nextReviewAt: Date(timeIntervalSince1970: -0.001)), "nextReviewAt"),
        (.wordImported(word: "w", lastReviewedAt: Date(timeIntervalSince1970: 253_402_300_800)), "lastReviewedAt"),
        (.wordImported(word: "w", lastReviewedAt: Date(timeIntervalSince1970: .nan)), "lastReviewedAt"),
        (.streakPaused(from: "2026-02-05", through: "2026-02-04"), "through"),
        (.streakPaused(from: "2026-01-01", through: "2027-01-02"), "through"),
    ]

    @Test func `nothing is clamped: what the engine would refuse is refused at once`() async throws {
        let workshop = try Workshop()
        let client = try workshop.client()
        var wrong = Self.beyond
        for (event, type) in zip(everyEvent, Catalogue.types) {
            for field in type.fields {
                wrong += Self.wrongValues(of: field).map { (event.adding(field.name, $0), field.name) }
            }
        }
        for (event, field) in wrong {
            await #expect("\(event)") { try await client.record(event, in: Workshop.context) } throws: {
                ($0 as? InvalidEvent)?.place == "data.\(field)"
            }
        }
        #expect(await client.status().pending == 0)
    }

    /// The catalogue says which types only administrators may send. The comments of their constructors repeat it.
    @Test func `constructors of administrators' events say who may send them`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/LaurelClient/Events").standardized
        let sources = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
        let paragraphs = sources.flatMap { $0.components(separatedBy: "\n    /// `") }
        for type in Catalogue.types {
            let comment = paragraphs.first { $0.hasPrefix("\(type.name)`: ") }?
                .components(separatedBy: "public static func")[0]
                .replacing(/\s*\n\s*\/\/\/\s*/, with: " ")
            let administers = type.isAdministered || type.fields.contains(where: \.isAdministered)
            #expect(comment?.contains("Only administrators may send it") == administers, "\(type.name)")
            #expect(comment?.contains("types include `\(type.name)`") == administers, "\(type.name)")
        }
    }
}
