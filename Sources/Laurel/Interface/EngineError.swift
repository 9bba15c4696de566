import LaurelEvents
import LaurelRules
import LaurelStore

/// Why the engine could not do what it was asked.
public struct EngineError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure; compare with the ones named here. More may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no store at that place.
        public static let notFound = Code(rawValue: "notFound")
        /// The file is something else.
        public static let notAStore = Code(rawValue: "notAStore")
        /// A later version of Laurel wrote it.
        public static let newerFormat = Code(rawValue: "newerFormat")
        /// Another process is writing.
        public static let busy = Code(rawValue: "busy")
        /// The store was opened for reading.
        public static let readOnly = Code(rawValue: "readOnly")
        public static let diskFull = Code(rawValue: "diskFull")
        public static let ioError = Code(rawValue: "ioError")
        /// The store is damaged.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The rules cannot be used; the message has a line for each mistake: `FILE:LINE:COLUMN: …`.
        public static let invalidRules = Code(rawValue: "invalidRules")
        /// Rules were given to a store that has others; ``ProgressEngine/apply(rules:from:)`` replaces them.
        public static let otherRules = Code(rawValue: "otherRules")
        /// An input is no list of events, or ends too early.
        public static let unreadable = Code(rawValue: "unreadable")
    }

    public var code: Code
    /// What was wrong, where, and what to do.
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    /// Runs what throws the modules' own errors.
    static func translating<T>(_ body: () throws -> T) throws(EngineError) -> T {
        do {
            return try body()
        } catch let error as EngineError {
            throw error
        } catch let error as StoreError {
            throw EngineError(Code(rawValue: error.code.rawValue), error.message)
        } catch let error as RulesError {
            throw EngineError(.invalidRules, error.description)
        } catch let error as InputError {
            throw EngineError(.unreadable, error.description)
        } catch {
            throw EngineError(.ioError, "\(error)")
        }
    }
}
