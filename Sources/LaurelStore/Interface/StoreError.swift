// SPDX-License-Identifier: Apache-2.0

/// The error of a failed store operation.
package struct StoreError: Error, CustomStringConvertible {
    /// The kind of failure. Compare with the named constants; new ones may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// There is no store at the given location.
        package static let notFound = Code(rawValue: "not-found")
        /// The file is not a Laurel store.
        package static let notAStore = Code(rawValue: "not-a-store")
        /// A store was to be created, but one exists.
        package static let alreadyExists = Code(rawValue: "already-exists")
        /// The file has several names. Each name would have its own write-ahead log.
        package static let ambiguousName = Code(rawValue: "ambiguous-name")
        /// A newer version of the program wrote the store.
        package static let newerFormat = Code(rawValue: "newer-format")
        /// The format is too old for this version of the program.
        package static let olderFormat = Code(rawValue: "older-format")
        /// Another process is writing, or a reader blocks the operation.
        package static let busy = Code(rawValue: "busy")
        package static let readOnly = Code(rawValue: "read-only")
        package static let diskFull = Code(rawValue: "disk-full")
        package static let ioError = Code(rawValue: "io-error")
        /// The database cannot be reached, or stopped the operation. Nothing was changed, and a retry may succeed
        /// later.
        package static let unavailable = Code(rawValue: "unavailable")
        /// The connection broke during a commit, so the write may be stored or not. Sending it again is safe.
        package static let outcomeUnknown = Code(rawValue: "outcome-unknown")
        /// The bytes differ from those that were written.
        package static let corrupt = Code(rawValue: "corrupt")
        /// The caller broke a precondition of the protocol.
        package static let misuse = Code(rawValue: "misuse")
        /// No version of the rules is in force from the given day, or that day has begun in some time zone.
        package static let notWithdrawable = Code(rawValue: "not-withdrawable")
        /// The store's rules have changed since they were read.
        package static let rulesChanged = Code(rawValue: "rules-changed")
        /// Rules were given for a store that has other rules.
        package static let otherRules = Code(rawValue: "other-rules")
        /// A restore into the store was interrupted.
        package static let restoreUnfinished = Code(rawValue: "restore-unfinished")
        /// The learner is erased, but old copies may still be in the file. The next write finishes the erasure.
        package static let erasureIncomplete = Code(rawValue: "erasure-incomplete")
    }

    package var code: Code
    /// The problem, its location, and a remedy.
    package var message: String
    /// SQLite's extended result code; nil if SQLite did not fail.
    package var sqliteCode: Int32?
    /// True if stored bytes differ from those written, or cannot be read from the disk.
    package let isDamage: Bool

    /// - Parameter isDamage: nil for the default of the code.
    package init(_ code: Code, _ message: String, sqliteCode: Int32? = nil, isDamage: Bool? = nil) {
        self.code = code
        self.message = message
        self.sqliteCode = sqliteCode
        self.isDamage = isDamage ?? (code == .corrupt)
    }

    package var description: String { message }

    /// The advice for a store whose format is too old.
    package static let olderFormatAdvice =
        "`laurel export` its events with Laurel 0.2, then `laurel ingest` them with this version"

    /// Checks that this program knows the format of a store.
    /// - Parameter name: the store's name for the user.
    /// - Throws: ``StoreError`` of code `newerFormat` or `olderFormat`.
    static func check(_ format: Int64, of name: String, readable: ClosedRange<Int64>) throws(StoreError) {
        if format > readable.upperBound {
            throw StoreError(
                .newerFormat,
                "\(name) has store format \(format), this program knows up to \(readable.upperBound): use a newer one"
            )
        }
        if format < readable.lowerBound {
            throw StoreError(
                .olderFormat,
                "\(name) has store format \(format), this program knows \(readable.lowerBound) and later:"
                    + " \(olderFormatAdvice)"
            )
        }
    }
}
