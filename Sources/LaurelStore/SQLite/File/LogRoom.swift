// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// Makes room in SQLite's log ahead of the commits that fill it.
///
/// A commit that lies within the log's file is durable once its bytes are. One that makes the file longer has the file
/// system write its new length, too, which takes half as long again. So a store that is written to again and again gets a
/// log of the size that it comes to anyway before it begins anew: after a first, short stretch at one go, for every step
/// delays two commits, its own and the one that flushes it. What is appended are zeros, which SQLite takes for the log's end,
/// as it does what is left of an earlier round.
struct LogRoom {
    /// Pages after which a commit moves the log's pages into the database, and the next one begins the log anew.
    static let checkpointPages = 4096
    /// A log is that long, and a commit of some hundred pages, at most.
    private static let enough: Int64 = 18 << 20
    private static let least: Int64 = 1 << 18
    /// SQLite writes less than 128 KiB at a time.
    private static let zeros = [UInt8](repeating: 0, count: 1 << 16)

    /// The log's size after the last write; nil before the first, for who writes once needs no room.
    private var known: Int64?

    /// To be called after a commit, with the store's lock held: nobody else writes to the log. What cannot be done is
    /// left.
    mutating func extend(_ connection: Connection) {
        var size: Int64 = 0
        guard let log = laurel_sqlite3_log(connection.handle), laurel_sqlite3_file_size(log, &size) == SQLITE_OK else {
            return
        }
        defer { known = size }
        guard let known, size > known, size < LogRoom.enough else { return }
        let end = size < LogRoom.least ? LogRoom.least : LogRoom.enough
        var filled = size
        while filled < end {
            let count = min(end - filled, Int64(LogRoom.zeros.count))
            guard laurel_sqlite3_file_write(log, LogRoom.zeros, Int32(count), filled) == SQLITE_OK else {
                // A full disk has better use for it.
                _ = laurel_sqlite3_file_truncate(log, size)
                return
            }
            filled += count
        }
        size = end
    }
}
