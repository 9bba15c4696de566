/// Where a command writes: results to standard output, everything else to standard error.
final class Console {
    let output = OutputStream(standardOutput: System.standardOutput)
    /// How results may look.
    let style: Style
    /// Whether somebody sees progress.
    let isErrorTerminal = System.isTerminal(System.standardError)
    /// Whether somebody can be asked.
    let isInteractive: Bool

    init() {
        let isTerminal = System.isTerminal(System.standardOutput)
        style = Style(
            isTerminal: isTerminal,
            hasColour: isTerminal && System.environment("NO_COLOR") == nil && System.environment("TERM") != "dumb",
            width: isTerminal ? System.width(System.standardOutput) ?? 80 : nil
        )
        isInteractive = isErrorTerminal && System.isTerminal(System.standardInput)
    }

    /// Tells something that is no result. What nobody can read is lost without harm.
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

    /// Runs `body` with a line of live progress, which is gone afterwards; nobody sees it where standard error is no
    /// terminal.
    func withProgress<Result>(_ unit: String, _ body: (ProgressLine) throws -> Result) rethrows -> Result {
        let line = ProgressLine(console: self, unit: unit)
        defer { line.finish() }
        return try body(line)
    }

    fileprivate func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            try? System.write(UnsafeRawBufferPointer(bytes), to: System.standardError, name: "standard error")
        }
    }
}

/// One line on a terminal, redrawn in place: how much is done, how fast, how long it still takes.
final class ProgressLine {
    private let console: Console
    private let unit: String
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?
    private static let pause = Duration.milliseconds(100)

    fileprivate init(console: Console, unit: String) {
        self.console = console
        self.unit = unit
    }

    /// - Parameters:
    ///   - count: What has been done, in the line's unit.
    ///   - share: 0…1 of all there is to do, where that is known.
    func show(_ count: Int, share: Double?) {
        guard console.isErrorTerminal else { return }
        let now = ContinuousClock.now
        guard now - (lastDrawn ?? start) >= ProgressLine.pause else { return }
        lastDrawn = now
        console.write("\r\u{1B}[K" + text(count, share: share, seconds: (now - start).inSeconds))
    }

    /// Takes the line away.
    fileprivate func finish() {
        guard lastDrawn != nil else { return }
        console.write("\r\u{1B}[K")
        lastDrawn = nil
    }

    private func text(_ count: Int, share: Double?, seconds: Double) -> String {
        let rate = Numbers.grouped((Double(count) / seconds).rounded())
        var text = "\(Numbers.grouped(count)) \(unit)  \(rate)/s"
        if let share, share > 0 {
            let share = min(share, 1)
            text = "\(Int(share * 100))%  \(text)  \(Numbers.duration(seconds: seconds / share - seconds)) left"
        }
        return text
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
