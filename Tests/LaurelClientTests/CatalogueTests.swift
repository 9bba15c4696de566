// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient
import LaurelEvents
import Synchronization
import Testing

/// Every type and field of the catalogue has a constructor, and what it makes is what the engine reads.
@Suite struct CatalogueTests {
    private static let details = LearningEvent.WordDetails(
        text: "Árbol \"\u{1}\n",
        translation: "tree",
        partOfSpeech: "NOUN",
        category: "nature",
        tags: ["a", "b"],
        origin: "deck"
    )
    private static let instant = Date(timeIntervalSince1970: 1_770_300_000.123)

    /// FSRS-6's own, all within their bounds.
    private static let parameters = [
        0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629,
        1.6483,
        0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
    ]

    private static func parameters(_ index: Int, _ value: Double) -> LearningEvent {
        var parameters = parameters
        parameters[index] = value
        return .schedulerFitted(parameters: parameters, reviews: 1, logLoss: 0)
    }

    /// Each type with every field it has.
    private static let full: [LearningEvent] = [
        .learnerUpdated(
            displayName: "Ana",
            nativeLanguage: "en",
            dailyGoalMinutes: 30,
            cohort: "1a",
            leaderboard: false,
            leagues: true
        ),
        .levelDeclared(level: .b2),
        .sessionStarted(mode: .host, scenario: "cafe", role: "guest", partner: "leo", kind: "game"),
        .sessionEnded(durationMs: 720_000, mode: .client, scenario: "cafe", partner: "leo"),
        .sessionDiscarded(),
        .lineSpoken(
            line: "l1",
            text: "Hola 🌍",
            translation: "Hello",
            role: "guest",
            accuracy: 0.92,
            errors: 1,
            words: 2,
            durationMs: 2500
        ),
        .lineSkipped(line: "l2"),
        .wordAdded(word: "w1", details),
        .wordUpdated(word: "w1", details),
        .wordRemoved(word: "w1"),
        .wordEncountered(word: "w1", count: 3, category: "nature"),
        .wordLearned(word: "w1"),
        .wordUnlearned(word: "w1"),
        .wordImported(
            word: "w1",
            masteryLevel: 4,
            easeFactor: 2.5,
            intervalDays: 36_500,
            stability: 0.25,
            difficulty: 10,
            nextReviewAt: instant,
            lastReviewedAt: instant,
            totalReviews: 9,
            correctReviews: 7,
            details
        ),
        .reviewGraded(word: "w1", grade: .again, durationMs: 4200, mode: "difficult"),
        .errorDetected(kind: "article", original: "la", corrected: "el", line: "l1"),
        .errorCorrected(kind: "article", line: "l1"),
        .repairMade(helped: false, line: "l1", partner: "leo"),
        .helpGiven(to: "leo", line: "l1"),
        .hintUsed(level: "STARTER_WORDS"),
        .scenarioCompleted(scenario: "cafe", errors: 0),
        .teamWon(partner: "leo"),
        .objectScanned(label: "cup", confidence: 1),
        .conversationEnded(
            character: "Marta",
            messages: 5,
            durationMs: 60_000,
            wordsUsed: 40,
            grammarErrors: 2,
            averageResponseMs: 1800
        ),
        .streakRepaired(date: "2026-02-05", reason: "by hand"),
        .streakFrozen(date: "2028-02-29", reason: "by hand"),
        .streakPaused(from: "2026-01-01", through: "2027-01-01", reason: "holidays"),
        .freezeGranted(count: 100, reason: "by hand"),
        .xpAdjusted(amount: -50, reason: "by hand"),
        .xpDeclared(total: 5000),
        .currencyAdjusted(currency: "gems", amount: -1_000_000_000_000, reason: "by hand"),
        .itemBought(item: "hat", count: 1000),
        .achievementGranted(achievement: "a1", reason: "by hand"),
        .achievementRevoked(achievement: "a1", reason: "by hand"),
        .groupJoined(group: "g1", kind: "friends"),
        .groupLeft(group: "g1"),
        .leagueFinished(
            league: "weekly",
            week: "2026-W06",
            tier: "bronze",
            room: 1,
            rank: 3,
            of: 30,
            xp: 420,
            outcome: .promoted,
            next: "silver"
        ),
        .flagCleared(source: "app/1", id: "7"),
        .schedulerFitted(parameters: parameters, reviews: 400, logLoss: 0.31),
        .eventRetracted(source: "app/1", id: "7"),
    ]

