// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelRules
import LaurelStore
public import LaurelWire

/// Why the engine could not do what it was asked.
public struct EngineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure; compare with the ones named here. More may come. Their raw values are spelled `not-found`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no store at that place.
        public static let notFound = Code(rawValue: "not-found")
        /// The file is something else.
        public static let notAStore = Code(rawValue: "not-a-store")
        /// A later version of Laurel wrote it.
        public static let newerFormat = Code(rawValue: "newer-format")
        /// The store's format is too old for this version of Laurel; the message says how to take the events along.
        public static let olderFormat = Code(rawValue: "older-format")
        /// Another process is writing.
        public static let busy = Code(rawValue: "busy")
        /// The store was opened for reading.
        public static let readOnly = Code(rawValue: "read-only")
        /// There is no room on the disk; nothing was changed.
        public static let diskFull = Code(rawValue: "disk-full")
        /// The system could not read or write.
        public static let ioError = Code(rawValue: "io-error")
        /// A store is to be made where there is one.
        public static let alreadyExists = Code(rawValue: "already-exists")
        /// The database that holds the store cannot be reached, or gave up; nothing was changed. Trying again later may help.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The connection to the database broke while a write was being stored: it may be stored or not. Sending the same events
        /// again is safe.
        public static let outcomeUnknown = Code(rawValue: "outcome-unknown")
        /// The store is damaged.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The rules cannot be used, as told by ``EngineError/diagnostics``; the message has a line for each.
        public static let invalidRules = Code(rawValue: "invalid-rules")
        /// A report cannot be used, as told by ``EngineError/diagnostics``.
        public static let invalidReport = Code(rawValue: "invalid-report")
        /// A mapping cannot be used, as told by ``EngineError/diagnostics``.
        public static let invalidMapping = Code(rawValue: "invalid-mapping")
        /// Rules were given to a store that has others; `apply(_:from:options:observe:)` replaces them.
        public static let otherRules = Code(rawValue: "other-rules")
        /// The request names something that does not exist.
        public static let invalidRequest = Code(rawValue: "invalid-request")
        /// A file that was given cannot be opened.
        public static let cannotOpen = Code(rawValue: "cannot-open")
        /// The file has several names (hard links); each would have a log of its own.
        public static let ambiguousName = Code(rawValue: "ambiguous-name")
        /// No version of the rules comes into force on that day, or the day has begun in some time zone.
        public static let notWithdrawable = Code(rawValue: "not-withdrawable")
        /// Another process gave the store other rules meanwhile.
        public static let rulesChanged = Code(rawValue: "rules-changed")
        /// Erased, but old copies may still be in the file: the next write finishes the work.
        public static let erasureIncomplete = Code(rawValue: "erasure-incomplete")
        /// The machine has no thread to give at present; nothing was done. Trying again later may help.
        public static let outOfThreads = Code(rawValue: "out-of-threads")
        /// An input is not a list of events, or ends too early.
        public static let unreadable = Code(rawValue: "unreadable")
    }

    /// What kind of failure.
    public var code: Code
    /// What was wrong, where, and what to do.
    public var message: String
    /// Every mistake of a file that cannot be used, in its order; warnings are among them.
    public var diagnostics: [Diagnostic]

    /// An error of your own, such as for tests.
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

    /// Runs what throws the modules' own errors.
    package static func translating<T>(_ body: () throws -> T) throws(EngineError) -> T {
        do {
            return try body()
        } catch {
            throw EngineError(translating: error) ?? EngineError(.ioError, "\(error)")
        }
    }

    /// Runs what also throws errors of the caller's, which it lets through.
    package static func passing<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            throw EngineError(translating: error) ?? error
        }
    }

    /// nil if it is none of the modules' own.
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
