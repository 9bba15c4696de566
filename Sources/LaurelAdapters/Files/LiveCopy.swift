// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelSystem

/// Copies a SQLite database and its log while an app may be writing to them. The copy takes no lock, and creates no
/// file beside the database.
///
/// In WAL mode, opening the original would create an index file beside it. Opening would fail if the app has locked the
/// file, as Anki does. So the files are copied. If a file changes during the copy, they are copied again. SQLite
/// recovers the copy as after a power failure, and finds every committed transaction.
struct LiveCopy {
    private static let attempts = 8
    /// The suffixes of the database's files: the database, its write-ahead log, and the journal of an uncommitted
    /// transaction.
    private static let siblings = ["", "-wal", "-journal"]

    /// Copies a database to a folder.
    /// - Returns: the path of the copy.
    static func make(of path: String, in folder: ScratchFolder) throws(InputError) -> String {
        for attempt in 0..<attempts {
            if attempt > 0 { usleep(50_000 << UInt32(min(attempt, 4))) }
            let before = siblings.map { state(path + $0) }
            folder.remove()
            guard mkdir(folder.path, 0o700) == 0 else { throw unreadable(folder.path) }
            for (sibling, state) in zip(siblings, before) where state != nil {
                try copy(path + sibling, to: folder.file("copy" + sibling))
            }
            if siblings.map({ state(path + $0) }) == before { return folder.file("copy") }
        }
        throw InputError(
            code: .cannotRead,
            file: path,
            byte: 0,
            message: "changes all the time; wait until its app is at rest, or give a backup of it"
        )
    }

    /// The properties that show a change of a file: its size, its time, and its header, which contains a change
    /// counter.
    private struct FileState: Equatable {
        var size: Int
        var seconds: Int
        var nanoseconds: Int
        var header: [UInt8]
    }

    private static func state(_ path: String) -> FileState? {
        var status = stat()
        guard stat(path, &status) == 0, let file = try? FileSource(path: path),
            let header = try? file.readPrefix(100)
        else { return nil }
        return FileState(
            size: Int(status.st_size),
            seconds: status.contentsChanged.tv_sec,
            nanoseconds: status.contentsChanged.tv_nsec,
            header: header
        )
    }

    private static func copy(_ path: String, to copy: String) throws(InputError) {
        guard let source = try? FileSource(path: path) else {
            // The log may have disappeared meanwhile. The comparison after the copy detects that.
            if path.hasSuffix("-wal") || path.hasSuffix("-journal") { return }
            throw unreadable(path)
        }
        let target = try FileTarget(path: copy)
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = try source.read(chunk: &chunk)
            if count == 0 { return }
            try target.write(chunk[0..<count])
        }
    }

    private static func unreadable(_ path: String) -> InputError {
        InputError(code: .cannotRead, file: path, byte: 0, message: String(cString: strerror(errno)))
    }
}
