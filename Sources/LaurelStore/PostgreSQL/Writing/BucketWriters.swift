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

    func withWriter<T>(of bucket: Int64, _ body: (PostgreSQLWriter) throws -> T) rethrows -> T {
        let writer = lock.withLock {
            uses += 1
            var entry = entries[bucket] ?? Entry(writer: make(bucket))
            entry.users += 1
            entry.lastUse = uses
            entries[bucket] = entry
            return entry.writer
        }
        defer {
            lock.withLock {
                entries[bucket]?.users -= 1
                if entries.count > Self.most { removeOldest() }
            }
        }
        return try body(writer)
    }

    private func removeOldest() {
        let oldest = entries.filter { $0.value.users == 0 }.min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { entries[oldest.key] = nil }
    }
}
