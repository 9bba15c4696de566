// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelClient

/// What an app of this package records: one event of every type.
private let fitted = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483,
    0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
]

private let everything: [LearningEvent] = [
    .learnerUpdated(displayName: "Ana", nativeLanguage: "de", dailyGoalMinutes: 10, cohort: "a"),
    .levelDeclared(level: .a2),
    .sessionStarted(mode: .solo, scenario: "cafe", role: "guest", partner: "bot", kind: "dialog"),
    .lineSpoken(
        line: "l1",
        text: "Un café",
        translation: "A coffee",
        role: "guest",
        accuracy: 0.9,
        errors: 1,
        words: 2,
        durationMs: 2000
    ),
    .lineSkipped(line: "l2"),
    .errorDetected(kind: "gender", original: "una café", corrected: "un café", line: "l1"),
    .errorCorrected(kind: "gender", line: "l1"),
    .hintUsed(level: "first"),
    .helpGiven(to: "ben", line: "l1"),
    .repairMade(helped: true, line: "l1", partner: "ben"),
    .teamWon(partner: "ben"),
    .objectScanned(label: "cup", confidence: 0.8),
    .scenarioCompleted(scenario: "cafe", errors: 1),
    .conversationEnded(
        character: "waiter",
        messages: 3,
        durationMs: 60_000,
        wordsUsed: 12,
        grammarErrors: 1,
        averageResponseMs: 900
    ),
    .wordAdded(
        word: "w1",
        .init(
            text: "café",
            translation: "coffee",
            partOfSpeech: "noun",
            category: "food",
            tags: ["a1"],
            origin: "dialog"
        )
    ),
    .wordUpdated(word: "w1", .init(text: "el café")),
    .wordEncountered(word: "w1", count: 2, category: "food"),
    .reviewGraded(word: "w1", grade: .good, durationMs: 1200, mode: "cards"),
    .wordLearned(word: "w1"),
    .wordUnlearned(word: "w1"),
    .wordImported(
        word: "w2",
        masteryLevel: 2,
        easeFactor: 2.5,
        intervalDays: 3,
        stability: 3,
        difficulty: 5,
        nextReviewAt: Date(timeIntervalSince1970: 1_770_500_000),
        lastReviewedAt: Date(timeIntervalSince1970: 1_770_200_000),
        totalReviews: 3,
        correctReviews: 2,
        .init(text: "leche")
    ),
    .wordRemoved(word: "w3"),
    .sessionEnded(durationMs: 600_000, mode: .solo, scenario: "cafe", partner: "bot"),
    .streakFrozen(date: "2026-02-04"),
    .streakRepaired(date: "2026-02-03"),
    .xpAdjusted(amount: 5, reason: "a gift"),
    .achievementGranted(achievement: "first-steps", reason: "a gift"),
    .achievementRevoked(achievement: "first-steps", reason: "an error"),
    .streakPaused(from: "2026-03-01", through: "2026-03-07", reason: "holidays"),
    .freezeGranted(count: 1, reason: "a gift"),
    .currencyAdjusted(currency: "gems", amount: 5, reason: "a gift"),
    .itemBought(item: "hat", count: 1),
    .groupJoined(group: "g1", kind: "friends"),
    .groupLeft(group: "g1"),
    .leagueFinished(
        league: "weekly",
        week: "2026-W05",
        tier: "bronze",
        room: 1,
        rank: 2,
        of: 3,
        xp: 10,
        outcome: LeagueOutcome.allCases.last ?? .promoted,
        next: "bronze"
    ),
    .flagCleared(source: "elsewhere", id: "2"),
    .schedulerFitted(parameters: fitted, reviews: 400, logLoss: 0.3),
    .eventRetracted(source: "elsewhere", id: "1"),
    LearningEvent(type: "quest.finished", data: ["difficulty": 3]).adding("map", "harbour"),
]

/// 2026-02-05, in the afternoon.
private let start = Date(timeIntervalSince1970: 1_770_300_000)

func useClient(_ folder: URL) async throws {
    let engine = try await ProgressEngine.open(folder.appending(path: "client.db"))
    defer { engine.close() }
    var configuration = ClientConfiguration(limits: OutboxLimits(events: 1000), retry: RetryPolicy())
    configuration.timeZone = { TimeZone(identifier: "Europe/Madrid") ?? .gmt }
    use(configuration.retry.delay(afterFailures: 2, random: configuration.random()))
    use((configuration.limits.events, configuration.batchEvents, configuration.batchBytes))
    use((configuration.now(), configuration.timeZone(), configuration.clock))
    let client = try LaurelClient(
        folder: folder.appending(path: "outbox"),
        application: "outside",
        delivery: ClosureDelivery { batch in
            use((batch.source, batch.ids, batch.count))
            let now = start.addingTimeInterval(86_400)
            let report = try await engine.write { try $0.ingest(cloudEvents: batch.ndjson, now: now) }
            return Receipt(refused: report.refused + report.conflicts)
        },
        configuration: configuration
    )
    do {
        use(try LaurelClient(folder: folder.appending(path: "outbox"), application: "outside", delivery: Nowhere()))
    } catch let error as OutboxError {
        let same = OutboxError(error.code, error.message)
        tell("a second one", "\(error.code.rawValue), \(same == error), \(error.message == error.description)")
    }
    await client.start()
    let context = PracticeContext(learner: "ana", language: "es", session: "s1")
    for (number, event) in everything.enumerated() {
        use((event.type, event.data))
        try await client.record(event, in: context, at: start.addingTimeInterval(Double(number)))
    }
    let declared: [LearningEvent] = [.xpDeclared(total: 500), .sessionDiscarded()]
    let other = PracticeContext(learner: "ben", language: "es", session: "s2")
    tell("recorded", everything.count + (try await client.record(declared, in: other, at: start)).count)
    do {
        try await client.record(.sessionEnded(durationMs: -1), in: context)
    } catch let error as InvalidEvent {
        tell("invalid", "\(error.type), \(error.place), \(error.message.isEmpty), \(error.description.isEmpty)")
    }
    try await client.flush()
    for await progress in await client.progress {
        tell("delivered", "\(progress.sent), pending \(progress.pending)")
        break
    }
    use((client.source, client.unownedExecutor))
    await client.stop()
    await client.close()
    tell("of the client", try await engine.read { try $0.size().events })
    try await useDeliveries(folder)
}

/// A delivery of one's own.
private struct Nowhere: Delivery {
    func deliver(_ batch: Batch) async throws -> Receipt {
        throw DeliveryError("there is no way", isRetryable: false)
    }
}

private func useDeliveries(_ folder: URL) async throws {
    let file = FileDelivery(folder.appending(path: "delivered.ndjson"))
    let batch = Batch(source: "outside", ids: ["1"], ndjson: Data("{}\n".utf8))
    let deliveries: [any Delivery] = [file, ClosureDelivery { _ in .accepted }]
    for delivery in deliveries { tell("refused", try await delivery.deliver(batch).refused) }
    use((try await file.deliver(batch), try await ClosureDelivery { _ in .accepted }.deliver(batch)))
    // Nobody listens there.
    let service = HTTPDelivery(URL(string: "http://127.0.0.1:9")!, timeout: 2, credential: { nil })
    use(try? await service.deliver(batch))
}
