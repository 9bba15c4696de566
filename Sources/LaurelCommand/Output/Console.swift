// SPDX-License-Identifier: Apache-2.0

/// Where a command writes: results to standard output, everything else to standard error.
final class Console {
    let output: OutputStream
    /// How results may look.
    let style: Style
    /// How messages may look.
    let errorStyle: Style
    /// Whether somebody sees progress.
    let isErrorTerminal = System.isTerminal(System.standardError)
    /// True if somebody can be asked.
    let isInteractive: Bool

    init() {
        style = Style(of: System.standardOutput)
        output = OutputStream(standardOutput: System.standardOutput, width: style.width)
        errorStyle = Style(of: System.standardError)
        isInteractive = isErrorTerminal && System.isTerminal(System.standardInput)
    }

    /// Writes a message that is no result. It does no harm if nobody can read it.
    func message(_ text: String) {
        write(text.split(separator: "\n", omittingEmptySubsequences: false).map { "laurel: \($0)\n" }.joined())
    }

    /// A line that stands for itself, such as `FILE:LINE: …`.
    func line(_ text: String) { write(text + "\n") }

    /// Asks, and says whether the answer was yes.
    func confirms(_ question: String) -> Bool {
        write("\(question) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Runs `body` with a line of live progress, which is removed afterwards. It is shown only where standard error is
    /// a terminal.
    func withProgress<Result>(_ unit: String, _ body: (ProgressLine) throws -> Result) rethrows -> Result {
        let line = ProgressLine(console: self, unit: unit)
        defer { line.finish() }
        return try body(line)
    }

    /// Writes to standard error as it is.
    func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            try? System.write(UnsafeRawBufferPointer(bytes), to: System.standardError, name: "standard error")
        }
    }
}
