// SPDX-License-Identifier: Apache-2.0

/// A query that was prepared once: it reads, and nothing else.
struct ReportQuery: Sendable {
    let sql: String
    /// As the query names them.
    let columns: [String]
    let tables: Set<ReportTable>
    /// Without the colon.
    let parameters: Set<String>
}

/// What is wrong with a query.
struct QueryError: Error {
    var message: String
    /// Byte of the text; nil where it is the whole.
    var offset: Int?
    /// Bytes from the offset on that are wrong.
    var length = 0
    /// The text that most likely was meant instead.
    var suggestion: String?
}

/// A value of a row.
enum Cell: Sendable, Equatable {
    case null
    case text(String)
    case number(Double)

    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
}
