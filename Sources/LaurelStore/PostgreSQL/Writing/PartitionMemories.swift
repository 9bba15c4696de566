// SPDX-License-Identifier: Apache-2.0

/// This process's cached data of the partitions that it has written lately.
final class PartitionMemories: Sendable {
    private struct Entry {
        let memory: PartitionMemory
        var users = 0
        var lastUse = 0
    }

    private let lock = Lock()
    /// The cached data by partition. Accessed only while `lock` is held.
    nonisolated(unsafe) private var entries: [Int: Entry] = [:]
    nonisolated(unsafe) private var uses = 0

    /// The maximum number of entries, unless more are in use. Each entry caches some hundred learners.
    private static let most = 256

    /// Locks the cached data of partitions, and runs `body` with them.
    /// - Parameters:
    ///   - partitions: the partitions, ascending and without duplicates.
    ///   - failure: the error to throw if another thread still writes to one of the partitions at the deadline.
    func with<T>(
        _ partitions: [Int],
        before deadline: Deadline,
        else failure: () throws -> StoreError,
        _ body: ([PartitionMemory]) throws -> T
    ) throws -> T {
        let memories = lock.withLock { partitions.map(take) }
        defer { lock.withLock { release(partitions) } }
        return try memories.map(\.lock).withAll(before: deadline, else: failure) { try body(memories) }
    }

    private func take(_ partition: Int) -> PartitionMemory {
        uses += 1
        var entry = entries[partition] ?? Entry(memory: PartitionMemory(partition))
        entry.users += 1
        entry.lastUse = uses
        entries[partition] = entry
        return entry.memory
    }

    private func release(_ partitions: [Int]) {
        for partition in partitions { entries[partition]?.users -= 1 }
        while entries.count > Self.most, removeOldest() {}
    }

    /// Removes the entry that was used least recently, and is not in use.
    /// - Returns: false if all entries are in use.
    private func removeOldest() -> Bool {
        let oldest = entries.filter { $0.value.users == 0 }.min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { entries[oldest.key] = nil }
        return oldest != nil
    }
}
