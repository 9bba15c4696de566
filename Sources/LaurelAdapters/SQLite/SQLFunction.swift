// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A SQL function for mappings. For the same arguments and the same file, it always gives the same result.
struct SQLFunction: Sendable {
    let name: String
    /// The signature in the documentation, such as `uuid(blob)`.
    let signature: String
    let summary: String
    /// The range of the number of arguments.
    let arguments: ClosedRange<Int>
    let body: @Sendable ([SQLValue], SourceDatabase) -> SQLValue

    init(
        _ signature: String,
        _ arguments: ClosedRange<Int>,
        _ summary: String,
        _ body: @escaping @Sendable ([SQLValue]) -> SQLValue
    ) {
        name = String(signature.prefix { $0 != "(" })
        self.signature = signature
        self.arguments = arguments
        self.summary = summary
        self.body = { values, _ in body(values) }
    }

    /// - Parameter body: implements the function. Its arguments are the SQL arguments and the database.
    init(
        _ signature: String,
        _ arguments: ClosedRange<Int>,
        _ summary: String,
        reading body: @escaping @Sendable ([SQLValue], SourceDatabase) -> SQLValue
    ) {
        name = String(signature.prefix { $0 != "(" })
        self.signature = signature
        self.arguments = arguments
        self.summary = summary
        self.body = body
    }
}

/// Registers the functions of mappings and the collation of Anki's tables with a connection.
func registerFunctions(on database: OpaquePointer) {
    for (index, function) in SQLFunction.all.enumerated() {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        // Each number of arguments is registered separately, so that SQLite refuses any other number when it prepares
        // the statement.
        for count in function.arguments {
            sqlite3_create_function_v2(
                database,
                function.name,
                function.arguments.upperBound > 8 ? -1 : Int32(count),
                flags,
                UnsafeMutableRawPointer(bitPattern: index + 1),
                { context, count, values in call(context, count, values) },
                nil,
                nil,
                nil
            )
            if function.arguments.upperBound > 8 { break }
        }
    }
    sqlite3_create_collation_v2(
        database,
        "unicase",
        SQLITE_UTF8,
        nil,
        { _, oneCount, one, otherCount, other in compareIgnoringCase(one, oneCount, other, otherCount) },
        nil
    )
}

private func call(
    _ context: OpaquePointer?,
    _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    let index = Int(bitPattern: sqlite3_user_data(context)) - 1
    let arguments = (0..<Int(count)).map { SQLValue(values![$0]) }
    guard let database = sqlite3_context_db_handle(context) else { return }
    switch SQLFunction.all[index].body(arguments, SourceDatabase(borrowing: database)) {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(let bytes), .blob(let bytes):
        (bytes.isEmpty ? [0] : bytes).withUnsafeBytes {
            laurel_sqlite3_result_text(context, $0.baseAddress, UInt64(bytes.count))
        }
    }
}

/// The collation of some of Anki's indexes. Laurel's statements never look up names by these indexes. So it is enough
/// to ignore the case of ASCII letters.
private func compareIgnoringCase(
    _ one: UnsafeRawPointer?,
    _ oneCount: Int32,
    _ other: UnsafeRawPointer?,
    _ otherCount: Int32
) -> Int32 {
    func folded(_ start: UnsafeRawPointer?, _ count: Int32) -> some Sequence<UInt8> {
        UnsafeRawBufferPointer(start: start, count: Int(count)).lazy.map { 65...90 ~= $0 ? $0 + 32 : $0 }
    }
    let (first, second) = (folded(one, oneCount), folded(other, otherCount))
    if first.elementsEqual(second) { return 0 }
    return first.lexicographicallyPrecedes(second) ? -1 : 1
}
