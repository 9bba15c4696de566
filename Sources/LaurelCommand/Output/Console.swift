// SPDX-License-Identifier: Apache-2.0

/// The outputs of a command: results go to standard output, everything else to standard error.
final class Console {
    let output: OutputStream
    /// The style of results.
    let style: Style
    /// The style of messages.
    let errorStyle: Style
    /// True if standard error is a terminal, so that a progress line can be shown.
    let isErrorTerminal = System.isTerminal(System.standardError)
    /// True if the user can be asked a question.
    let isInteractive: Bool

    init() {
        style = Style(of: System.standardOutput)
        output = OutputStream(standardOutput: System.standardOutput, width: style.width)
        errorStyle = Style(of: System.standardError)
        isInteractive = isErrorTerminal && System.isTerminal(System.standardInput)
    }

    /// Writes a message that is not a result. Write errors are ignored, because standard error may have no reader.
    func message(_ text: String) {
        write(text.split(separator: "\n", omittingEmptySubsequences: false).map { "laurel: \($0)\n" }.joined())
    }

    /// Writes text on a line of its own, such as `FILE:LINE: …`.
    func line(_ text: String) { write(text + "\n") }

    /// Asks a question. Returns true if the answer was yes.
    func confirms(_ question: String) -> Bool {
        write("\(question) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Runs `body` with a line that shows the progress, and removes the line at the end. The line is shown only if
    /// standard error is a terminal.
    func withProgress<Result>(_ unit: String, _ body: (ProgressLine) throws -> Result) rethrows -> Result {
        let line = ProgressLine(console: self, unit: unit)
        defer { line.finish() }
        return try body(line)
    }

    /// Writes text to standard error unchanged.
    func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            try? System.write(UnsafeRawBufferPointer(bytes), to: System.standardError, name: "standard error")
        }
    }
}

extension Arguments {
    /// Refuses a command that asks before it acts, if nobody can answer.
    /// - Parameter verb: the action, such as "erases".
    func expectAnswer(_ console: Console, _ verb: String) throws {
        guard has(.yes) || console.isInteractive else {
            throw UsageError(
                "\(command) asks first, but there is no terminal; --yes \(verb) without asking",
                command: command
            )
        }
    }
}
