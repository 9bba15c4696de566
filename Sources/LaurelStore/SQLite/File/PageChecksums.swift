// SPDX-License-Identifier: Apache-2.0

internal import CCheckedPages
internal import CSQLite
internal import LaurelSystem

/// The checksums of the file's pages (`Sources/CCheckedPages`). Stores have them since format 5.
enum PageChecksums {
    /// Room for the log's own bytes and for pages on their way to the file, in bytes, beside the pages themselves.
    private static let margin: UInt64 = 16 << 20

    static func areOn(_ connection: Connection) -> Bool { laurel_checked_pages_are_on(connection.handle) == 1 }

    /// Adds checksums to the pages of an older store, by writing the whole file anew through the log. Without room for
    /// that, the store stays as it is, and a later opening tries again. A process that is killed leaves it as it was.
    static func add(to connection: Connection) throws {
        guard !areOn(connection), hasRoom(connection) else { return }
        try connection.check(laurel_checked_pages_reserve(connection.handle))
        do {
            // The copy is as large as the store.
            try connection.execute("PRAGMA temp_store = FILE; VACUUM")
        } catch let error as StoreError where error.code == .diskFull { return }
        try connection.execute("PRAGMA wal_checkpoint")
    }

    /// Whether the store's folder has room for the log. The copy is made in the folder for temporary files.
    private static func hasRoom(_ connection: Connection) -> Bool {
        var (folder, file) = (statvfs(), stat())
        guard stat(connection.path, &file) == 0, statvfs(connection.path, &folder) == 0 else { return true }
        return UInt64(folder.f_bavail) * UInt64(folder.f_frsize) > needed(UInt64(file.st_size))
    }

    /// The log holds every page once.
    private static func needed(_ size: UInt64) -> UInt64 { size + size / 64 + margin }

    // MARK: Checking

    /// Examines every page of the database, free pages included, and every page of the log. Call it in a transaction.
    static func examine(_ connection: Connection) throws -> StorageFindings {
        var findings = StorageFindings()
        try examineLog(connection, &findings)
        guard areOn(connection) else {
            findings.remarks.append(
                "the pages of \(connection.name) have no checksums yet, and damage to them may go unnoticed;"
                    + " the next command that writes adds them, if there is room on the disk"
            )
            return findings
        }
        var unchecked: [Int64] = []
        let inFile = laurel_checked_pages_count(connection.handle)
        try connection.check(Int32(min(0, inFile)) * -1)
        // A process that was killed may have left pages behind those in use, from before the file had checksums.
        let count = min(inFile, try connection.number("PRAGMA page_count") ?? inFile)
        // Pages that the log holds, too, are not examined: a power cut while they were being moved may have left
        // anything in their places.
        var ahead = [UInt8](repeating: 0, count: max(0, Int(count)))
        try connection.check(laurel_checked_pages_ahead(connection.handle, &ahead, count))
        for number in 1...max(count, 1) where count > 0 && ahead[Int(number) - 1] == 0 {
            let state = laurel_checked_pages_examine(connection.handle, UInt32(number))
            switch Int(state) {
            case LAUREL_PAGE_DAMAGED:
                findings.problems.append("page \(number) is damaged: its checksum does not match")
            case LAUREL_PAGE_UNCHECKED: unchecked.append(number)
            case LAUREL_PAGE_HEADER_CHANGED:
                findings.remarks.append("another program has changed the header of \(connection.name)")
            case ..<0: findings.problems.append("page \(number) cannot be read (SQLite \(-state))")
            default: break
            }
        }
        if !unchecked.isEmpty { findings.remarks.append(remark(unchecked)) }
        return findings
    }

    private static func remark(_ unchecked: [Int64]) -> String {
        let named = unchecked.prefix(10).map(String.init).joined(separator: ", ")
        let pages = unchecked.count == 1 ? "a page" : "\(unchecked.count) pages"
        return "another program wrote \(pages), without a checksum: \(named)\(unchecked.count > 10 ? " …" : "")"
    }

    private static func examineLog(_ connection: Connection, _ findings: inout StorageFindings) throws {
        var state = laurel_log_state()
        try connection.check(laurel_checked_pages_examine_log(connection.handle, &state))
        if state.damaged > 0 {
            findings.problems.append("the log is damaged: page \(state.damaged) of \(state.pages)")
        }
        if state.lost > 0 {
            findings.problems.append(
                "the log is damaged: at least \(state.lost) writes that were made durable cannot be read any more"
            )
        }
    }
}
