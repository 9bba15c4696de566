// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Records learners' events, and delivers them. A recorded event is durable before `record` returns. The client works
/// offline for any time. The store counts each event once.
///
/// ```swift
/// let client = try LaurelClient(folder: outbox, application: "dialog-trainer", delivery: FileDelivery(inbox))
/// await client.start()
/// let ana = PracticeContext(learner: "ana", language: "es", session: "s1")
/// try await client.record(.lineSpoken(line: "1", accuracy: 0.92), in: ana)
/// ```
///
/// Only one client at a time can open an outbox. The client reads and writes files on a separate thread.
public actor LaurelClient {
    nonisolated private let executor = FileExecutor()
    nonisolated public var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The `source` of all events: this installation of the app. A new installation has a new source.
    nonisolated public let source: String

    private let outbox: Outbox
    private let delivery: any Delivery
    private let configuration: ClientConfiguration
    private var status = DeliveryProgress()
    private var observers: [Int: AsyncStream<DeliveryProgress>.Continuation] = [:]
    private var nextObserver = 0
    /// The tasks that wait for the next commit.
    private var committing: [CheckedContinuation<Void, any Error>] = []
    private var sending: Task<Void, any Error>?
    private var runner: Task<Void, Never>?
    private var wakeUp: AsyncStream<Void>.Continuation?
    private var inFlight = 0

    private typealias Entry = (number: UInt64, event: [UInt8])

    /// Opens an outbox, and creates it if it does not exist. The waiting events are read, so call the initializer off
    /// the main thread if there may be many.
    /// - Parameters:
    ///   - folder: a folder that contains only the outbox. It must not be in a cache, which the system may empty, or be
    ///     shared between devices.
    ///   - application: the app's name, with which events' `source` begins; 1 to 200 bytes without control characters.
    ///   - delivery: delivers batches to the engine.
    ///   - configuration: limits and retry rules.
    /// - Throws: ``OutboxError``.
    public init(
        folder: URL,
        application: String,
        delivery: some Delivery,
        configuration: ClientConfiguration = ClientConfiguration()
    ) throws {
        try Outbox.check(application: application)
        guard configuration.limits.events > 0, configuration.limits.bytes > 0, configuration.batchEvents > 0 else {
            throw OutboxError(.invalidConfiguration, "limits.events, limits.bytes and batchEvents must be 1 or more")
        }
        outbox = try Outbox(folder: folder.path, application: application, limits: configuration.limits)
        source = outbox.source
        self.delivery = delivery
        self.configuration = configuration
        status.pending = outbox.waiting.count
        status.pendingBytes = outbox.waiting.bytes
    }

    deinit {
        wakeUp?.finish()
        for observer in observers.values { observer.finish() }
    }

    // MARK: Recording

    /// Records an event. When the function returns, the event survives a kill of the process and a power failure.
    /// - Parameters:
    ///   - event: the learner's action.
    ///   - context: the learner, the language and the session.
    ///   - time: the time of the event, stored in milliseconds; nil for now.
    /// - Throws: ``InvalidEvent``; or ``OutboxError``, after which the event may or may not be delivered.
    @discardableResult
    public func record(
        _ event: LearningEvent,
        in context: PracticeContext,
        at time: Date? = nil
    ) async throws -> EventIdentity {
        try await record([event], in: context, at: time)[0]
    }

    /// Records events with the same time. If any event is invalid or the outbox is too full, no event is recorded. One
    /// disk synchronization makes the events durable, together with events that other tasks record in the meantime.
    /// - Throws: the errors of ``record(_:in:at:)-(LearningEvent,_,_)``.
    @discardableResult
    public func record(
        _ events: [LearningEvent],
        in context: PracticeContext,
        at time: Date? = nil
    ) async throws -> [EventIdentity] {
        guard status.state != .closed else { throw OutboxError(.closed, "the client was closed") }
        guard !events.isEmpty else { return [] }
        try outbox.reserve(events.count)
        let first = outbox.next
        let lines = try encode(events, context, try timestamp(time))
        try outbox.stage(lines, inFlight: inFlight)
        try await committed()
        return events.indices.map { EventIdentity(source: source, id: String(first + UInt64($0))) }
    }

    private func encode(
        _ events: [LearningEvent],
        _ context: PracticeContext,
        _ time: Timestamp
    ) throws(InvalidEvent) -> [[UInt8]] {
        let now = configuration.now().milliseconds ?? time.milliseconds
        var lines: [[UInt8]] = []
        for (index, event) in events.enumerated() {
            let event = Event(
                id: String(outbox.next + UInt64(index)),
                source: source,
                type: event.type,
                subject: context.learner,
                time: time,
                language: context.language,
                session: context.session,
                data: event.data
            )
            try event.check(now: now)
            lines.append(event.encoded)
        }
        return lines
    }

    /// The instant with the offset of the learner's clock.
    private func timestamp(_ time: Date?) throws(InvalidEvent) -> Timestamp {
        let time = time ?? configuration.now()
        guard let milliseconds = time.milliseconds else {
            throw InvalidEvent(
                type: "event",
                place: "time",
                message: "is \(time.shown); the years go from 1970 to 9999 (UTC)"
            )
        }
        let minutes = configuration.timeZone().secondsFromGMT(for: time) / 60
        return Timestamp(milliseconds: milliseconds, offset: .minutes(Int16(minutes)))
    }

    /// Returns when all staged events are durable. All tasks that call it before the commit starts share the commit.
    private func committed() async throws {
        try await withCheckedThrowingContinuation { continuation in
            committing.append(continuation)
            if committing.count == 1 { Task { commit() } }
        }
    }

    private func commit() {
        let waiting = committing
        committing = []
        let result = Result { try outbox.commit() }
        publish()
        wakeUp?.yield()
        for continuation in waiting { continuation.resume(with: result) }
    }
}

