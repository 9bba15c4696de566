// SPDX-License-Identifier: Apache-2.0

/// The writers of the buckets that were written lately.
final class BucketWriters: Sendable {
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

    /// Runs `body` with the writers of some buckets, which nobody else uses meanwhile.
    /// - Parameter buckets: ascending, each once.
    func withWriters<T>(of buckets: [Int], _ body: ([PostgreSQLWriter]) throws -> T) rethrows -> T {
        let writers = lock.withLock { buckets.map { take(Int64($0)) } }
        defer { lock.withLock { giveBack(buckets) } }
        return try writers.map(\.lock).withAll { try body(writers) }
    }

    private func take(_ bucket: Int64) -> PostgreSQLWriter {
        uses += 1
        var entry = entries[bucket] ?? Entry(writer: make(bucket))
        entry.users += 1
        entry.lastUse = uses
        entries[bucket] = entry
        return entry.writer
    }

    private func giveBack(_ buckets: [Int]) {
        for bucket in buckets { entries[Int64(bucket)]?.users -= 1 }
        while entries.count > Self.most, removeOldest() {}
    }

    /// - Returns: whether there was one that nobody uses.
    private func removeOldest() -> Bool {
        let oldest = entries.filter { $0.value.users == 0 }.min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { entries[oldest.key] = nil }
        return oldest != nil
    }
}
