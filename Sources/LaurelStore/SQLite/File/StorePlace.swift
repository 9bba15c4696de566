// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem

/// The one name of a store's file, whatever name it was asked for by.
///
/// SQLite's log and the lock stand beside the file, under its name. Who reached it by another would write without regard
/// for either; so symbolic links are followed to their end, and a file that has two names is refused.
struct StorePlace: Equatable {
    /// Absolute, without links.
    let path: String
    /// The file there; nil where there is none yet.
    let file: Identity?
    /// Whose it is.
    let access: FileAccess?

    /// What a file is, as long as it exists.
    struct Identity: Equatable {
        fileprivate let device: dev_t
        fileprivate let number: ino_t
    }

    /// - Parameter name: as the user gave it.
    /// - Throws: ``StoreError``: `notFound` where there is no folder for it, `notAStore` for what is no file,
    ///   `ambiguousName` for one with several names.
    init(_ name: String) throws {
        guard !name.isEmpty else { throw StoreError(.notFound, "the store's name is empty; name a file") }
        guard !name.utf8.contains(0) else {
            throw StoreError(.notFound, "the store's name has a NUL byte; name a file")
        }
        path = try StorePlace.resolved(name)
        let found = try StorePlace.checked(path, name)
        file = found.map { Identity(device: $0.st_dev, number: $0.st_ino) }
        access = found.map(FileAccess.init)
    }

    /// Makes an empty file, which SQLite takes for a new database.
    func makeFile(mode: UInt32) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(truncatingIfNeeded: mode))
        guard descriptor >= 0 else {
            let code: StoreError.Code =
                errno == ENOSPC ? .diskFull : errno == EACCES || errno == EROFS ? .readOnly : .ioError
            throw StoreError(code, "\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        // Whatever the process takes away from new files.
        fchmod(descriptor, mode_t(truncatingIfNeeded: mode))
        close(descriptor)
    }

    /// Whether the same file still has this name.
    var isStillThere: Bool {
        var found = stat()
        return stat(path, &found) == 0 && file == Identity(device: found.st_dev, number: found.st_ino)
    }

    // MARK: Links

    /// As many as Linux itself follows.
    private static let mostLinks = 40

    private static func resolved(_ name: String) throws -> String {
        var name = name
        for _ in 0..<mostLinks {
            if let path = realPath(name) { return path }
            // There is no such file yet, or the link to it leads nowhere yet.
            guard errno == ENOENT, let target = linkTarget(name) else { return try pathInFolder(name) }
            name = target.hasPrefix("/") ? target : folder(of: name) + "/" + target
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

    // MARK: What is there

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
