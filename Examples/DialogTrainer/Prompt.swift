// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Lines from standard input.
enum Prompt {
    private static let isTerminal = isatty(FileHandle.standardInput.fileDescriptor) == 1

    /// The next line without blanks around it; nil at the end. Who types sees the prompt.
    static func read(_ prompt: String) -> String? {
        // Straight to the terminal, for what ends in no newline stays in `print`'s buffer.
        if isTerminal { FileHandle.standardOutput.write(Data(prompt.utf8)) }
        return readLine()?.trimmingCharacters(in: .whitespaces)
    }
}
