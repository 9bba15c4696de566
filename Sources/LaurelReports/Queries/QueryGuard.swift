import CSQLite

/// What stands between a report's queries and everything else.
final class QueryGuard {
    /// Met while preparing the query at hand.
    private(set) var tables: Set<ReportTable> = []
    /// Why it was refused.
    private(set) var denied: String?
    /// When a running query is stopped; nil where none runs.
    var deadline: ContinuousClock.Instant?

    func begin(seconds: Double) { deadline = .now + .seconds(seconds) }

    func beginPreparing() {
        tables = []
        denied = nil
    }

    /// Answers that differ from one time to the next make no report.
    private static let deniedFunctions: Set<String> = [
        "random", "randomblob", "current_date", "current_time", "current_timestamp", "load_extension", "changes",
        "total_changes", "last_insert_rowid", "sqlite_version", "sqlite_source_id",
    ]

    /// For `sqlite3_set_authorizer`.
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
            if let table = ReportTable(rawValue: first.lowercased()) { tables.insert(table) }
            guard first.hasPrefix("sqlite_") || first.hasPrefix("pragma_") || first == "dbstat" else { return true }
            denied = "`\(first)` is not one of the tables of reports"
            return false
        default:
            denied = "a query may only read: SELECT, or WITH … SELECT"
            return false
        }
    }

    /// For `sqlite3_progress_handler`.
    static let isOverdue: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        let guardian = Unmanaged<QueryGuard>.fromOpaque(context!).takeUnretainedValue()
        guard let deadline = guardian.deadline else { return 0 }
        return ContinuousClock.now > deadline ? 1 : 0
    }

    /// Where a query asks SQLite's date functions for the present time, as far as its text tells.
    static func clock(in sql: String) -> (name: String, offset: Int)? {
        let text = Array(sql.utf8.map { $0 | ($0 >= 65 && $0 <= 90 ? 0x20 : 0) })
        for name in ["'now'", "date()", "time()", "julianday()", "unixepoch()", "datetime()"] {
            let wanted = Array(name.utf8)
            guard text.count >= wanted.count else { continue }
            for start in 0...text.count - wanted.count where text[start..<start + wanted.count].elementsEqual(wanted) {
                return (name, start)
            }
        }
        return nil
    }
}
