// SPDX-License-Identifier: Apache-2.0

/// The style of output on a stream.
struct Style: Sendable {
    enum Colour: String, Sendable {
        case bold = "1", dim = "2", red = "31", green = "32", yellow = "33", blue = "34", magenta = "35", cyan = "36"
    }

    /// True if the stream is a terminal. Only terminals get block characters and a limited width.
    let isTerminal: Bool
    let hasColour: Bool
    /// The width in cells, at least ``narrowest``; nil for no limit.
    let width: Int?

    /// The style for a file or a pipe.
    static let plain = Style(isTerminal: false, hasColour: false, width: nil)

    /// The minimum width to which output is fitted, in cells.
    private static let narrowest = 20

    /// The style for a stream. `COLUMNS` takes precedence over the terminal's own width, and also applies without a
    /// terminal.
    init(of stream: Int32) {
        isTerminal = System.isTerminal(stream)
        hasColour = isTerminal && System.environment("NO_COLOR") == nil && System.environment("TERM") != "dumb"
        let asked = System.environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        width = (asked ?? (isTerminal ? System.width(stream) ?? 80 : nil)).map { max($0, Self.narrowest) }
    }

    init(isTerminal: Bool, hasColour: Bool, width: Int?) {
        self.isTerminal = isTerminal
        self.hasColour = hasColour
        self.width = width
    }

    func paint(_ text: String, _ colour: Colour) -> String {
        hasColour && !text.isEmpty ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
