// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// Preallocates SQLite's write-ahead log.
///
/// A commit within the log's length is durable once its bytes are written. If a commit makes the file longer, the file
/// system must also write the new length, and the commit takes about 1.5 times as long. So after repeated writes, the
/// log is extended to the length that it would reach before SQLite restarts it.
///
/// The extension has only two steps, because each step delays two commits: the current one, and the next one, which
/// flushes the log. The log is filled with zeros. SQLite reads zeros as the end of the log.
struct LogPreallocation {
    /// The number of pages after which a commit moves the log's pages into the database. The next commit then restarts
    /// the log.
    static let checkpointPages = 4096
    /// The longest log in bytes: the pages before a checkpoint, and a commit of some hundred pages.
    private static let enough: Int64 = 18 << 20
    private static let least: Int64 = 1 << 18
    /// The zeros that one write appends. SQLite accepts only writes of less than 128 KiB.
    private static let zeros = [UInt8](repeating: 0, count: 1 << 16)

    /// The log's length after the last write; nil before the first write. A single write needs no preallocation.
    private var lastSize: Int64?

    /// Preallocates the log after a commit. The store's lock must be held, so that no other process writes to the log.
    /// If the preallocation fails, the log grows commit by commit.
    mutating func extend(_ connection: Connection) {
        var size: Int64 = 0
        guard let log = laurel_sqlite3_log(connection.handle), laurel_sqlite3_file_size(log, &size) == SQLITE_OK else {
            return
        }
        defer { lastSize = size }
        guard let lastSize, size > lastSize, size < LogPreallocation.enough else { return }
        let end = size < LogPreallocation.least ? LogPreallocation.least : LogPreallocation.enough
        var filled = size
        while filled < end {
            let count = min(end - filled, Int64(LogPreallocation.zeros.count))
            guard laurel_sqlite3_file_write(log, LogPreallocation.zeros, Int32(count), filled) == SQLITE_OK else {
                // The disk is full, so the log is made as short as before.
                _ = laurel_sqlite3_file_truncate(log, size)
                return
            }
            filled += count
        }
        size = end
    }
}
