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

/// An open file whose failures are errors, closed with its last reference.
final class DurableFile {
    enum Mode {
        case read
        /// Made if absent; writes go to the end.
        case append
        /// Made anew; what was there is gone.
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

    /// Writes all of it; after an error some of it may be there.
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

    /// Up to so many bytes from a place on; fewer where the file ends.
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

    /// Returns when what was written survives a power cut.
    func synchronize() throws(OutboxError) {
        #if canImport(Darwin)
            // There, fsync leaves the data in the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(descriptor) != 0 {
            if errno != EINTR { throw DurableFile.failure(path, "cannot be made durable") }
        }
    }

    func truncate(to size: Int) throws(OutboxError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw DurableFile.failure(path, "cannot be shortened") }
    }

    /// Keeps everybody else out until this file is closed, however the process ends.
    /// - Parameter wait: else false where somebody else is in.
    func lock(wait: Bool) -> Bool {
        while flock(descriptor, wait ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }

    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// After a failed system call.
    static func failure(_ path: String, _ what: String) -> OutboxError {
        let number = errno
        let isFull = number == ENOSPC || number == EDQUOT
        return OutboxError(isFull ? .diskFull : .ioError, "\(path) \(what): \(String(cString: strerror(number)))")
    }
}

/// What is done to names rather than contents.
enum FileNames {
    /// Makes what was created, renamed and removed in a folder durable.
    static func synchronize(folder: String) throws(OutboxError) { try DurableFile(folder, .read).synchronize() }

    /// Puts a file in the place of another, all or nothing.
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
