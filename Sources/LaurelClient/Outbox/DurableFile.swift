// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// An open file. Failures throw errors. The file is closed when the last reference is released.
final class DurableFile {
    enum Mode {
        case read
        /// Creates the file if it is missing. Writes append to it.
        case append
        /// Creates the file, or empties an existing one.
        case replace

        fileprivate var flags: Int32 {
            switch self {
            case .read: O_RDONLY
            case .append: O_RDWR | O_CREAT | O_APPEND
            case .replace: O_WRONLY | O_CREAT | O_TRUNC
            }
        }
    }

    let path: String
    private let descriptor: Int32

    init(_ path: String, _ mode: Mode) throws(OutboxError) {
        self.path = path
        var opened: Int32
        repeat { opened = open(path, mode.flags | O_CLOEXEC, 0o600) } while opened < 0 && errno == EINTR
        guard opened >= 0 else { throw DurableFile.failure(path, "cannot be opened") }
        descriptor = opened
    }

    deinit { close(descriptor) }

    var size: Int {
        get throws(OutboxError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw DurableFile.failure(path, "cannot be examined") }
            return Int(status.st_size)
        }
    }

    /// Writes all bytes. After an error, some of them may have been written.
    func append(_ bytes: [UInt8]) throws(OutboxError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, bytes.count - done) }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw DurableFile.failure(path, "cannot be written")
            }
        }
    }

    /// Reads `count` bytes from an offset. Returns fewer bytes at the end of the file.
    func read(at offset: Int, count: Int) throws(OutboxError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, count - done, off_t(offset + done))
            }
            if got == 0 { break }
            if got > 0 { done += got } else if errno != EINTR { throw DurableFile.failure(path, "cannot be read") }
        }
        bytes.removeSubrange(done...)
        return bytes
    }

    /// Returns when the written bytes survive a power failure.
    func synchronize() throws(OutboxError) {
        #if canImport(Darwin)
            // On Apple's systems, `fsync` may leave the data in the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(descriptor) != 0 {
            if errno != EINTR { throw DurableFile.failure(path, "cannot be made durable") }
        }
    }

    func truncate(to size: Int) throws(OutboxError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw DurableFile.failure(path, "cannot be shortened") }
    }

    /// Prevents other processes from locking this file until it is closed. The lock ends with the process, even after a
    /// crash.
    /// - Parameter wait: true to wait until the file can be locked.
    /// - Returns: true if the file is locked.
    func lock(wait: Bool) -> Bool {
        while flock(descriptor, wait ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }

    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// The error after a failed system call.
    static func failure(_ path: String, _ what: String) -> OutboxError {
        let number = errno
        let isFull = number == ENOSPC || number == EDQUOT
        return OutboxError(isFull ? .diskFull : .ioError, "\(path) \(what): \(String(cString: strerror(number)))")
    }
}

/// Operations on the names of files rather than on their contents.
enum FileNames {
    /// Makes the creation, renaming and removal of files in a folder durable.
    static func synchronize(folder: String) throws(OutboxError) { try DurableFile(folder, .read).synchronize() }

    /// Replaces a file atomically: after an error or a crash, it has either the old or the new content.
    static func replace(_ path: String, with bytes: [UInt8], in folder: String) throws(OutboxError) {
        let new = path + ".new"
        let file = try DurableFile(new, .replace)
        try file.append(bytes)
        try file.synchronize()
        guard rename(new, path) == 0 else { throw DurableFile.failure(path, "cannot be replaced") }
        try synchronize(folder: folder)
    }

    static func remove(_ path: String) throws(OutboxError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw DurableFile.failure(path, "cannot be removed") }
    }
}
