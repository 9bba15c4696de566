import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the doctor asks of the operating system.
extension System {
    struct FileStatus {
        var size: Int64
        var mode: UInt32
        var owner: UInt32
        /// Milliseconds since 1970.
        var modified: Int64
    }

    static func fileStatus(_ path: String) -> FileStatus? {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        #if canImport(Glibc)
            let seconds = found.st_mtim.tv_sec
        #else
            let seconds = found.st_mtimespec.tv_sec
        #endif
        return FileStatus(
            size: Int64(found.st_size),
            mode: UInt32(found.st_mode) & 0o777,
            owner: found.st_uid,
            modified: Int64(seconds) * 1000
        )
    }

    static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// In bytes, for whoever runs this; nil where there is no such folder.
    static func freeSpace(_ folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
        )
    }

    /// How many files the process may open, once it asks for as many as it may.
    static var fileLimit: Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        return getrlimit(files, &limit) == 0 ? Int(clamping: limit.rlim_max) : .max
    }

    static func firstLine(of path: String) -> String? {
        guard let handle = FileHandle(forReadingAtPath: path), let bytes = try? handle.read(upToCount: 100) else {
            return nil
        }
        return bytes.split(separator: 0x0A).first.map { String(decoding: $0, as: UTF8.self) }
    }

    /// `user_version` in the header of a SQLite file.
    static func formatOfStore(_ path: String) -> Int? {
        guard let handle = FileHandle(forReadingAtPath: path), let bytes = try? handle.read(upToCount: 64),
            bytes.count == 64
        else { return nil }
        return bytes[60..<64].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Who holds a file's lock, from what Linux lists; nil where nobody does, or where that is not told.
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
            // The state stands behind the name, which is in brackets.
            let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let state = status.split(separator: ")").last?.split(separator: " ").first
            return (process, state == "T" || state == "t")
        }
        return nil
    }
}
