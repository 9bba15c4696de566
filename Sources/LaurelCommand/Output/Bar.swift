// SPDX-License-Identifier: Apache-2.0

/// Bars of a fixed width: blocks on a terminal, ASCII elsewhere.
extension Style {
    /// A bar that shows a share of a whole.
    /// - Parameter fraction: the share, limited to 0…1.
    func bar(_ fraction: Double, width: Int, _ colour: Colour = .green) -> String {
        let fraction = fraction.isFinite ? min(max(fraction, 0), 1) : 0
        guard isTerminal else {
            // The share is rounded down, so that only a complete share looks complete.
            let filled = Int((fraction * Double(width)).rounded(.down))
            return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "]"
        }
        let eighths = Int((fraction * Double(width) * 8).rounded(.down))
        let partial = eighths % 8 == 0 ? "" : String(Style.partialBlocks[eighths % 8 - 1])
        let filled = String(repeating: "█", count: eighths / 8) + partial
        let rest = String(repeating: "░", count: width - eighths / 8 - (partial.isEmpty ? 0 : 1))
        return paint(filled, colour) + paint(rest, .dim)
    }

    private static let partialBlocks = Array("▏▎▍▌▋▊▉")

    /// A part of a stacked bar.
    struct Segment {
        var name: String
        var count: Int
        /// The character of the bar on a terminal. The second character is for files and pipes.
        var block: Character
        var letter: Character
        var colour: Colour
    }

    /// A bar of the parts of a whole. If there is room, each part that is not empty gets at least one cell.
    func stackedBar(_ segments: [Segment], width: Int) -> String {
        let cells = Style.apportion(segments.map(\.count), among: width)
        let bar = zip(segments, cells).map { segment, cells in
            paint(String(repeating: isTerminal ? segment.block : segment.letter, count: cells), segment.colour)
        }.joined()
        return isTerminal ? bar : "[\(bar)]"
    }

    /// The character that stands for a segment in the legend of the bar.
    func swatch(_ segment: Segment) -> String {
        paint(String(isTerminal ? segment.block : segment.letter), segment.colour)
    }

    /// Distributes `total` cells in proportion to the counts, by the largest-remainder method.
    static func apportion(_ counts: [Int], among total: Int) -> [Int] {
        let sum = counts.reduce(0, +)
        guard sum > 0 else { return counts.map { _ in 0 } }
        let present = counts.count { $0 > 0 }
        let minimum = present <= total ? 1 : 0
        let free = total - present * minimum
        let exact = counts.map { Double($0) / Double(sum) * Double(free) }
        var shares = zip(counts, exact).map { count, exact in count > 0 ? minimum + Int(exact) : 0 }
        let byRemainder = counts.indices.sorted {
            (exact[$1] - exact[$1].rounded(.down), $0) < (exact[$0] - exact[$0].rounded(.down), $1)
        }
        for index in byRemainder.prefix(total - shares.reduce(0, +)) { shares[index] += 1 }
        return shares
    }
}
