// SPDX-License-Identifier: Apache-2.0

/// An error of the outbox. An event that was not acknowledged may be lost: record it again, or inform the learner.
public struct OutboxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; compare it with the codes below. Later versions may add more.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The outbox is full, and is configured to refuse new events.
        public static let full = Code(rawValue: "full")
        /// Another process, or another client in this process, uses the outbox.
        public static let inUse = Code(rawValue: "in-use")
        /// The client was closed.
        public static let closed = Code(rawValue: "closed")
        /// The disk is full.
        public static let diskFull = Code(rawValue: "disk-full")
        /// The file system failed.
        public static let ioError = Code(rawValue: "io-error")
        /// A later version of the library wrote the outbox.
        public static let newerFormat = Code(rawValue: "newer-format")
        /// The configuration is invalid.
        public static let invalidConfiguration = Code(rawValue: "invalid-configuration")
    }

    /// The kind of failure.
    public var code: Code
    /// The problem, its position, and what to do.
    public var message: String

    /// Creates an error. The properties describe the parameters.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
