// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelSystem
import Synchronization

/// Writes events to the store. All waiting requests are stored in one transaction. Requests that arrive in the meantime
/// are stored in the next transaction. A single request is never delayed to form a batch.
///
/// A store with several partitions has two writers: one computes while the other waits for the database. More writers
/// would spread the requests over more transactions, and each transaction costs the database as much as many requests.
///
/// Small requests and pieces of large uploads take turns, so that a small request waits for at most one piece.
final class GroupCommit: Sendable {
    /// A request that waits to be stored.
    final class Item: Sendable {
        let request: IngestRequest
        /// Called on the writer's thread with the outcome.
        let done: @Sendable (Result<IngestOutcome, Problem>) -> Void

        init(request: IngestRequest, done: @escaping @Sendable (Result<IngestOutcome, Problem>) -> Void) {
            (self.request, self.done) = (request, done)
        }
    }

    /// The items, in the order of arrival.
    private struct Queue {
        private var items: [Item] = []
        private var start = 0

        var count: Int { items.count - start }
        var first: Item? { start < items.count ? items[start] : nil }

        mutating func append(_ item: Item) { items.append(item) }

        mutating func removeFirst() {
            start += 1
            if start == items.count {
                (items, start) = ([], 0)
            } else if start > 4096 {
                items.removeFirst(start)
                start = 0
            }
        }
    }

    private struct State {
        var small = Queue()
        var large = Queue()
        /// True if the latest transaction stored large items.
        var wasLarge = false
        /// The time of the latest small item, in seconds of a monotonic clock.
        var smallAt = -Double.infinity
        var bytes = 0
        var isClosed = false
        var waiting: [@Sendable () -> Void] = []
    }

    static let mostRequests = 1024
    static let mostBytes = 4 << 20
    static let mostEvents = 20_000
    /// The size in bytes from which an item counts as large.
    private static let largeItem = 64 << 10
    /// The number of an upload's lines in a transaction, as long as small requests also arrive.
    private static let sharedLines = 500
    /// The number of seconds after a small request in which further small requests are expected.
    private static let sharedSeconds = 1.0
    private static let mostWriters = 2
    /// The approximate minimum size of an event, in bytes.
    private static let eventBytes = 160

    private let engine: ProgressEngine
    private let metrics: Metrics
    private let health: StoreHealth
    private let watch: IntakeWatch
    private let didCommit: @Sendable () -> Void
    /// The maximum number of bytes that may wait.
    private let limit: Int
    private let writers: Int
    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the writers.
    /// - Throws: ``EngineError/outOfThreads``.
    init(
        _ engine: ProgressEngine,
        _ metrics: Metrics,
        _ health: StoreHealth,
        _ watch: IntakeWatch = IntakeWatch(),
        limit: Int = 64 << 20,
        didCommit: @escaping @Sendable () -> Void = {}
    ) throws(EngineError) {
        (self.engine, self.metrics, self.health, self.watch, self.limit) = (engine, metrics, health, watch, limit)
        self.didCommit = didCommit
        writers = min(engine.partitions, Self.mostWriters)
        for _ in 0..<writers {
            let isRunning = SystemThread.start("laurel writes") { [self] in
                while run() {}
                ended.signal()
            }
            guard isRunning else { throw .outOfThreads }
        }
    }

    /// True if the queue has room for another body.
    var hasRoom: Bool { state.withLock { $0.bytes < limit } }
    var backlog: Int { state.withLock { $0.small.count + $0.large.count } }
    /// The filled share of the queue, from 0. The last accepted body may raise the share above 1.
    var filled: Double { state.withLock { Double($0.bytes) / Double(max(1, limit)) } }

    /// The number of an upload's lines that one transaction should store.
    var linesOfPiece: Int {
        let now = ProcessInfo.processInfo.systemUptime
        let isShared = state.withLock { now - $0.smallAt < Self.sharedSeconds }
        return isShared ? Self.sharedLines : IngestRequest.mostEvents
    }

    /// Calls `body` as soon as the queue has room, possibly at once.
    func whenThereIsRoom(_ body: @escaping @Sendable () -> Void) {
        let hasRoom = state.withLock { state in
            if state.bytes >= limit { state.waiting.append(body) }
            return state.bytes < limit
        }
        if hasRoom { body() }
    }

