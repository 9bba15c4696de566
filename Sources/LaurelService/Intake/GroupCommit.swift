// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import Synchronization

/// The one writer: it stores what waits in one transaction, and what comes meanwhile in the next. Nobody waits for company.
final class GroupCommit: Sendable {
    /// Events that wait to be stored.
    struct Item: Sendable {
        var request: IngestRequest
        /// Told on the writer's thread what came of it.
        var done: @Sendable (Result<IngestOutcome, Problem>) -> Void
    }

    /// A job that needs the store to itself, such as an erasure.
    private enum Entry: Sendable {
        case item(Item)
        case job(@Sendable () -> Void)
    }

    private struct State {
        var entries: [Entry] = []
        var first = 0
        var bytes = 0
        var isClosed = false
        var waiting: [@Sendable () -> Void] = []
    }

    static let mostRequests = 1024
    static let mostBytes = 4 << 20
    static let mostEvents = 20_000
    /// What an event takes at least, about.
    private static let eventBytes = 160

    private let engine: ProgressEngine
    private let metrics: Metrics
    private let watch: IntakeWatch
    private let didCommit: @Sendable () -> Void
    /// Bytes that may wait.
    private let limit: Int
    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    init(
        _ engine: ProgressEngine,
        _ metrics: Metrics,
        _ watch: IntakeWatch = IntakeWatch(),
        limit: Int = 64 << 20,
        didCommit: @escaping @Sendable () -> Void = {}
    ) {
        (self.engine, self.metrics, self.watch, self.limit) = (engine, metrics, watch, limit)
        self.didCommit = didCommit
        let thread = Thread { [self] in
            Thread.current.name = "laurel writes"
            while run() {}
            ended.signal()
        }
        thread.start()
    }

    /// Whether there is room for a further body.
    var hasRoom: Bool { state.withLock { $0.bytes < limit } }
    var backlog: Int { state.withLock { $0.entries.count - $0.first } }

    /// Calls back once there is room again, or at once.
    func whenThereIsRoom(_ body: @escaping @Sendable () -> Void) {
        let hasRoom = state.withLock { state in
            if state.bytes >= limit { state.waiting.append(body) }
            return state.bytes < limit
        }
        if hasRoom { body() }
    }

    func add(_ item: Item) {
        let isTaken = state.withLock { state in
            guard !state.isClosed else { return false }
            state.entries.append(.item(item))
            state.bytes += item.request.bytes.count
            return true
        }
        if isTaken {
            work.signal()
        } else {
            item.done(.failure(.busy("the service is ending", code: "shutting-down", after: 2)))
        }
    }

    /// Runs a job between two transactions.
    /// - Returns: false where all has ended.
    func add(_ job: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = state.withLock { state in
            if !state.isClosed { state.entries.append(.job(job)) }
            return !state.isClosed
        }
        if isTaken { work.signal() }
        return isTaken
    }

    /// Stores what waits, and then no more.
    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        work.signal()
        ended.wait()
    }

    // MARK: The thread

    /// - Returns: false at the end.
    private func run() -> Bool {
        work.wait()
        // Each signal was for one entry, and one turn takes many.
        while work.wait(timeout: .now()) == .success {}
        while true {
            let (items, job, isClosed) = take()
            if let job { job() }
            if !items.isEmpty { store(items) }
            if items.isEmpty, job == nil { return !isClosed }
        }
    }

    /// What the next transaction is of: as many as may be joined, or one that is all or nothing.
    private func take() -> ([Item], (@Sendable () -> Void)?, Bool) {
        let (items, job, isClosed, waiting) = state.withLock { state in
            var items: [Item] = []
            var job: (@Sendable () -> Void)?
            var bytes = 0
            loop: while state.first < state.entries.count, items.count < Self.mostRequests {
                switch state.entries[state.first] {
                case .job(let next):
                    if items.isEmpty {
                        job = next
                        state.first += 1
                    }
                    break loop
                case .item(let item):
                    let size = item.request.bytes.count
                    let isTooMuch = bytes + size > min(Self.mostBytes, Self.mostEvents * Self.eventBytes)
                    if !items.isEmpty, isTooMuch || item.request.isAtomic { break loop }
                    items.append(item)
                    bytes += size
                    state.first += 1
                    if item.request.isAtomic { break loop }
                }
            }
            state.bytes -= bytes
            if state.first == state.entries.count {
                (state.entries, state.first) = ([], 0)
            } else if state.first > 4096 {
                state.entries.removeFirst(state.first)
                state.first = 0
            }
            var waiting: [@Sendable () -> Void] = []
            if state.bytes < limit { swap(&waiting, &state.waiting) }
            return (items, job, state.isClosed, waiting)
        }
        for body in waiting { body() }
        return (items, job, isClosed)
    }

    private func store(_ items: [Item]) {
        let start = ContinuousClock.now
        do throws(EngineError) {
            let now = Date()
            let requests = items.map { item in
                var request = item.request
                request.tally = IntakeTally()
                return request
            }
            let outcomes = try engine.ingest(together: requests, now: now)
            for (request, outcome) in zip(requests, outcomes) { watch.note(request.tally, outcome, at: now) }
            metrics.noteCommit(requests: items.count, seconds: start.duration(to: .now).inSeconds, outcomes)
            for (item, outcome) in zip(items, outcomes) { item.done(.success(outcome)) }
            didCommit()
        } catch {
            metrics.noteFailedCommit()
            let isOnlyOne = items.count == 1
            // What one request has met must not be the end of all; a store that cannot be written fails them all.
            if isOnlyOne || [.busy, .diskFull, .ioError].contains(error.code) {
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
