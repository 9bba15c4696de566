// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelReports
package import LaurelResults

/// Checks the database server that contains a store.
package struct DatabaseExamination {
    let status: StoreStatus

    package init(status: StoreStatus) { self.status = status }

    package func findings() -> [Finding] {
        let warnings = status.warnings.map { Finding("database", .warning, english: $0.message, advice: $0.advice) }
        guard let database = status.database, warnings.isEmpty else { return warnings + [rights].compactMap(\.self) }
        let used = database.programs.reduce(0) { $0 + $1.connections }
        let told: PageText =
            "PostgreSQL \(database.serverVersion), \(used) of \(database.mostConnections) connections taken"
        return [Finding("database", .ok, told), rights].compactMap(\.self)
    }

    /// The finding about the rights of the database user; nil if the rights are not limited.
    private var rights: Finding? {
        guard let database = status.database, let rights = database.rights else { return nil }
        if database.isReadOnly {
            return Finding(
                "permissions",
                .warning,
                "the server only lets read",
                advice: "name the one that is written to"
            )
        }
        switch rights {
        case "owner": return Finding("permissions", .ok, "the user owns the tables")
        case "writer":
            return Finding(
                "permissions",
                .ok,
                "the user may ask and store; applying rules is for the tables' owner"
            )
        default:
            return Finding(
                "permissions",
                .error,
                "the user may read the views alone",
                advice: "`laurel store create --writer USER`, as the owner of the tables"
            )
        }
    }
}