// MARK: Buying

extension LaurelClient {
    /// Buys items through ``Delivery/buy(_:)``. The waiting events are delivered first, because the learner may have
    /// earned the price with them.
    /// - Parameters:
    ///   - item: the item's name in the rules.
    ///   - learner: the learner's id.
    ///   - count: the number of items, 1 … 1000.
    ///   - id: the id of the purchase. If the same purchase is sent again with the same id and time, it is stored only
    ///     once.
    ///   - time: the time of the purchase; nil for now.
    ///   - queues: true to store a purchase in the outbox if it cannot be delivered now. If it is refused later,
    ///     ``DeliveryProgress/refusedPurchases`` lists it.
    /// - Returns: the receipt; nil if the purchase waits in the outbox.
    /// - Throws: ``PurchaseRefusal``, the errors of ``flush()``, or those of recording an event.
    @discardableResult
    public func buy(
        _ item: String,
        by learner: String,
        count: Int = 1,
        id: String = UUID().uuidString,
        at time: Date? = nil,
        queues: Bool = false
    ) async throws -> ItemReceipt? {
        let time = try timestamp(time)
        let bought = LearningEvent.itemBought(item: item, count: count)
        let event = Event(
            id: id,
            source: ItemPurchase.source,
            type: bought.type,
            subject: learner,
            time: time,
            data: bought.data
        )
        try event.check(now: configuration.now().milliseconds ?? time.milliseconds)
        do {
            try await flush()
            let purchase = ItemPurchase(learner: learner, item: item, count: count, id: id, time: time.description)
            return try await delivery.buy(purchase)
        } catch {
            guard queues, mayBeDeliveredLater(error) else { throw error }
        }
        guard status.state != .closed else { throw OutboxError(.closed, "the client was closed") }
        try outbox.reserve(1)
        try outbox.stage([event.encoded], inFlight: inFlight)
        try await committed()
        return nil
    }

    private func mayBeDeliveredLater(_ error: any Error) -> Bool {
        switch error {
        case is OutboxError, is PurchaseRefusal: false
        case let error as DeliveryError: error.isRetryable
        default: true
        }
    }

    /// Delivers events, or a purchase.
    private func deliver(_ entries: [Entry]) async throws -> Receipt {
        guard let purchase = ItemPurchase(event: entries[0].event) else {
            return try await delivery.deliver(batch(entries))
        }
        do {
            _ = try await delivery.buy(purchase)
            return .accepted
        } catch let refusal as PurchaseRefusal {
            status.add(refusal)
            return Receipt(refused: 1, message: refusal.message)
        }
    }

    /// The first entries that can be delivered together. They are events, or a single purchase.
    private func ofOneDelivery(_ entries: [Entry]) -> [Entry] {
        let purchase = entries.firstIndex { ItemPurchase(event: $0.event) != nil }
        return Array(entries.prefix(purchase.map { max($0, 1) } ?? entries.count))
    }
}

// MARK: Delivering

