// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem
internal import Synchronization

/// The right to write, among all processes: an `flock` on a file beside the store.
///
/// SQLite before 3.51.3 may damage a WAL database when two connections write or checkpoint at the same instant; so only
/// the holder of this lock does either. The file says who holds it; it is never removed, for another process may be
/// waiting on it.
///
/// Writers take turns: whoever waits holds the queue, a lock on the file's first byte, and nobody takes the right to write
/// but through it. So a writer that is busy without end, and comes back at once, still lets the one who waits go first.
struct StoreLock {
    private let descriptor: Int32

    /// - Parameters:
    ///   - timeout: seconds to wait for another holder.
    ///   - subject: for the error, what is being done by the holder.
    init(_ file: LockFile, timeout: Double, subject: String) throws {
        var waited = 0.0
        var descriptor: Int32
        // Somebody may have removed the file while we waited for it: then others wait for the next one.
        while true {
            descriptor = try file.open()
            try StoreLock.wait(for: descriptor, file, timeout, subject, &waited)
            if file.isStill(descriptor) { break }
            close(descriptor)
        }
        self.descriptor = descriptor
        announce()
    }

    private static func wait(
        for descriptor: Int32,
        _ file: LockFile,
        _ timeout: Double,
        _ subject: String,
        _ waited: inout Double
    ) throws {
        var isNext = false
        while true {
            if !isNext { isNext = StoreLock.enterQueue(descriptor) }
            if isNext, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { break }
            guard !isNext || errno == EWOULDBLOCK || errno == EINTR, waited < timeout else {
                let holder = StoreLock.holder(descriptor)
                close(descriptor)
                throw StoreError(
                    .busy,
                    "\(subject) by \(holder); waited \(timeout) s for \(file.name). Try again when it is done"
                )
            }
            usleep(10_000)
            waited += 0.01
        }
        StoreLock.leaveQueue(descriptor)
    }

    /// - Returns: whether it is this writer's turn next. Where the system has no such locks there is no queue.
    private static func enterQueue(_ descriptor: Int32) -> Bool {
        laurel_lock_first_byte(descriptor, Int16(F_WRLCK)) == 0
            || (errno != EAGAIN && errno != EACCES && errno != EINTR)
    }

    private static func leaveQueue(_ descriptor: Int32) { _ = laurel_lock_first_byte(descriptor, Int16(F_UNLCK)) }

    func release() {
        // The holder is over: whoever reads the file now finds no name.
        write([UInt8(ascii: "\n")])
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static let program = CommandLine.arguments.first?.split(separator: "/").last ?? "unknown program"

    /// The name that was written last, and the second and the process that it is of: small writes follow one another many
    /// times a second.
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

    /// Writes the file's first line. Whatever followed stays: a file that is truncated at every append has the file system
    /// write its journal along with SQLite's log.
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
