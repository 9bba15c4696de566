// SPDX-License-Identifier: Apache-2.0

internal import CCheckedPages
internal import CSQLite

/// The checksums of the file's pages (`Sources/CCheckedPages`).
enum PageChecksums {
    static func areOn(_ connection: Connection) -> Bool { laurel_checked_pages_are_on(connection.handle) == 1 }

    /// Examines every page of the database and of the log, including free pages. Call it in a transaction.
    static func examine(_ connection: Connection) throws -> StorageFindings {
        var findings = StorageFindings()
        try examineLog(connection, &findings)
        guard areOn(connection) else {
            findings.remarks.append(
                "the pages of \(connection.name) have no checksums, and damage to them may go unnoticed;"
                    + " `laurel copy` makes a store whose pages have them"
            )
            return findings
        }
        var unchecked: [Int64] = []
        let inFile = laurel_checked_pages_count(connection.handle)
        try connection.check(Int32(min(0, inFile)) * -1)
        // A killed process may have left pages after the last used page.
        let count = min(inFile, try connection.number("PRAGMA page_count") ?? inFile)
        // Pages that are also in the log are not examined. A power failure may have damaged them while they were moved.
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
