// SPDX-License-Identifier: Apache-2.0

import CSQLite
import LaurelStore

extension Connection {
    typealias SQLFunction =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    /// Defines the SQL functions of reports. `docs/reports.md` describes them.
    func defineReportFunctions() throws {
        try define("title", arguments: 1) { context, _, arguments in SQLResult.title(context, arguments) }
        try define("chi_square_p", arguments: 2) { context, _, arguments in
            SQLResult.number(context, arguments, of: Distributions.chiSquareTail)
        }
        try define("student_t", arguments: 2) { context, _, arguments in
            SQLResult.number(context, arguments, of: Distributions.studentQuantile)
        }
    }

    private func define(_ name: String, arguments: Int32, _ call: SQLFunction) throws {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        try check(sqlite3_create_function_v2(handle, name, arguments, flags, nil, call, nil, nil, nil))
    }
}

/// The results of SQL functions. Null arguments give null.
private enum SQLResult {
    static func title(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
        guard let value = arguments?.pointee, sqlite3_value_type(value) != SQLITE_NULL,
            let text = sqlite3_value_text(value)
        else {
            sqlite3_result_null(context)
            return
        }
        var title = IdentifierTitle.of(String(cString: text))
        title.withUTF8 { bytes in
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            // SQLite copies the bytes before the call returns.
            sqlite3_result_text(context, start, Int32(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }

    /// The result of a function of two numbers.
    static func number(
        _ context: OpaquePointer?,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        of function: (Double, Double) -> Double?
    ) {
        guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL,
            sqlite3_value_type(arguments[1]) != SQLITE_NULL,
            let result = function(sqlite3_value_double(arguments[0]), sqlite3_value_double(arguments[1]))
        else {
            sqlite3_result_null(context)
            return
        }
        sqlite3_result_double(context, result)
    }
}
