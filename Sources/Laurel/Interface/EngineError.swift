// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelRules
import LaurelStore
public import LaurelWire

/// The reason why the engine could not complete a call.
public struct EngineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; compare it with the constants here. Later versions may add more. Raw values are spelled
    /// like `not-found`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no store at the location.
        public static let notFound = Code(rawValue: "not-found")
        /// The file is not a store.
        public static let notAStore = Code(rawValue: "not-a-store")
        /// A later version of Laurel wrote the store.
        public static let newerFormat = Code(rawValue: "newer-format")
        /// The store's format is too old for this version of Laurel; the message says how to keep the events.
        public static let olderFormat = Code(rawValue: "older-format")
        /// Another process is writing.
        public static let busy = Code(rawValue: "busy")
        /// The store was opened for reading.
        public static let readOnly = Code(rawValue: "read-only")
        /// The disk is full; nothing was changed.
        public static let diskFull = Code(rawValue: "disk-full")
        /// The system could not read or write.
        public static let ioError = Code(rawValue: "io-error")
        /// A new store was requested, but a store exists there.
        public static let alreadyExists = Code(rawValue: "already-exists")
        /// The database that holds the store cannot be reached, or did not complete the work. Nothing was changed;
        /// trying again later may help.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The connection to the database broke during a write, so the data may or may not be stored. Sending the same
        /// events again is safe.
        public static let outcomeUnknown = Code(rawValue: "outcome-unknown")
        /// The store is damaged.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The rules are invalid; ``EngineError/diagnostics`` lists the errors, and the message has a line for each.
        public static let invalidRules = Code(rawValue: "invalid-rules")
        /// A report is invalid; ``EngineError/diagnostics`` lists the errors.
        public static let invalidReport = Code(rawValue: "invalid-report")
        /// A mapping is invalid; ``EngineError/diagnostics`` lists the errors.
        public static let invalidMapping = Code(rawValue: "invalid-mapping")
        /// Rules were given to a store that has other rules; `apply(_:from:options:observe:)` replaces them.
        public static let otherRules = Code(rawValue: "other-rules")
        /// The request is invalid, for example because it names something that does not exist.
        public static let invalidRequest = Code(rawValue: "invalid-request")
        /// An input file cannot be opened.
        public static let cannotOpen = Code(rawValue: "cannot-open")
        /// The file has several names (hard links), and each name would have a separate log.
        public static let ambiguousName = Code(rawValue: "ambiguous-name")
        /// No version of the rules starts on that day, or the day has begun in some time zone.
        public static let notWithdrawable = Code(rawValue: "not-withdrawable")
        /// Another process applied other rules meanwhile.
        public static let rulesChanged = Code(rawValue: "rules-changed")
        /// A restore into the store was interrupted. Run the same restore again to finish it.
        public static let restoreUnfinished = Code(rawValue: "restore-unfinished")
        /// The data is erased, but old copies of it may still be in the file. The next write removes them.
        public static let erasureIncomplete = Code(rawValue: "erasure-incomplete")
        /// The machine cannot start another thread at present; nothing was done. Trying again later may help.
        public static let outOfThreads = Code(rawValue: "out-of-threads")
        /// The rules do not have the item to buy.
        public static let unknownItem = Code(rawValue: "unknown-item")
        /// The purchase costs more than the learner has.
        public static let insufficientBalance = Code(rawValue: "insufficient-balance")
        /// The number of items is more than the learner may buy.
        public static let limitReached = Code(rawValue: "limit-reached")
        /// The purchase is before the learner's latest purchase.
        public static let tooEarly = Code(rawValue: "too-early")
        /// Another purchase with this id is stored.
        public static let conflict = Code(rawValue: "conflict")
        /// The two ids to merge already mean the same learner.
        public static let sameLearner = Code(rawValue: "same-learner")
        /// An id of the learner to merge is not anonymous.
        public static let notAnonymous = Code(rawValue: "not-anonymous")
        /// An input is not a list of events, or ends too early.
        public static let unreadable = Code(rawValue: "unreadable")
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the error, with its position and advice.
    public var message: String
    /// All errors and warnings in an invalid file, in its order.
    public var diagnostics: [Diagnostic]

    /// Creates an error of your own, for example for tests.
    public init(_ code: Code, _ message: String, diagnostics: [Diagnostic] = []) {
        self.code = code
        self.message = message
        self.diagnostics = diagnostics
    }

    public var description: String { message }

    package static let outOfThreads = EngineError(
        .outOfThreads,
        "no thread can be started: this machine, container or user may have no more of them"
    )

    /// Runs `body`. Errors of Laurel's modules are translated to ``EngineError``.
    package static func translating<T>(_ body: () throws -> T) throws(EngineError) -> T {
        do {
            return try body()
        } catch {
            throw EngineError(translating: error) ?? EngineError(.ioError, "\(error)")
        }
    }

    /// Runs `body`. Errors of Laurel's modules are translated to ``EngineError``; the caller's own errors are rethrown
    /// unchanged.
    package static func passing<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            throw EngineError(translating: error) ?? error
        }
    }

    /// Translates an error of one of Laurel's modules; nil for any other error.
    private init?(translating error: any Error) {
        switch error {
        case let error as EngineError: self = error
        case let error as StoreError: self.init(Code(rawValue: error.code.rawValue), error.message)
        case let error as RulesError: self.init(.invalidRules, error.description, diagnostics: error.diagnostics)
        case let error as MappingError: self.init(.invalidMapping, error.description, diagnostics: error.diagnostics)
        case let error as AdapterError: self.init(.invalidRequest, error.message)
        case let error as InputError:
            let codes: [InputError.Code: Code] = [.cannotOpen: .cannotOpen, .cannotRead: .ioError]
            self.init(codes[error.code] ?? .unreadable, error.description)
        default: return nil
        }
    }
}
