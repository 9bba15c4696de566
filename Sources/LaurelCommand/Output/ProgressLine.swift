// SPDX-License-Identifier: Apache-2.0

/// One line on a terminal, redrawn in place: how much is done, how fast, how long it still takes.
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
