// SPDX-License-Identifier: Apache-2.0

/// Data about a file or folder that its operator needs.
package struct FileStatus: Sendable {
    package let size: Int64
    package let mode: UInt32
    package let owner: UInt32
    /// The time of the last change, in milliseconds since 1970.
    package let modified: Int64
    package let isFolder: Bool

    /// - Returns: nil if there is no such file, or if it cannot be examined.
    package init?(_ path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        (size, owner) = (Int64(found.st_size), found.st_uid)
        mode = UInt32(found.st_mode) & 0o777
        modified = Int64(found.contentsChanged.tv_sec) * 1000
        isFolder = found.st_mode & S_IFMT == S_IFDIR
    }

    /// The free space for this user in a folder, in bytes; nil if there is no such folder.
    package static func freeSpace(_ folder: String) -> Int64? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
        )
    }
}