    /// Each type that has fields to leave out, without them.
    private static let bare: [LearningEvent] = [
        .learnerUpdated(), .sessionStarted(), .sessionEnded(), .lineSpoken(), .lineSkipped(), .wordAdded(word: ""),
        .wordUpdated(word: "w"), .wordEncountered(word: "w"), .wordImported(word: "w"),
        .reviewGraded(word: "w", grade: .easy), .errorDetected(), .errorCorrected(), .repairMade(), .helpGiven(),
        .hintUsed(), .scenarioCompleted(scenario: ""), .teamWon(), .objectScanned(label: ""), .conversationEnded(),
        .streakRepaired(date: "2026-02-05"), .streakFrozen(date: "2026-02-05"),
        .streakPaused(from: "2026-02-05", through: "2026-02-05"), .freezeGranted(), .xpAdjusted(amount: 0),
        .currencyAdjusted(currency: "", amount: 0), .itemBought(item: ""), .achievementGranted(achievement: "a"),
        .achievementRevoked(achievement: "a"), .groupJoined(group: "g"),
        .leagueFinished(league: "l", week: "w", tier: "t", xp: 0, outcome: .stayed, next: "t"),
    ]

    @Test func `every type and every field has a constructor`() {
        #expect(Self.full.map(\.type) == Catalogue.types.map(\.name))
        for (event, type) in zip(Self.full, Catalogue.types) {
            #expect(Set(event.data.keys) == Set(type.fields.map(\.name)), "\(type.name)")
        }
        for type in Catalogue.types where type.fields.contains(where: { !$0.isRequired }) {
            let event = Self.bare.first { $0.type == type.name }
            #expect(
                event.map { Set($0.data.keys) } == Set(type.fields.filter(\.isRequired).map(\.name)),
                "\(type.name)"
            )
        }
    }

    @Test func `the engine reads the same values`() async throws {
        let workshop = try Workshop()
        let client = try workshop.client()
        for event in Self.full + Self.bare { try await client.record(event, in: Workshop.context, at: Self.instant) }
        try await client.flush()
        let lines = workshop.delivered.withLock { $0 }
        #expect(lines.count == Self.full.count + Self.bare.count)
        var decoder = EventDecoder()
        for (index, (line, sent)) in zip(lines, Self.full + Self.bare).enumerated() {
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
            // As the engine keeps numbers: a whole one is an integer however it was written.
            #expect(JSONValue.object(event.data).json == reread(.object(sent.data)).json, "\(line)")
        }
    }

    private func reread(_ value: JSONValue) -> JSONValue { JSONValue(validated: Array(value.json.utf8))! }

    /// The nearest value on the wrong side of every bound.
    private static let beyond: [(LearningEvent, String)] = [
        (.learnerUpdated(dailyGoalMinutes: 0), "dailyGoalMinutes"),
        (.learnerUpdated(dailyGoalMinutes: 1441), "dailyGoalMinutes"),
        (.sessionEnded(durationMs: -1), "durationMs"), (.lineSpoken(accuracy: -0.001), "accuracy"),
        (.lineSpoken(accuracy: 1.0.nextUp), "accuracy"), (.lineSpoken(accuracy: .nan), "accuracy"),
        (.lineSpoken(accuracy: .infinity), "accuracy"), (.lineSpoken(errors: -1), "errors"),
        (.lineSpoken(words: 1 << 53 + 1), "words"), (.lineSpoken(durationMs: .min), "durationMs"),
        (.wordEncountered(word: "w", count: -1), "count"),
        (.wordImported(word: "w", masteryLevel: 6), "masteryLevel"),
        (.wordImported(word: "w", easeFactor: 1.29), "easeFactor"),
        (.wordImported(word: "w", intervalDays: 0), "intervalDays"),
        (.wordImported(word: "w", intervalDays: 36_501), "intervalDays"),
        (.wordImported(word: "w", stability: 0), "stability"),
        (.wordImported(word: "w", difficulty: 0.99), "difficulty"),
        (.wordImported(word: "w", difficulty: 10.01), "difficulty"),
        (.wordImported(word: "w", nextReviewAt: Date(timeIntervalSince1970: -0.001)), "nextReviewAt"),
        (.wordImported(word: "w", nextReviewAt: .distantPast), "nextReviewAt"),
        (.wordImported(word: "w", lastReviewedAt: Date(timeIntervalSince1970: 253_402_300_800)), "lastReviewedAt"),
        (.wordImported(word: "w", lastReviewedAt: Date(timeIntervalSince1970: .nan)), "lastReviewedAt"),
        (.wordImported(word: "w", totalReviews: -1), "totalReviews"),
        (.wordImported(word: "w", correctReviews: -1), "correctReviews"),
        (.reviewGraded(word: "w", grade: .good, durationMs: -1), "durationMs"),
        (.scenarioCompleted(scenario: "s", errors: -1), "errors"),
        (.objectScanned(label: "l", confidence: 1.01), "confidence"),
        (.conversationEnded(messages: -1), "messages"), (.conversationEnded(durationMs: -1), "durationMs"),
        (.conversationEnded(wordsUsed: -1), "wordsUsed"), (.conversationEnded(grammarErrors: -1), "grammarErrors"),
        (.conversationEnded(averageResponseMs: -1), "averageResponseMs"),
        (.streakRepaired(date: "2026-02-29"), "date"), (.streakFrozen(date: "5.2.2026"), "date"),
        (.xpAdjusted(amount: 1 << 53 + 1), "amount"), (.xpAdjusted(amount: -(1 << 53) - 1), "amount"),
        (.xpDeclared(total: -1), "total"), (.xpDeclared(total: 1 << 53 + 1), "total"),
        (.streakPaused(from: "2026-02-30", through: "2026-03-01"), "from"),
        (.streakPaused(from: "2026-02-05", through: "2026-02-04"), "through"),
        (.streakPaused(from: "2026-01-01", through: "2027-01-02"), "through"),
        (.freezeGranted(count: 0), "count"), (.freezeGranted(count: 101), "count"),
        (.currencyAdjusted(currency: "g", amount: 1_000_000_000_001), "amount"),
        (.currencyAdjusted(currency: "g", amount: -1_000_000_000_001), "amount"),
        (.itemBought(item: "i", count: 0), "count"), (.itemBought(item: "i", count: 1001), "count"),
        (league(room: 1 << 53 + 1), "room"), (league(rank: 1 << 53 + 1), "rank"), (league(of: 1 << 53 + 1), "of"),
        (league(xp: .nan), "xp"), (.schedulerFitted(parameters: [1], reviews: 1, logLoss: 0), "parameters"),
        (parameters(0, 0.0009), "parameters"), (parameters(20, 0.801), "parameters"),
        (parameters(3, .infinity), "parameters"),
        (.schedulerFitted(parameters: parameters, reviews: -1, logLoss: 0), "reviews"),
        (.schedulerFitted(parameters: parameters, reviews: 1, logLoss: .infinity), "logLoss"),
    ]

    private static func league(
        room: Int? = nil,
        rank: Int? = nil,
        of: Int? = nil,
        xp: Double = 0
    ) -> LearningEvent {
        .leagueFinished(
            league: "l",
            week: "w",
            tier: "t",
            room: room,
            rank: rank,
            of: of,
            xp: xp,
            outcome: .demoted,
            next: "t"
        )
    }

    @Test func `nothing is clamped: what the engine would refuse is refused at once`() async throws {
        let workshop = try Workshop()
        let client = try workshop.client()
        for (event, field) in Self.beyond {
            await #expect("\(event)") { try await client.record(event, in: Workshop.context) } throws: {
                ($0 as? InvalidEvent)?.place == "data.\(field)"
            }
        }
        #expect(await client.status().pending == 0)
        // No bound of the catalogue is without its row.
        let tested = Set(Self.beyond.map { "\($0.0.type) \($0.1)" })
        for type in Catalogue.types {
            for field in type.fields {
                switch (field.constraint, field.type) {
                case (.oneOf, _), (.none, .text), (.none, .boolean), (.none, .textList): break
                default: #expect(tested.contains("\(type.name) \(field.name)"))
                }
            }
        }
    }

    /// Who may send a type stands in the catalogue; the comments repeat it where it matters.
    @Test func `constructors of administrators' events say who may send them`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/LaurelClient/Events").standardized
        let sources = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }
        let paragraphs = sources.flatMap { $0.components(separatedBy: "\n    /// `") }
        for type in Catalogue.types {
            let comment = paragraphs.first { $0.hasPrefix("\(type.name)`: ") }?
                .components(separatedBy: "public static func")[0]
            let administers = type.isAdministered || type.fields.contains(where: \.isAdministered)
            #expect(comment?.contains("Only administrators may send it") == administers, "\(type.name)")
            #expect(comment?.contains("types name `\(type.name)`") == administers, "\(type.name)")
        }
    }
}
