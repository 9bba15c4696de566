// SPDX-License-Identifier: Apache-2.0

/// Why an input cannot be read (on). What came before was delivered.
public struct InputError: Error, Sendable, Hashable, CustomStringConvertible {
    public struct Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file is not there or may not be read.
        public static let cannotOpen = Code(rawValue: "cannot-open")
        public static let cannotRead = Code(rawValue: "cannot-read")
        /// A compressed file ends before its end.
        public static let truncated = Code(rawValue: "truncated")
        /// A compressed file is damaged.
        public static let damaged = Code(rawValue: "damaged")
        /// Not of the format that was asked for.
        public static let otherFormat = Code(rawValue: "other-format")
        /// A JSON array of events without its closing bracket.
        public static let unfinishedList = Code(rawValue: "unfinished-list")
    }

    public var code: Code
    /// The file's name.
    public var file: String
    /// How far it could be read, in bytes of the file as it is.
    public var byte: Int64
    public var message: String

    package init(code: Code, file: String, byte: Int64, message: String) {
        self.code = code
        self.file = file
        self.byte = byte
        self.message = message
    }

    public var description: String { "\(file): \(message)" }
}
