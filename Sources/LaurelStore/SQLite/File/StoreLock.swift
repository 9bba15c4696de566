// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem
internal import Synchronization

/// The right to write, among all processes: an `flock` on a file beside the store.
///
/// SQLite before 3.51.3 may damage a WAL database when two connections write or checkpoint at the same instant. So only
/// the holder of this lock writes or checkpoints. The file contains the holder's name. The file is never removed,
/// because another process may be waiting on it.
///
/// Writers take turns. A waiting writer holds the queue: a lock on the file's first byte. Only the holder of the queue
/// may take the right to write. So a writer that immediately writes again must first let the waiting writer write.
struct StoreLock {
    private let descriptor: Int32

    /// Waits for the lock, and takes it.
    /// - Parameters:
    ///   - timeout: the total time that this writer waits, in seconds. The error's message contains it.
    ///   - deadline: the end of the wait for another holder.
    ///   - subject: the activity of the holder, for the error's message.
    init(_ file: LockFile, timeout: Double, before deadline: Deadline, subject: String) throws {
        var descriptor: Int32
        // The file may have been removed while this process waited for the lock. Then other processes use a new file.
        while true {
            descriptor = try file.open()
            guard StoreLock.isAcquired(descriptor, before: deadline.end) else {
                defer { close(descriptor) }
                throw StoreLock.busy(descriptor, file, timeout, subject)
            }
            if file.isSameFile(descriptor) { break }
            close(descriptor)
        }
        self.descriptor = descriptor
        announce()
    }

    /// The error of a writer that has waited too long; it names the holder.
    static func busy(_ file: LockFile, timeout: Double, subject: String) throws -> StoreError {
        let descriptor = try file.open()
        defer { close(descriptor) }
        return busy(descriptor, file, timeout, subject)
    }

    private static func busy(_ descriptor: Int32, _ file: LockFile, _ timeout: Double, _ subject: String) -> StoreError
    {
        StoreError(
            .busy,
            "\(subject) by \(holder(descriptor)); waited \(timeout) s for \(file.name). Try again when it is done"
        )
    }

    /// Waits for the right to write.
    /// - Returns: false if the deadline has passed.
    private static func isAcquired(_ descriptor: Int32, before deadline: ContinuousClock.Instant) -> Bool {
        var isNext = false
        while true {
            if !isNext { isNext = StoreLock.enterQueue(descriptor) }
            if isNext, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { break }
            guard !isNext || errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
                return false
            }
            usleep(10_000)
        }
        StoreLock.leaveQueue(descriptor)
        return true
    }

    /// Tries to take the queue.
    /// - Returns: true if this writer is next. Systems without such locks have no queue, so the result is true.
    private static func enterQueue(_ descriptor: Int32) -> Bool {
        laurel_lock_first_byte(descriptor, Int16(F_WRLCK)) == 0
            || (errno != EAGAIN && errno != EACCES && errno != EINTR)
    }

    private static func leaveQueue(_ descriptor: Int32) { _ = laurel_lock_first_byte(descriptor, Int16(F_UNLCK)) }

    func release() {
        // The name is removed first, so that no process reads the name of a finished process.
        write([UInt8(ascii: "\n")])
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static let program = CommandLine.arguments.first?.split(separator: "/").last ?? "unknown program"

    /// The name line that was written last, and the second and the process for which it was made. Many small writes in
    /// one second reuse the line.
    private static let lastName = Mutex((second: time_t(-1), process: pid_t(-1), line: [UInt8]()))

    private func announce() {
        let (now, process) = (time(nil), getpid())
        let line = StoreLock.lastName.withLock { last in
            if last.second != now || last.process != process { last = (now, process, StoreLock.line(process, now)) }
            return last.line
        }
        write(line)
    }

    private static func line(_ process: pid_t, _ now: time_t) -> [UInt8] {
        var now = now
        var parts = tm()
        gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        let since = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Array("process \(process) (\(program)) since \(since)\n".utf8)
    }

    /// Overwrites the first line, and leaves the text after it. Truncating the file at every append would make the file
    /// system write its journal each time.
    private func write(_ line: [UInt8]) {
        _ = pwrite(descriptor, line, line.count, 0)
    }

    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let line = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? "another process" : String(decoding: line, as: UTF8.self)
    }
}
