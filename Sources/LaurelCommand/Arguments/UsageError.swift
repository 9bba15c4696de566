// SPDX-License-Identifier: Apache-2.0

/// A request that was not understood: what was wrong, and what would be right.
struct UsageError: Error, Equatable {
    let message: String
    /// The command whose help tells more, or nothing for that of the tool.
    let command: String?

    init(_ message: String, command: String? = nil) {
        self.message = message
        self.command = command
    }

    var hint: String { "see `laurel \(command.map { $0 + " " } ?? "")--help`" }
}
