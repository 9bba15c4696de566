// SPDX-License-Identifier: Apache-2.0

/// Why a store could not do what it was asked.
package struct StoreError: Error, CustomStringConvertible {
    /// What kind of failure; compare with the ones named here. More may come.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// There is no store at that place.
        package static let notFound = Code(rawValue: "not-found")
        /// The file is something else.
        package static let notAStore = Code(rawValue: "not-a-store")
        /// A store is to be made where there is one.
        package static let alreadyExists = Code(rawValue: "already-exists")
        /// The file has several names, of which each would have a log of its own.
        package static let ambiguousName = Code(rawValue: "ambiguous-name")
        /// A later version of the program wrote it.
        package static let newerFormat = Code(rawValue: "newer-format")
        /// The format is too old for this version of the program.
        package static let olderFormat = Code(rawValue: "older-format")
        /// Another process is writing, or a reader stands in the way.
        package static let busy = Code(rawValue: "busy")
        package static let readOnly = Code(rawValue: "read-only")
        package static let diskFull = Code(rawValue: "disk-full")
        package static let ioError = Code(rawValue: "io-error")
        /// The database cannot be reached, or gave up; nothing was changed, and trying again later may help.
        package static let unavailable = Code(rawValue: "unavailable")
        /// The connection broke while a write was being stored: it may be stored or not. Sending it again is safe.
        package static let outcomeUnknown = Code(rawValue: "outcome-unknown")
        /// The bytes are not what was written.
        package static let corrupt = Code(rawValue: "corrupt")
        /// The caller broke the rules of the protocol.
        package static let misuse = Code(rawValue: "misuse")
        /// No version of the rules is in force from that day, or somewhere it is that day already.
        package static let notWithdrawable = Code(rawValue: "not-withdrawable")
        /// The store has got other rules than those one went by.
        package static let rulesChanged = Code(rawValue: "rules-changed")
        /// Rules were given to a store that has others.
        package static let otherRules = Code(rawValue: "other-rules")
        /// Erased, but old copies may still be in the file: the next write finishes the work.
        package static let erasureIncomplete = Code(rawValue: "erasure-incomplete")
    }

    package var code: Code
    /// What was wrong, where, and what to do.
    package var message: String
    /// SQLite's extended result code, where it had a part in it.
    package var sqliteCode: Int32?
    /// True if stored bytes are not what was written, or the disk no longer gives them.
    package let isDamage: Bool

    /// - Parameter isDamage: nil for that of the code.
    package init(_ code: Code, _ message: String, sqliteCode: Int32? = nil, isDamage: Bool? = nil) {
        self.code = code
        self.message = message
        self.sqliteCode = sqliteCode
        self.isDamage = isDamage ?? (code == .corrupt)
    }

    package var description: String { message }

    /// The advice for a store whose format is too old.
    package static let wayFromOlderFormat =
        "`laurel export` its events with Laurel 0.2, then `laurel ingest` them with this version"

    /// Refuses a store whose format this program does not know.
    /// - Parameter name: what the user calls the store.
    static func check(_ format: Int64, of name: String, known: ClosedRange<Int64>) throws(StoreError) {
        if format > known.upperBound {
            throw StoreError(
                .newerFormat,
                "\(name) has store format \(format), this program knows up to \(known.upperBound): use a newer one"
            )
        }
        if format < known.lowerBound {
            throw StoreError(
                .olderFormat,
                "\(name) has store format \(format), this program knows \(known.lowerBound) and later:"
                    + " \(wayFromOlderFormat)"
            )
        }
    }
}