extension LaurelClient {
    /// Starts delivery in the background. It continues until ``stop()`` or ``close()``.
    public func start() {
        guard status.state != .closed else { return }
        if status.state == .blocked { status.state = .idle }
        guard runner == nil else {
            wakeUp?.yield()
            return
        }
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        wakeUp = continuation
        continuation.yield()
        runner = Task { [weak self] in
            for await _ in signals { await self?.drain() }
        }
    }

    /// Stops delivery in the background. Undelivered events remain in the outbox, and events can still be recorded.
    public func stop() async {
        wakeUp?.finish()
        wakeUp = nil
        let running = runner
        runner = nil
        running?.cancel()
        await running?.value
    }

    /// Delivers the events that wait now, for example when the app goes to the background. Failures are not retried.
    /// - Throws: the errors of the delivery. Undelivered events remain in the outbox.
    public func flush() async throws {
        guard status.state != .closed else { throw OutboxError(.closed, "the client was closed") }
        let end = outbox.next
        while let first = outbox.waiting.all.first, first.number < end { try await send() }
    }

    /// Stops delivery, waits for a batch that is being sent, and closes the outbox. After that, recording throws an
    /// error.
    public func close() async {
        guard status.state != .closed else { return }
        await stop()
        _ = try? await sending?.value
        commit()
        status.state = .closed
        // If closing fails, some reserved event numbers stay unused, which is harmless.
        try? outbox.close()
        publish()
        for observer in observers.values { observer.finish() }
        observers = [:]
    }

    /// Delivers until no event waits. Pauses after a failure.
    private func drain() async {
        while outbox.waiting.count > 0, !Task.isCancelled, status.state != .blocked {
            do {
                try await send()
            } catch {
                guard status.state != .blocked else { return }
                await pause((error as? DeliveryError)?.retryAfter)
            }
        }
    }

    private func pause(_ atLeast: Duration?) async {
        let jittered = configuration.retry.delay(afterFailures: status.failures, random: configuration.random())
        let delay = max(jittered, atLeast ?? .zero)
        status.state = .waiting(delay)
        publish()
        try? await configuration.clock.sleep(for: delay)
        if case .waiting = status.state { status.state = .idle }
    }

    /// Delivers one batch, or waits for the batch that is being sent.
    private func send() async throws {
        if let sending { return try await sending.value }
        let task = Task { try await sendOldest() }
        sending = task
        try await task.value
    }

    private func sendOldest() async throws {
        defer { sending = nil }
        do {
            let waiting = try outbox.oldest(events: configuration.batchEvents, bytes: configuration.batchBytes)
            let oldest = ofOneDelivery(waiting)
            guard !oldest.isEmpty else { return }
            inFlight = oldest.count
            status.state = .sending(oldest.count)
            publish()
            let receipt = try await deliver(oldest)
            outbox.removeDelivered(oldest.count)
            status.sent += oldest.count
            status.refused += receipt.refused
            status.failures = 0
            status.lastProblem = receipt.message
            finish(.idle)
        } catch {
            status.failures += 1
            status.lastProblem = "\(error)"
            finish((error as? DeliveryError)?.isRetryable ?? true ? .idle : .blocked)
            throw error
        }
    }

    private func finish(_ state: DeliveryProgress.State) {
        inFlight = 0
        status.state = state
        publish()
    }

    private func batch(_ events: [Entry]) -> Batch {
        var lines = Data()
        for (_, event) in events {
            lines.append(contentsOf: event)
            lines.append(UInt8(ascii: "\n"))
        }
        return Batch(source: source, ids: events.map { String($0.number) }, ndjson: lines)
    }
}

// MARK: Progress

extension LaurelClient {
    /// The progress of delivery. The first element is the present state; each further element is the latest state after
    /// a change. The sequence ends when the client is closed. Each reader gets a separate sequence. A slow reader may
    /// miss intermediate states, but never the last state.
    public var progress: AsyncStream<DeliveryProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuation.yield(status)
            guard status.state != .closed else { return continuation.finish() }
            let observer = nextObserver
            nextObserver += 1
            observers[observer] = continuation
            continuation.onTermination = { [weak self] _ in
                Task { [weak self] in await self?.removeObserver(observer) }
            }
        }
    }

    private func removeObserver(_ observer: Int) { observers[observer] = nil }

    private func publish() {
        status.pending = outbox.waiting.count
        status.pendingBytes = outbox.waiting.bytes
        status.dropped = outbox.dropped
        for observer in observers.values { observer.yield(status) }
    }
}