    func add(_ item: Item) {
        let now = ProcessInfo.processInfo.systemUptime
        let isAccepted = state.withLock { state in
            guard !state.isClosed else { return false }
            if item.request.bytes.count < Self.largeItem {
                state.small.append(item)
                state.smallAt = now
            } else {
                state.large.append(item)
            }
            state.bytes += item.request.bytes.count
            return true
        }
        if isAccepted {
            work.signal()
        } else {
            item.done(.failure(.busy("the service is ending", code: "shutting-down", after: 2)))
        }
    }

    /// Stores a request in a transaction with other waiting requests, and blocks the thread until it is stored.
    func outcome(of request: IngestRequest) throws(Problem) -> IngestOutcome {
        let result = Mutex<Result<IngestOutcome, Problem>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        add(
            Item(request: request) { outcome in
                result.withLock { $0 = outcome }
                isDone.signal()
            }
        )
        isDone.wait()
        return try result.withLock { $0! }.get()
    }

    /// Stops accepting requests, and stores the waiting ones.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        for _ in 0..<writers { work.signal() }
        for _ in 0..<writers { ended.wait() }
    }

    // MARK: Writing

    /// Waits for items, and stores all items that wait.
    /// - Returns: false if the writer must end.
    private func run() -> Bool {
        work.wait()
        // There is one signal per item, but one turn stores many items. With a single writer, the remaining signals are
        // removed. Otherwise, they wake the other writer.
        if writers == 1 { while work.wait(timeout: .now()) == .success {} }
        while true {
            let (items, isClosed) = take()
            guard !items.isEmpty else { return !isClosed }
            store(items)
        }
    }

    /// Removes the items of the next transaction from the queues.
    private func take() -> (items: [Item], isClosed: Bool) {
        let (items, isClosed, waiting) = state.withLock { state in
            let isLargeTurn = state.small.count == 0 || (state.large.count > 0 && !state.wasLarge)
            let items =
                isLargeTurn
                ? Self.take(state.small.count > 0 ? 1 : Self.mostRequests, from: &state.large)
                : Self.take(Self.mostRequests, from: &state.small)
            state.wasLarge = isLargeTurn
            state.bytes -= items.reduce(0) { $0 + $1.request.bytes.count }
            var waiting: [@Sendable () -> Void] = []
            if state.bytes < limit { swap(&waiting, &state.waiting) }
            return (items, state.isClosed, waiting)
        }
        for body in waiting { body() }
        return (items, isClosed)
    }

    /// Removes items from a queue: as many as one transaction can store, or a single atomic item.
    private static func take(_ most: Int, from queue: inout Queue) -> [Item] {
        var items: [Item] = []
        var bytes = 0
        while let item = queue.first, items.count < most {
            let size = item.request.bytes.count
            let isTooMuch = bytes + size > min(mostBytes, mostEvents * eventBytes)
            if !items.isEmpty, isTooMuch || item.request.isAtomic { break }
            items.append(item)
            bytes += size
            queue.removeFirst()
            if item.request.isAtomic { break }
        }
        return items
    }

    private func store(_ items: [Item]) {
        let start = ContinuousClock.now
        do throws(EngineError) {
            let (now, tally) = (Date(), IntakeCounts())
            let outcomes = try engine.ingest(together: items.map(\.request), now: now, counting: tally)
            health.noteSuccess()
            watch.note(tally, outcomes, at: now)
            metrics.noteCommit(requests: items.count, seconds: start.duration(to: .now).inSeconds, outcomes)
            for (item, outcome) in zip(items, outcomes) { item.done(.success(outcome)) }
            didCommit()
        } catch {
            metrics.noteFailedCommit(error.code)
            health.note(error)
            let isOnlyOne = items.count == 1
            // An error in one request must not fail the other requests. But if the store cannot be written to, all
            // requests fail.
            if isOnlyOne || error.code.failsEveryWrite || error.code == .outcomeUnknown {
                for item in items { item.done(.failure(Problem(error))) }
            } else {
                for item in items { store([item]) }
            }
        }
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
