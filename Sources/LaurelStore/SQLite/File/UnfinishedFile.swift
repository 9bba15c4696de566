// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem

/// A new file, such as a store's, which gets its final name when it is complete.
///
/// Until then its name is `NAME.part`, and an `flock` keeps other processes away. The kernel releases the lock of a
/// killed process. So the next process finds the incomplete file, removes it, and starts again.
package final class UnfinishedFile {
    /// The path of the file while it is being written.
    package let path: String
    private let target: String
    /// The name that the user gave, for errors.
    private let name: String
    private let descriptor: Int32
    private var isPublished = false

    /// The files that a store may have beside it.
    private static let logs = ["-wal", "-shm"]
    private static let locks = ["-lock", "-apply"]

    /// Makes an empty file, which SQLite treats as a new database.
    /// - Parameters:
    ///   - name: the name that the file gets.
    ///   - mode: the file's permissions.
    /// - Throws: ``StoreError``: `busy` if another process is writing the same file.
    package init(_ name: String, mode: UInt32) throws {
        self.name = name
        target = try StorePath(name).path
        path = target + ".part"
        descriptor = try Self.open(path, mode: mode)
        // An error from here on releases this object, and so removes the file.
        try removeLeftovers()
        guard ftruncate(descriptor, 0) == 0, fchmod(descriptor, mode_t(truncatingIfNeeded: mode)) == 0 else {
            throw Self.failure(path, "cannot be written")
        }
    }

    deinit {
        if !isPublished {
            unlink(path)
            try? removeLeftovers()
        }
        close(descriptor)
    }

    /// Appends bytes to the file, for a file that is not a database.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard writeAll(bytes, to: descriptor) else { throw Self.failure(path, "cannot be written") }
    }

    /// Gives the file its final name, and replaces a file with that name. The store must be closed. The file is
    /// durable when the call returns.
    /// - Parameter flushesFolder: true to make the name durable, too. If you publish several files in one folder, pass
    ///   true for the last file only.
    package func publish(flushesFolder: Bool = true) throws {
        var log = stat()
        if stat(path + "-wal", &log) == 0, log.st_size > 0 {
            throw StoreError(.ioError, "\(path) could not be finished: its write-ahead log was not moved into it")
        }
        try removeLeftovers()
        guard fsync(descriptor) == 0 else { throw Self.failure(path, "cannot be written") }
        guard rename(path, target) == 0 else { throw Self.failure(name, "cannot be replaced") }
        isPublished = true
        guard flushesFolder else { return }
        let folder = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? ""
        let opened = LaurelSystem.open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw Self.failure(folder, "cannot be opened") }
        defer { close(opened) }
        // Some file systems cannot flush a folder, and need not.
        guard fsync(opened) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw Self.failure(folder, "cannot be written")
        }
    }

    private func removeLeftovers() throws {
        for suffix in Self.logs + Self.locks where unlink(path + suffix) != 0 && errno != ENOENT {
            throw Self.failure(path + suffix, "cannot be removed")
        }
    }

    /// Opens the file and takes its lock.
    private static func open(_ path: String, mode: UInt32) throws -> Int32 {
        let file = LockFile(path: path, name: path, access: FileAccess(mode: mode))
        while true {
            let descriptor = file.access.open(path)
            guard descriptor >= 0 else { throw failure(path, "cannot be made") }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw StoreError(.busy, "another process is writing \(path); wait until it has finished")
            }
            // The other process may have renamed or removed the file before this one got the lock.
            if file.isSameFile(descriptor) { return descriptor }
            close(descriptor)
        }
    }

    private static func failure(_ path: String, _ action: String) -> StoreError {
        let reason = errno
        let code: StoreError.Code =
            switch reason {
            case ENOSPC, EDQUOT: .diskFull
            case EACCES, EPERM, EROFS: .readOnly
            default: .ioError
            }
        return StoreError(code, "\(path) \(action): \(String(cString: strerror(reason)))")
    }
}
