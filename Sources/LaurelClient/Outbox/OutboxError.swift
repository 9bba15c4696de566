// SPDX-License-Identifier: Apache-2.0

/// Why the outbox could not do what it was asked. What is not acknowledged is not promised: record it again, or tell the learner.
public struct OutboxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure; compare with the ones named here. More may come.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The outbox is full, and was told to refuse then.
        public static let full = Code(rawValue: "full")
        /// Another process, or another client in this one, uses this outbox.
        public static let inUse = Code(rawValue: "in-use")
        /// The client was closed.
        public static let closed = Code(rawValue: "closed")
        /// There is no room on the disk.
        public static let diskFull = Code(rawValue: "disk-full")
        /// The file system failed.
        public static let ioError = Code(rawValue: "io-error")
        /// A later version of the library wrote it.
        public static let newerFormat = Code(rawValue: "newer-format")
        /// The configuration makes no sense.
        public static let invalidConfiguration = Code(rawValue: "invalid-configuration")
    }

    /// What kind of failure.
    public var code: Code
    /// What was wrong, where, and what to do.
    public var message: String

    /// Each property says what its parameter means.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
