// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem

/// The canonical path of a store, whatever name the user gave.
///
/// SQLite's log and the lock are next to the file, and their names contain the file's name. A process that used
/// another name would use another log and another lock. So symbolic links are resolved, and a file with two names is
/// refused.
struct StorePath: Equatable {
    /// The absolute path, without links.
    let path: String
    /// The file at the path; nil if there is none yet.
    let file: Identity?
    /// The file's owner and permissions; nil if there is no file yet.
    let access: FileAccess?

    /// Identifies a file while it exists.
    struct Identity: Equatable {
        fileprivate let device: dev_t
        fileprivate let number: ino_t
    }

    /// Resolves the links of a name.
    /// - Parameter name: the name that the user gave.
    /// - Throws: ``StoreError``: `notFound` if the folder does not exist, `notAStore` if the name leads to something
    ///   other than a file, `ambiguousName` if the file has several names.
    init(_ name: String) throws {
        guard !name.isEmpty else { throw StoreError(.notFound, "the store's name is empty; name a file") }
        guard !name.utf8.contains(0) else {
            throw StoreError(.notFound, "the store's name has a NUL byte; name a file")
        }
        path = try StorePath.resolved(name)
        let found = try StorePath.checked(path, name)
        file = found.map { Identity(device: $0.st_dev, number: $0.st_ino) }
        access = found.map(FileAccess.init)
    }

    /// Creates an empty file, which SQLite treats as a new database.
    func makeFile(mode: UInt32) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(truncatingIfNeeded: mode))
        guard descriptor >= 0 else {
            let code: StoreError.Code =
                errno == ENOSPC ? .diskFull : errno == EACCES || errno == EROFS ? .readOnly : .ioError
            throw StoreError(code, "\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        // The process's umask may have removed permissions.
        fchmod(descriptor, mode_t(truncatingIfNeeded: mode))
        close(descriptor)
    }

    /// True if the path still leads to the same file.
    var leadsToSameFile: Bool {
        var found = stat()
        return stat(path, &found) == 0 && file == Identity(device: found.st_dev, number: found.st_ino)
    }

    // MARK: Links

    /// The maximum number of links to follow, as in Linux.
    private static let mostLinks = 40

    private static func resolved(_ name: String) throws -> String {
        var name = name
        for _ in 0..<mostLinks {
            if let path = realPath(name) { return path }
            // The file does not exist yet, or the name is a link to a file that does not exist yet.
            guard errno == ENOENT else { return try pathInFolder(name) }
            if let target = linkTarget(name) {
                name = target.hasPrefix("/") ? target : folder(of: name) + "/" + target
            } else if errno != EINVAL {
                return try pathInFolder(name)
            }
            // The name is not a link. Another process has created the file meanwhile.
        }
        throw StoreError(.notFound, "\(name): too many links lead on from there")
    }

    private static func pathInFolder(_ name: String) throws -> String {
        let reason = errno
        guard reason == ENOENT, let folder = realPath(folder(of: name)), let last = name.split(separator: "/").last,
            !name.hasSuffix("/"), last != "..", last != "."
        else {
            if [ENOENT, ENOTDIR, EISDIR].contains(reason) {
                throw StoreError(.notFound, "there is no folder for a store at \(name)")
            }
            let detail = String(cString: strerror(reason))
            throw StoreError(reason == EACCES ? .readOnly : .notFound, "\(name) cannot be opened: \(detail)")
        }
        return folder == "/" ? "/\(last)" : "\(folder)/\(last)"
    }

    private static func realPath(_ name: String) -> String? {
        guard let path = realpath(name, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    private static func folder(of name: String) -> String {
        guard let slash = name.lastIndex(of: "/") else { return "." }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }

    private static func linkTarget(_ name: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(name, &bytes, bytes.count - 1)
        return count > 0 ? String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    // MARK: Existing files

    private static func checked(_ path: String, _ name: String) throws -> stat? {
        var found = stat()
        guard lstat(path, &found) == 0 else { return nil }
        guard found.st_mode & S_IFMT == S_IFREG else {
            let kind =
                switch found.st_mode & S_IFMT {
                case S_IFDIR: "a folder"
                case S_IFIFO: "a pipe"
                case S_IFSOCK: "a socket"
                default: "a device"
                }
            throw StoreError(.notAStore, "\(name) is \(kind), not a store; name a file, or one that is not there yet")
        }
        guard found.st_nlink <= 1 else {
            throw StoreError(
                .ambiguousName,
                "\(name) has \(found.st_nlink) names (hard links), and a store may have one only: its log stands beside"
                    + " the name it is written by. Remove the others, or copy it: `find … -samefile \(name)` lists them"
            )
        }
        guard laurel_is_mounted(path) == 0 else {
            throw StoreError(
                .ambiguousName,
                "\(name) is mounted there by itself, and its log would stand beside that name only;"
                    + " mount the folder that it is in"
            )
        }
        return found
    }
}
