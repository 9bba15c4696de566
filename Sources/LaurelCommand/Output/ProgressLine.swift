// SPDX-License-Identifier: Apache-2.0

/// A line on a terminal that is redrawn in place. It shows the amount done, the speed and the remaining time.
final class ProgressLine {
    private let console: Console
    private let unit: String
    private let start = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?
    private static let pause = Duration.milliseconds(100)

    init(console: Console, unit: String) {
        self.console = console
        self.unit = unit
    }

    /// - Parameters:
    ///   - count: the amount done, in the line's unit.
    ///   - share: the finished share, 0…1; nil if it is unknown.
    func show(_ count: Int, share: Double?) {
        guard console.isErrorTerminal else { return }
        let now = ContinuousClock.now
        guard now - (lastDrawn ?? start) >= ProgressLine.pause else { return }
        lastDrawn = now
        console.write("\r\u{1B}[K" + text(count, share: share, seconds: (now - start).inSeconds))
    }

    /// Removes the line from the terminal.
    func finish() {
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
