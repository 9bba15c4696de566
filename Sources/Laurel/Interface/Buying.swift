// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelEvents
public import LaurelResults
public import LaurelWire

/// A purchase of items that the rules sell.
public struct Purchase: Sendable, Hashable {
    /// The learner's id.
    public var learner: String
    /// The item, as the rules name it.
    public var item: String
    /// The number of items, 1 … 1000.
    public var count = 1
    /// The id of the purchase. A purchase that is sent again with the same id and time is stored once.
    public var id = UUID().uuidString
    /// The time of the purchase, with the learner's offset if it is known.
    public var time = Timestamp(milliseconds: Date().milliseconds)
    /// The IANA name of the learner's time zone; nil if the time's offset decides.
    public var timezone: String?
    /// The buyer, for the audit log; nil for no entry.
    public var actor: AuditActor?

    /// Creates a purchase at the present time.
    public init(of item: String, by learner: String) { (self.item, self.learner) = (item, learner) }

    /// The `source` of the events that store purchases.
    public static let source = "laurel/shop"

    fileprivate var event: Event {
        Event(
            id: id,
            source: Purchase.source,
            type: "item.bought",
            subject: learner,
            time: time,
            timezone: timezone,
            data: ["item": .string(item), "count": .integer(Int64(count))]
        )
    }
}

extension ProgressEngine {
    /// Buys items. The purchase takes the items' price from the learner's balances. The learner gets the effects that
    /// the rules define for the items.
    /// If a balance is enough for only one of two simultaneous purchases, the other one is refused. The purchase and
    /// the progress are durable when the method returns.
    /// - Throws: ``EngineError`` of code ``EngineError/Code/insufficientBalance``, ``EngineError/Code/limitReached``,
    ///   ``EngineError/Code/tooEarly`` or ``EngineError/Code/unknownItem`` if the purchase is refused; then nothing
    ///   is stored.
    /// - Complexity: O(events of the learner).
    @discardableResult
    public func buy(_ purchase: Purchase, now: Date = Date()) throws(EngineError) -> PurchaseReceipt {
        try EngineError.translating {
            var request = IngestRequest(.event, purchase.event.encoded)
            request.name = "purchase"
            (request.isAtomic, request.isPurchase) = (true, true)
            request.actor = purchase.actor
            (request.progressLimit, request.progressInstant) = (1, purchase.time)
            let report = try store(request, now: now)
            return PurchaseReceipt(
                id: purchase.id,
                item: purchase.item,
                count: purchase.count,
                isDuplicate: report.duplicates > 0,
                progress: report.progress?.first ?? LearnerProgress(learner: purchase.learner)
            )
        }
    }

    /// Stores a request of one event.
    /// - Throws: ``EngineError`` if the event is neither stored nor a duplicate.
    func store(_ request: IngestRequest, now: Date) throws -> RequestReport {
        switch try GroupIngest(self, now: now.milliseconds, nil).run([request])[0] {
        case .done(let report):
            if let problem = report.problems.first { throw EngineError(refusing: problem) }
            return report
        case .nothingStored(let report):
            throw report.problems.first.map(EngineError.init(refusing:))
                ?? EngineError(.invalidRequest, "the \(request.name) was not stored")
        case .notAllowed(let problem): throw EngineError(refusing: problem)
        case .unreadable(let message): throw EngineError(.invalidRequest, message)
        case .failed(let error): throw error
        }
    }
}

extension EngineError {
    private static let ofPurchases: [Code] = [.insufficientBalance, .limitReached, .tooEarly, .unknownItem, .conflict]

    /// The error of an event, such as a purchase, that was not stored.
    fileprivate init(refusing problem: RequestReport.Problem) {
        let code = EngineError.ofPurchases.first { $0.rawValue == problem.code }
        self.init(code ?? .invalidRequest, problem.message)
    }
}
