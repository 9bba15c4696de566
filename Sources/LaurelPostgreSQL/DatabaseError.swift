// SPDX-License-Identifier: Apache-2.0

internal import CPostgreSQL

/// What the server, or the way to it, reported.
package struct DatabaseError: Error, CustomStringConvertible, Sendable {
    /// The five characters of SQL's standard; empty where the server had no part in it.
    package var sqlState: String
    package var message: String
    package var detail: String?
    package var hint: String?
    /// True if the connection is no more, for whatever reason.
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

    /// True if a statement that was prepared is gone, or one is there that was not: somebody else has had the session.
    package var isOfPreparedStatements: Bool { sqlState == "26000" || sqlState == "42P05" }

    /// The first two characters of the state, which tell the kind.
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

/// What the server said beside its answers.
package struct DatabaseNotice: Sendable {
    package var sqlState: String
    /// `WARNING`, `NOTICE` and the like, in English.
    package var severity: String
    package var message: String

    init(_ result: OpaquePointer) {
        sqlState = text(laurel_pq_sqlstate(result)) ?? ""
        severity = text(laurel_pq_severity(result)) ?? ""
        message = text(laurel_pq_message(result)) ?? ""
    }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

/// libpq ends lines, and begins new ones for what follows.
func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" || $0 == " " } }.joined(separator: "; ")
}
