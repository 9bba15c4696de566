// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// Restricts a report's queries. A query may read only the tables of reports, and only for a limited time.
final class QueryGuard {
    /// The tables and columns that are read by the query that is being prepared.
    private(set) var reads: [ReportTable: Set<String>] = [:]
    /// The reason why the query was refused; nil if it was not refused.
    private(set) var denied: String?
    /// The time at which the running query is stopped; nil if no query runs.
    var deadline: ContinuousClock.Instant?

    func begin(seconds: Double) { deadline = .now + .seconds(seconds) }

    func beginPreparing() {
        reads = [:]
        denied = nil
    }

    /// The functions that a report must not use, because their results differ from call to call.
    private static let deniedFunctions: Set<String> = [
        "random", "randomblob", "current_date", "current_time", "current_timestamp", "load_extension", "changes",
        "total_changes", "last_insert_rowid", "sqlite_version", "sqlite_source_id",
    ]

    /// The callback for `sqlite3_set_authorizer`.
    static let authorize:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> Int32 = { context, action, first, second, _, _ in
            let guardian = Unmanaged<QueryGuard>.fromOpaque(context!).takeUnretainedValue()
            let first = first.map { String(cString: $0) } ?? ""
            let second = second.map { String(cString: $0) } ?? ""
            return guardian.decide(action, first, second) ? SQLITE_OK : SQLITE_DENY
        }

    private func decide(_ action: Int32, _ first: String, _ second: String) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: return true
        case SQLITE_FUNCTION:
            guard QueryGuard.deniedFunctions.contains(second.lowercased()) else { return true }
            denied = "`\(second)` is not for reports: its answer is not the same every time"
            return false
        case SQLITE_READ:
            if let table = ReportTable.named(first.lowercased()) {
                reads[table, default: []].insert(second.lowercased())
            }
            guard first.hasPrefix("sqlite_") || first.hasPrefix("pragma_") || first == "dbstat" else { return true }
            denied = "`\(first)` is not one of the tables of reports"
            return false
        default:
            denied = "a query may only read: SELECT, or WITH … SELECT"
            return false
        }
    }

    /// The callback for `sqlite3_progress_handler`.
    static let isOverdue: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        let guardian = Unmanaged<QueryGuard>.fromOpaque(context!).takeUnretainedValue()
        guard let deadline = guardian.deadline else { return 0 }
        return ContinuousClock.now > deadline ? 1 : 0
    }

    /// Functions that return the present time if they are called without a time. The second element is the number of
    /// arguments of such a call.
    private static let clocks = [
        ("date", 0), ("time", 0), ("datetime", 0), ("julianday", 0), ("unixepoch", 0), ("strftime", 1),
    ]

    /// The position at which a query requests the present time from SQLite's date functions; nil if there is no such
    /// request. The function searches the query's text, so it does not find every such request.
    static func clock(in sql: String) -> (name: String, offset: Int)? {
        let text = sql.utf8.map { $0 | ($0 >= 65 && $0 <= 90 ? 0x20 : 0) }
        for now in ["'now'", "\"now\""] {
            if let offset = places(of: now, in: text).first { return (now, offset) }
        }
        for (name, arguments) in clocks {
            for offset in places(of: name, in: text) where offset == 0 || !isName(text[offset - 1]) {
                if isCall(text[(offset + name.utf8.count)...], arguments) {
                    return ("\(name)(\(arguments == 0 ? "" : "…"))", offset)
                }
            }
        }
        return nil
    }

    private static func places(of name: String, in text: [UInt8]) -> [Int] {
        let wanted = Array(name.utf8)
        guard text.count >= wanted.count else { return [] }
        return (0...text.count - wanted.count).filter { start in
            text[start] == wanted[0] && text[start..<start + wanted.count].elementsEqual(wanted)
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// True if a function call follows. The call must have no arguments, or exactly one literal.
    private static func isCall(_ text: ArraySlice<UInt8>, _ arguments: Int) -> Bool {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || ($0 >= 9 && $0 <= 13) }
        var rest = text.drop(while: isSpace)
        guard rest.popFirst() == UInt8(ascii: "(") else { return false }
        rest = rest.drop(while: isSpace)
        if arguments == 1 {
            guard rest.popFirst() == UInt8(ascii: "'") else { return false }
            rest = rest.drop { $0 != UInt8(ascii: "'") }.dropFirst().drop(while: isSpace)
        }
        return rest.first == UInt8(ascii: ")")
    }
}
