// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Finds the current state of partitions by their versions. As long as the server stays the same, a version only grows.
/// Callers that ask at the same time share one query.
final class VersionPoll: Sendable {
    /// The version of a partition, and the server that reported it.
    struct ServerVersion: Equatable {
        var version: Int64
        var server: Int64
    }

    /// A server's answer about a partition.
    struct Finding {
        var serverVersion: ServerVersion
        var history: PartitionHistory.Content
    }

    /// The callers that share a query.
    private final class Round: @unchecked Sendable {
        var partitions: Set<Int64> = []
        var waiting = 0
        let wake = DispatchSemaphore(value: 0)
        var answer: Result<[Int64: Finding], any Error>?
    }

    private let lock = Lock()
    /// These properties are accessed only while `lock` is held.
    nonisolated(unsafe) private var seen: [Int64: (serverVersion: ServerVersion, version: StoreVersion)] = [:]
    nonisolated(unsafe) private var isAsking = false
    /// The callers that arrived while a query was running.
    nonisolated(unsafe) private var next: Round?

    // MARK: States

    /// The current state of a partition; nil if the server does not know the partition.
    /// - Parameter question: the query for the versions of partitions.
    func version(of partition: Int64, _ question: ([Int64]) throws -> [Int64: Finding]) throws -> StoreVersion? {
        guard let found = try ask(partition, question)[partition] else { return nil }
        return lock.withLock {
            if let cached = cachedVersion(partition, found.serverVersion) { return cached }
            let version = StoreVersion(partition: Int(partition), history: PartitionHistory(found.history))
            // The answer to an earlier query may arrive later.
            if isNew(found.serverVersion, partition) { seen[partition] = (found.serverVersion, version) }
            return version
        }
    }

    /// The cached state of a partition at a version; nil if it is not cached.
    func cachedVersion(_ partition: Int64, _ version: Int64, _ server: Int64) -> StoreVersion? {
        lock.withLock { cachedVersion(partition, ServerVersion(version: version, server: server)) }
    }

    private func cachedVersion(_ partition: Int64, _ serverVersion: ServerVersion) -> StoreVersion? {
        seen[partition].flatMap { $0.serverVersion == serverVersion ? $0.version : nil }
    }

    private func isNew(_ serverVersion: ServerVersion, _ partition: Int64) -> Bool {
        guard let last = seen[partition]?.serverVersion, last.server == serverVersion.server else { return true }
        return last.version <= serverVersion.version
    }

    /// Caches the state that a write has left.
    func note(_ partition: Int64, _ number: Int64, _ server: Int64, _ version: StoreVersion) {
        let serverVersion = ServerVersion(version: number, server: server)
        lock.withLock {
            if isNew(serverVersion, partition) { seen[partition] = (serverVersion, version) }
        }
    }

    // MARK: Asking together

    private func ask(_ partition: Int64, _ question: ([Int64]) throws -> [Int64: Finding]) throws -> [Int64: Finding] {
        let (round, isFirst) = lock.withLock {
            let round = next ?? Round()
            round.partitions.insert(partition)
            if isAsking {
                round.waiting += 1
                next = round
            }
            defer { isAsking = true }
            return (round, !isAsking)
        }
        if !isFirst {
            round.wake.wait()
            if let answer = lock.withLock({ round.answer }) { return try answer.get() }
            // The first caller that the previous round wakes sends the query for all callers of this round.
            lock.withLock { round.waiting -= 1 }
        }
        let answer = Result { try question(round.partitions.sorted()) }
        let waiting = lock.withLock {
            round.answer = answer
            isAsking = next != nil
            next?.wake.signal()
            next = nil
            return round.waiting
        }
        for _ in 0..<waiting { round.wake.signal() }
        return try answer.get()
    }
}

/// Polls a store for writes by any process.
final class VersionProbe: CommitProbe, @unchecked Sendable {
    private let sum: () throws -> [Int64]
    private var seen: [Int64]

    /// Creates a probe.
    /// - Parameter sum: returns numbers that change with every write.
    init(_ sum: @escaping () throws -> [Int64]) throws {
        self.sum = sum
        seen = try sum()
    }

    func hasNewCommits() throws -> Bool {
        let sum = try sum()
        defer { seen = sum }
        return sum != seen
    }

    func close() {}
}
