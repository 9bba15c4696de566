// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// The roles that may use a store in a database. The owner, who created the store, always has all rights.
package struct DatabaseRoles: Sendable, Hashable {
    /// The role that may read, store, erase and replay, and manage keys and webhooks. It may not create, change or drop
    /// tables, so it cannot apply rules. Before PostgreSQL 17 it cannot vacuum tables either.
    package var writer: String?
    /// The role that may only select from the views.
    package var reader: String?

    package init(writer: String? = nil, reader: String? = nil) { (self.writer, self.reader) = (writer, reader) }

    var isEmpty: Bool { writer == nil && reader == nil }

    /// The views for analysts.
    static let views = ["learner_profiles", "progress", "daily", "achievements"] + GamesView.all.map(\.name)

    /// Creates missing roles. They may log in, and have no password yet.
    func make(_ connection: DatabaseConnection) throws {
        for role in [writer, reader].compactMap(\.self) {
            let found = try connection.rows(
                "SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1),"
                    + " (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user)",
                [.text(role)]
            )[0]
            if found.truth(0) { continue }
            guard found.truth(1) else {
                throw StoreError(
                    .readOnly,
                    "there is no role \(role), and you may not make one; have somebody run: CREATE ROLE \(quoted(role)) LOGIN"
                )
            }
            _ = try connection.rows("CREATE ROLE \(quoted(role)) LOGIN")
        }
    }

    /// - Parameter schema: the schema's name, which must need no quotes.
    func grant(in schema: String, _ connection: DatabaseConnection) throws {
        guard !isEmpty else { return }
        _ = try connection.rows("BEGIN")
        for role in [writer, reader].compactMap(\.self) {
            _ = try connection.rows("GRANT USAGE ON SCHEMA \(schema) TO \(quoted(role))")
        }
        if let writer {
            // The roles need no right on a partition, because they access each partition through its table.
            _ = try connection.rows(
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(quoted(writer))"
            )
            // Vacuuming needs this right. Before PostgreSQL 17, only the owner can vacuum.
            if connection.serverVersion >= 170_000 {
                _ = try connection.rows("GRANT MAINTAIN ON ALL TABLES IN SCHEMA \(schema) TO \(quoted(writer))")
            }
        }
        if let reader {
            let views = Self.views.map { "\(schema).\($0)" }.joined(separator: ", ")
            _ = try connection.rows("GRANT SELECT ON \(views) TO \(quoted(reader))")
        }
        _ = try connection.rows("COMMIT")
    }

    private func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
