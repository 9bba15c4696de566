// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelClient

/// A type of the app's own.
private let quest = LearningEvent(type: "quest.finished", data: ["difficulty": 3]).adding("map", "harbour")

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
    for (number, event) in everyEvent.enumerated() where event.type != "session.discarded" {
        use((event.type, event.data))
        try await client.record(event, in: context, at: start.addingTimeInterval(Double(number)))
    }
    let other = PracticeContext(learner: "ben", language: "es", session: "s2")
    tell("recorded", try await client.record([quest, .sessionDiscarded()], in: other, at: start).count)
    do {
        try await client.record(.sessionEnded(durationMs: -1), in: context)
    } catch let error as InvalidEvent {
        tell("invalid", "\(error.type), \(error.place), \(error.message.isEmpty), \(error.description.isEmpty)")
    }
    try await client.flush()
    for await progress in await client.progress {
        tell("delivered", "\(progress.sent == everyEvent.count + 1), pending \(progress.pending)")
        break
    }
    use((client.source, client.unownedExecutor))
    await client.stop()
    await client.close()
    tell("of the client", try await engine.read { try $0.size().events } == everyEvent.count + 1)
    try await useDeliveries(folder)
    try useJournal(folder)
}

private func useJournal(_ folder: URL) throws {
    let journal = try EventJournal(folder: folder.appending(path: "journal"), application: "outside")
    try journal.append([Data("{}".utf8), Data("[]".utf8)])
    use((journal.source, journal.bytes, try journal.oldest(1, bytes: 1)))
    journal.removeOldest(1)
    tell("journal", journal.count)
    journal.close()
}

/// A delivery of the app's own.
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
    // No service listens there.
    let service = HTTPDelivery(URL(string: "http://127.0.0.1:9")!, timeout: 2, credential: { nil })
    use(try? await service.deliver(batch))
    let outbox = folder.appending(path: "shop")
    let client = try LaurelClient(folder: outbox, application: "outside", delivery: Shop(service))
    do {
        try await client.buy("potion", by: "ana", count: 2, id: "7", at: start)
    } catch let refusal as PurchaseRefusal {
        let purchase = refusal.purchase
        use((refusal.code, refusal.message, purchase.learner, purchase.count, purchase.id, purchase.time))
        tell("refused", "\(purchase.item), \(refusal.description)")
    }
    for await progress in await client.progress {
        use(progress.refusedPurchases)
        break
    }
    await client.close()
}

/// A delivery that sells nothing.
private struct Shop: Delivery {
    let service: HTTPDelivery

    init(_ service: HTTPDelivery) { self.service = service }

    func deliver(_ batch: Batch) async throws -> Receipt { try await service.deliver(batch) }

    func buy(_ purchase: ItemPurchase) async throws -> ItemReceipt {
        if let receipt = try? await service.buy(purchase) { return receipt }
        let others: [any Delivery] = [service]
        for other in others { use(try? await other.buy(purchase)) }
        if let receipt = try? await Nowhere().buy(purchase) { return receipt }
        let receipt = ItemReceipt(isDuplicate: false, balances: ["gems": 3])
        let missing = 5 - (receipt.balances["gems"] ?? 0)
        throw PurchaseRefusal(of: purchase, code: "\(receipt.isDuplicate)", message: "\(missing) gems are missing")
    }
}
