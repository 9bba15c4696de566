// SPDX-License-Identifier: Apache-2.0

/// The reason why an input cannot be read further. The records before the error were delivered.
public struct InputError: Error, Sendable, Hashable, CustomStringConvertible {
    public struct Code: RawRepresentable, Sendable, Hashable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file does not exist or may not be read.
        public static let cannotOpen = Code(rawValue: "cannot-open")
        public static let cannotRead = Code(rawValue: "cannot-read")
        /// A compressed file is cut off.
        public static let truncated = Code(rawValue: "truncated")
        /// A compressed file is damaged.
        public static let damaged = Code(rawValue: "damaged")
        /// The file does not have the expected format.
        public static let otherFormat = Code(rawValue: "other-format")
        /// A JSON array of events without its closing bracket.
        public static let unfinishedList = Code(rawValue: "unfinished-list")
    }

    public var code: Code
    /// The file's name.
    public var file: String
    /// The number of bytes of the file, as stored, that could be read.
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
