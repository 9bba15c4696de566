// SPDX-License-Identifier: Apache-2.0

/// The writers of the partitions that were written lately.
final class PartitionWriters: Sendable {
    private struct Entry {
        let writer: PostgreSQLWriter
        var users = 0
        var lastUse = 0
    }

    private let make: @Sendable (Int64) -> PostgreSQLWriter
    private let lock = Lock()
    /// Used with `lock` held only.
    nonisolated(unsafe) private var entries: [Int64: Entry] = [:]
    nonisolated(unsafe) private var uses = 0

    /// More are not kept: each knows some hundred learners.
    private static let most = 256

    init(_ make: @escaping @Sendable (Int64) -> PostgreSQLWriter) { self.make = make }

    /// Runs `body` with the writers of some partitions, which nobody else uses meanwhile.
    /// - Parameter partitions: ascending, each once.
    func withWriters<T>(of partitions: [Int], _ body: ([PostgreSQLWriter]) throws -> T) rethrows -> T {
        let writers = lock.withLock { partitions.map { take(Int64($0)) } }
        defer { lock.withLock { giveBack(partitions) } }
        return try writers.map(\.lock).withAll { try body(writers) }
    }

    private func take(_ partition: Int64) -> PostgreSQLWriter {
        uses += 1
        var entry = entries[partition] ?? Entry(writer: make(partition))
        entry.users += 1
        entry.lastUse = uses
        entries[partition] = entry
        return entry.writer
    }

    private func giveBack(_ partitions: [Int]) {
        for partition in partitions { entries[Int64(partition)]?.users -= 1 }
        while entries.count > Self.most, removeOldest() {}
    }

    /// - Returns: whether there was one that nobody uses.
    private func removeOldest() -> Bool {
        let oldest = entries.filter { $0.value.users == 0 }.min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { entries[oldest.key] = nil }
        return oldest != nil
    }
}
