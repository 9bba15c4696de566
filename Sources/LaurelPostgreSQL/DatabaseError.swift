// SPDX-License-Identifier: Apache-2.0

internal import CPostgreSQL

/// An error reported by the server, or by the connection to it.
package struct DatabaseError: Error, CustomStringConvertible, Sendable {
    /// The SQLSTATE, five characters; empty if the error is not from the server.
    package var sqlState: String
    package var message: String
    package var detail: String?
    package var hint: String?
    /// True if the connection is lost, for any reason.
    package var isConnectionLost: Bool

    package init(
        sqlState: String,
        message: String,
        detail: String? = nil,
        hint: String? = nil,
        isConnectionLost: Bool = false
    ) {
        self.sqlState = sqlState
        self.message = message
        self.detail = detail
        self.hint = hint
        self.isConnectionLost = isConnectionLost
    }

    /// True if a prepared statement is missing, or exists unexpectedly. The cause is another client that has used the
    /// session.
    package var isPreparedStatementError: Bool { sqlState == "26000" || sqlState == "42P05" }

    /// The first two characters of the SQLSTATE, which give its class.
    package var sqlClass: Substring { sqlState.prefix(2) }

    package var description: String {
        [message, detail, hint].compactMap(\.self).joined(separator: "; ") + (sqlState.isEmpty ? "" : " (\(sqlState))")
    }

    init(_ result: OpaquePointer, isConnectionLost: Bool) {
        self.init(
            sqlState: text(laurel_pq_sqlstate(result)) ?? "",
            message: text(laurel_pq_message(result)) ?? oneLine(String(cString: PQresultErrorMessage(result))),
            detail: text(laurel_pq_detail(result)),
            hint: text(laurel_pq_hint(result)),
            isConnectionLost: isConnectionLost
        )
    }
}

/// A notice of the server.
package struct DatabaseNotice: Sendable {
    package var sqlState: String
    /// The severity in English, such as `WARNING` or `NOTICE`.
    package var severity: String
    package var message: String

    init(_ result: OpaquePointer) {
        sqlState = text(laurel_pq_sqlstate(result)) ?? ""
        severity = text(laurel_pq_severity(result)) ?? ""
        message = text(laurel_pq_message(result)) ?? ""
    }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

/// A text on one line. libpq's messages may have several lines.
func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" || $0 == " " } }.joined(separator: "; ")
}
