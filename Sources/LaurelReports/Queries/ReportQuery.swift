// SPDX-License-Identifier: Apache-2.0

/// A prepared query. It only reads.
struct ReportQuery: Sendable {
    let sql: String
    /// The names of the columns in the query's result.
    let columns: [String]
    /// The tables and columns that the query reads.
    let reads: [ReportTable: Set<String>]
    /// The names of the parameters that the query reads, without the colon.
    let parameters: Set<String>
}

/// A mistake in a query.
struct QueryError: Error {
    var message: String
    /// The byte offset of the mistake in the query; nil if the mistake concerns the whole query.
    var offset: Int?
    /// The length of the mistake in bytes.
    var length = 0
    /// The text that the author probably meant; nil if unknown.
    var suggestion: String?
}

/// A value in a row.
enum Cell: Sendable, Equatable {
    case null
    case text(String)
    case number(Double)

    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
}
