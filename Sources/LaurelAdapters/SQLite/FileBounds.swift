// SPDX-License-Identifier: Apache-2.0

internal import CBoundedSQLite
internal import CSQLite

/// The limits that apply when SQLite reads an untrusted file: time, memory, and length of a text.
final class FileBounds {
    /// The maximum size of a text, blob or row in bytes. With this limit, no single SQLite instruction takes longer
    /// than a few seconds.
    static let lengthLimit: Int32 = 1 << 20
    private static let memoryLimit: Int64 = 1 << 30

    /// The default for the time that SQLite may take to read the file, in seconds.
    static let seconds = 600.0

    private let seconds: Double
    private var left: Duration
    private var began = ContinuousClock.now

    init(seconds: Double) {
        self.seconds = seconds
        left = .seconds(seconds)
    }

    /// Applies the limits to a connection.
    func confine(_ handle: OpaquePointer) {
        laurel_sqlite3_confine(handle, Self.lengthLimit)
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(handle, 1000, { $0.map(FileBounds.isOverdue) ?? 0 }, context)
    }

    private static func isOverdue(_ context: UnsafeMutableRawPointer) -> Int32 {
        let bounds = Unmanaged<FileBounds>.fromOpaque(context).takeUnretainedValue()
        return bounds.began.duration(to: .now) > bounds.left ? 1 : 0
    }

    /// Runs one step of a statement within the limits.
    func step(_ statement: OpaquePointer) -> Int32 {
        began = .now
        laurel_sqlite3_begin_bound(Self.memoryLimit)
        defer {
            laurel_sqlite3_end_bound()
            left -= began.duration(to: .now)
        }
        return sqlite3_step(statement)
    }

    /// True if the time is used up. SQLite itself checks the time only while it executes a statement.
    var isOver: Bool { left < .zero }

    /// The message for an error that the limits caused; nil for other errors.
    func message(for code: Int32) -> String? {
        switch code & 0xFF {
        case SQLITE_INTERRUPT:
            "reading it takes SQLite more than \(Int(seconds)) seconds; `--file-seconds` allows more"
        case SQLITE_NOMEM: "reading it takes SQLite more than \(Self.memoryLimit >> 20) MiB of memory"
        case SQLITE_TOOBIG: "the mapping reads a value of more than \(Self.lengthLimit >> 20) MiB"
        default: nil
        }
    }
}
