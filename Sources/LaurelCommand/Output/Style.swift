// SPDX-License-Identifier: Apache-2.0

/// How results may look on the stream they go to.
struct Style: Sendable {
    enum Colour: String, Sendable {
        case bold = "1", dim = "2", red = "31", green = "32", yellow = "33", blue = "34", magenta = "35", cyan = "36"
    }

    /// Block characters and fitting to a width are for terminals only.
    let isTerminal: Bool
    let hasColour: Bool
    /// In cells, at least ``narrowest``; nil where there is no limit.
    let width: Int?

    /// What a file or a pipe gets.
    static let plain = Style(isTerminal: false, hasColour: false, width: nil)

    /// Nothing is fitted to less.
    private static let narrowest = 20

    /// What a stream gets: `COLUMNS` counts before the terminal's own width, and where there is no terminal.
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
