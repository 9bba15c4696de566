// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem

/// The owner and the permissions of a file. The files beside a store get the same owner and permissions. So every
/// user who may write the store may also take its lock.
struct FileAccess: Equatable {
    private let mode: mode_t
    /// The owner; nil for the user who creates the file.
    private let owner: (user: uid_t, group: gid_t)?

    init(mode: UInt32) { (self.mode, owner) = (mode_t(truncatingIfNeeded: mode), nil) }
    init(_ file: stat) { (mode, owner) = (file.st_mode & 0o777, (file.st_uid, file.st_gid)) }

    static func == (one: FileAccess, other: FileAccess) -> Bool {
        one.mode == other.mode && one.owner?.user == other.owner?.user && one.owner?.group == other.owner?.group
    }

    /// Opens a file to read and write, and creates it if there is none.
    /// - Returns: the descriptor; or a negative number, with `errno` set.
    func open(_ path: String) -> Int32 {
        while true {
            let descriptor = LaurelSystem.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor < 0, errno == ENOENT else { return descriptor }
            let made = LaurelSystem.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
            if made < 0, errno == EEXIST { continue }
            if made >= 0 { give(to: made) }
            return made
        }
    }

    /// Gives a file this owner and these permissions, as far as the process is allowed to.
    func give(to descriptor: Int32) {
        var found = stat()
        guard fstat(descriptor, &found) == 0, FileAccess(found) != self else { return }
        if geteuid() == 0, let owner { fchown(descriptor, owner.user, owner.group) }
        if geteuid() == 0 || geteuid() == found.st_uid { fchmod(descriptor, mode) }
    }
}

/// A file for locks. It is not removed when the last process closes it.
struct LockFile {
    let path: String
    /// The name for errors.
    let name: String
    /// The store's owner and permissions, which the file gets.
    let access: FileAccess

    func open() throws -> Int32 {
        let descriptor = access.open(path)
        guard descriptor < 0 else {
            access.give(to: descriptor)
            return descriptor
        }
        if errno == ENOENT || errno == ENOTDIR || errno == EISDIR {
            throw StoreError(.notFound, "there is no folder for \(name)")
        }
        throw StoreError(
            errno == EROFS || errno == EACCES ? .readOnly : errno == ENOSPC ? .diskFull : .ioError,
            "\(name) cannot be opened: \(String(cString: strerror(errno)))"
        )
    }

    /// True if ``path`` still names the open file. Another process may have removed or renamed the file.
    func isSameFile(_ descriptor: Int32) -> Bool {
        var (one, other) = (stat(), stat())
        return fstat(descriptor, &one) == 0 && stat(path, &other) == 0 && one.st_ino == other.st_ino
            && one.st_dev == other.st_dev
    }
}
