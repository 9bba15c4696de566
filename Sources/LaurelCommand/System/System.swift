// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelResults
import LaurelSystem

#if canImport(Glibc)
    import CMalloc
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An error of the operating system.
struct SystemError: Error, CustomStringConvertible {
    /// The value of `errno`.
    let code: Int32
    /// The operation that failed, with the name of its object.
    let action: String

    var description: String { "\(action): \(String(cString: strerror(code)))" }
    /// True if the reader of a pipe has closed it.
    var isClosedPipe: Bool { code == EPIPE }
    /// True if the error comes from the name that the user gave, not from the machine.
    var isWrongName: Bool { [ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, ENAMETOOLONG, ELOOP].contains(code) }
}

/// The functions of the operating system that the command uses.
enum System {
    static let standardInput = STDIN_FILENO
    static let standardOutput = STDOUT_FILENO
    static let standardError = STDERR_FILENO

    /// Makes writing to a closed pipe, or beyond the maximum size of a file, fail with an error. Otherwise a signal
    /// would end the process before the command has finished.
    static func ignoreSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Tunes the C library's heap for columns of blocks, which are large and short-lived.
    ///
    /// All threads share two heaps. With a heap per core, the process would keep memory that its threads have freed: a
    /// fifth of its memory during ingest. The heaps also contain the columns, and keep up to 64 MiB of freed memory.
    /// Otherwise the columns of every block would be mapped, zeroed and unmapped again.
    static func fitHeaps() {
        #if canImport(Glibc)
            _ = mallopt(M_ARENA_MAX, 2)
            // The largest value that the C library allows.
            _ = mallopt(M_MMAP_THRESHOLD, 32 << 20)
            _ = mallopt(M_TRIM_THRESHOLD, 64 << 20)
        #endif
    }

    /// Raises the limit of open files to the maximum, because each connection needs a file descriptor.
    static func raiseFileLimit() {
        var limit = rlimit()
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(files, &limit)
    }

    /// The signals that ask a service to stop.
    private static func endings() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGINT] { sigaddset(&set, signal) }
        return set
    }

    /// Blocks the signals that ask a service to stop, so that ``waitForSignal()`` receives them. Must be called before
    /// any thread starts.
    static func holdSignals() {
        var set = endings()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits until a signal asks the process to stop.
    /// - Returns: the number of the signal.
    static func waitForSignal() -> Int32 {
        var (set, signal): (sigset_t, Int32) = (endings(), 0)
        while sigwait(&set, &signal) != 0 {}
        return signal
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func exit(_ status: Int32) -> Never {
        #if canImport(Glibc)
            Glibc.exit(status)
        #else
            Darwin.exit(status)
        #endif
    }

    /// - Parameter name: the file's name for an error message.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, name: String) throws(SystemError) {
        guard writeAll(bytes, to: descriptor) else { throw SystemError(code: errno, action: "cannot write \(name)") }
    }

    static func openForReading(_ path: String) throws(SystemError) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(code: errno, action: "cannot open \(path)") }
        guard status(descriptor)?.isDirectory != true else {
            close(descriptor)
            throw SystemError(code: EISDIR, action: "cannot open \(path)")
        }
        return descriptor
    }

    /// Creates a file, or empties an existing one.
    /// - Parameter mode: the permissions of a new file; nil for the process's default.
    static func create(_ path: String, mode: UInt32? = nil) throws(SystemError) -> Int32 {
        let isNew = access(path, F_OK) != 0
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(mode ?? 0o666))
        guard descriptor >= 0 else { throw SystemError(code: errno, action: "cannot write \(path)") }
        if isNew, let mode { fchmod(descriptor, mode_t(mode)) }
        return descriptor
    }

    /// Creates a folder and its parents, if they do not exist.
    static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o777) == 0 { return }
        var found = stat()
        if errno == EEXIST, stat(path, &found) == 0, found.isDirectory { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw SystemError(code: errno == EEXIST ? ENOTDIR : errno, action: "cannot make the folder \(path)")
        }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
            throw SystemError(code: errno, action: "cannot make the folder \(path)")
        }
    }

    /// Closes a file. Some file systems report a failed write only when the file is closed.
    static func finish(_ descriptor: Int32, name: String) throws(SystemError) {
        guard close(descriptor) == 0 || errno == EINTR else {
            throw SystemError(code: errno, action: "cannot write \(name)")
        }
    }

    /// The size in bytes; nil if the descriptor is a pipe or a terminal.
    static func size(_ descriptor: Int32) -> Int64? {
        guard let status = status(descriptor), status.isRegular else { return nil }
        return Int64(status.st_size)
    }

    static func isFolder(_ path: String) -> Bool { FileStatus(path)?.isFolder == true }

    /// The names in a folder, in byte order. Names that start with a dot are left out.
    static func names(inFolder path: String) throws(SystemError) -> [String] {
        guard let folder = opendir(path) else { throw SystemError(code: errno, action: "cannot read \(path)") }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(cString: $0)
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The permissions of a file; nil if the file does not exist.
    static func permissions(of path: String) -> UInt32? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt32(status.st_mode & 0o777) : nil
    }

    /// True if two paths name the same file.
    static func areSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return one == other }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    private static func status(_ descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }
}

/// Terminals, the environment and clocks.
extension System {
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The width in cells; nil if the stream is not a terminal.
    static func width(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The value of a variable; nil if it is unset or empty.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Milliseconds since 1970.
    static func now() -> Int64 { WallClock.now() }

    /// The present time as a date, rounded to milliseconds like the times in stores.
    static func date() -> Date { Date(timeIntervalSince1970: Double(now()) / 1000) }
}

extension stat {
    fileprivate var isDirectory: Bool { st_mode & S_IFMT == S_IFDIR }
    fileprivate var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}

/// Functions for `laurel doctor`.
extension System {
    static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// The number of files that the process may open, after the limit was raised.
    static var fileLimit: Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        return getrlimit(files, &limit) == 0 ? Int(clamping: limit.rlim_max) : .max
    }

    /// The process that holds a file's lock, from Linux's list of locks; nil if there is no such process, or the list
    /// cannot be read.
    static func lockHolder(_ path: String) -> (process: Int, isStopped: Bool)? {
        var found = stat()
        guard stat(path, &found) == 0, let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else {
            return nil
        }
        for line in list.split(separator: "\n") where !line.contains("->") {
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK",
                words[5].split(separator: ":").last == Substring("\(found.st_ino)"),
                let process = Int(words[4])
            else { continue }
            // The state follows the process's name, which is in brackets.
            let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let state = status.split(separator: ")").last?.split(separator: " ").first
            return (process, state == "T" || state == "t")
        }
        return nil
    }
}

extension System {
    /// The actor for the audit log: the user who runs the command.
    static var actor: AuditActor { AuditActor(name: "user \(userName)") }

    /// The name of the process's user; the user's number if there is no name.
    static var userName: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return "\(geteuid())" }
        return String(cString: name)
    }
}
