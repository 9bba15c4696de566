// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension DatabaseError {
    /// True if a retry may succeed: the server is restarting, another server is taking over, or another transaction was
    /// first.
    var isPassing: Bool {
        isConnectionLost || sqlClass == "08" || isPreparedStatementError
            || ["57P01", "57P02", "57P03", "40001", "40P01", "55P03", "25006", "25P03"].contains(sqlState)
    }

    /// True if the server may have stopped during the statement, so that the outcome is unknown.
    var hasUnknownOutcome: Bool {
        isConnectionLost || sqlClass == "08" || ["57P01", "57P02", "57P03", "25P03"].contains(sqlState)
    }

    /// True if files of the server are damaged: the server reports damage, cannot read a file, or fails because of a
    /// file's content.
    var isDamage: Bool {
        !isConnectionLost && (["XX000", "58030", "58P01"].contains(sqlState) || indicatesDamage)
    }

    fileprivate var indicatesDamage: Bool { ["XX001", "XX002"].contains(sqlState) }
}

extension StoreError {
    /// An error that PostgreSQL reported, with a message that says what to do.
    init(_ error: DatabaseError, _ location: PostgreSQLLocation) {
        let name = location.name
        let (code, message): (Code, String) =
            switch error.sqlState {
            case "55P03":
                (.busy, "\(name) is being written by another process; try again when it is done")
            case "53100":
                (.diskFull, "\(name): the server's disk is full; nothing was changed. Free some space and try again")
            case "53300":
                (
                    .unavailable,
                    "\(name) has no connection left; try again, or allow more (max_connections, or a pooler)"
                )
            case "42P01", "3F000":
                (.notFound, StoreError.noStore(location))
            case "42501":
                (.readOnly, "\(name): the user may not do that (\(error.message)); grant what is missing")
            case "25006":
                (.readOnly, "\(name) is a standby or lets only read; name the server that is written to")
            case "57014":
                (.unavailable, "\(name) has cancelled what it was asked (\(error.message)); nothing was changed")
            case _ where error.isPreparedStatementError:
                (
                    .unavailable,
                    "\(name): a pooler changes sessions under prepared statements (\(error.message)); nothing was changed."
                        + " Take statements=prepared out of the address"
                )
            case _ where error.isPassing:
                (
                    .unavailable,
                    "\(name) cannot be reached at present (\(error.message)); nothing was changed. Try again"
                )
            case _ where error.indicatesDamage:
                (.corrupt, "\(name) is damaged (\(error.message)); restore it from a backup")
            default: (.ioError, "\(name): \(error)")
            }
        self.init(code, message, isDamage: error.isDamage)
    }

    static func noStore(_ location: PostgreSQLLocation) -> String {
        "there is no store in schema \(location.schema) of \(location.name); `laurel store create --store …` makes one"
    }

    static func outcomeUnknown(_ reason: String, _ location: PostgreSQLLocation) -> StoreError {
        StoreError(
            .outcomeUnknown,
            "\(location.name): \(reason) while a write was being stored. It is not known whether it is stored;"
                + " sending the same events again is safe, for each is stored once"
        )
    }
}
