// SPDX-License-Identifier: Apache-2.0

/// An invalid command line: the mistake, and its correction.
struct UsageError: Error, Equatable {
    let message: String
    /// The command whose help the error message names; nil for the tool's help.
    let command: String?

    init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }

    var hint: String { "see `laurel \(command.map { $0 + " " } ?? "")--help`" }
}
