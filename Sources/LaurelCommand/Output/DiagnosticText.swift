// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A diagnostic as a compiler shows it: what is wrong and where, the line, a caret under the place, and under that what
/// would be right.
///
///     rules.yaml:3:18: error: unknown event type `line.spokn`; did you mean `line.spoken`?
///       3 |   lines: {count: line.spokn}
///         |                  ^~~~~~~~~~
///         |                  line.spoken
struct DiagnosticText {
    private let diagnostic: Diagnostic
    private let style: Style

    init(_ diagnostic: Diagnostic, style: Style) {
        self.diagnostic = diagnostic
        self.style = style
    }

    /// Several lines, each ended. The first is the one that scripts and editors read.
    var text: String {
        heading + "\n" + (diagnostic.excerpt.map(excerptLines) ?? "")
    }

    private var heading: String {
        let place = "\(Visible.text(diagnostic.file)):\(diagnostic.line):\(diagnostic.column):"
        let severity = style.paint("\(diagnostic.severity.rawValue):", colour)
        return "\(style.paint(place, .bold)) \(severity) \(Visible.text(diagnostic.message))"
    }

    private var colour: Style.Colour {
        switch diagnostic.severity {
        case .error: .red
        case .warning: .magenta
        }
    }

    private func excerptLines(_ excerpt: SourceExcerpt) -> String {
        let number = "\(diagnostic.line)"
        let blank = String(repeating: " ", count: number.count)
        let gutter = number.count + 5
        let line = MarkedLine(excerpt, width: max(DiagnosticText.narrowest, (style.width ?? 120) - gutter))
        let indent = String(repeating: " ", count: line.markStart)
        let mark = "^" + String(repeating: "~", count: max(0, line.markWidth - 1))
        var lines = [
            style.paint("  \(number) | ", .dim) + line.text(forTerminal: style.isTerminal),
            style.paint("  \(blank) | ", .dim) + indent + style.paint(mark, .green),
        ]
        if let suggestion = diagnostic.suggestion {
            lines.append(style.paint("  \(blank) | ", .dim) + indent + style.paint(Visible.text(suggestion), .green))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Cells of a line that are shown, however narrow the terminal.
    private static let narrowest = 20
}

/// A line of a file in the cells of a terminal, cut to a width around what is marked in it.
private struct MarkedLine {
    /// In cells from the start of what is shown.
    let markStart: Int
    let markWidth: Int
    private let shown: String

    /// What a terminal draws in one place, which may be several code points.
    private struct Cluster {
        var text: String
        var width: Int
        /// The code points of the line before it.
        var start: Int
    }

    init(_ excerpt: SourceExcerpt, width: Int) {
        let clusters = Self.clusters(excerpt.text)
        let codePoints = excerpt.text.unicodeScalars.count
        /// Cells before each cluster, and in all.
        let cells = clusters.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.width) }
        let first = clusters.lastIndex { $0.start <= excerpt.mark.lowerBound && excerpt.mark.lowerBound < codePoints }
        let start = first ?? clusters.count
        let end = max(start, clusters.firstIndex { $0.start >= excerpt.mark.upperBound } ?? clusters.count)

        // A third of the width before the mark, more where the line ends soon.
        var from = 0
        while from < start, cells[start] - cells[from] > width / 3, cells[clusters.count] - cells[from] > width - 2 {
            from += 1
        }
        let isCutBefore = from > 0 || excerpt.isCutBefore
        let room = width - (isCutBefore ? 1 : 0)
        var to = clusters.count
        if excerpt.isCutAfter || cells[to] - cells[from] > room {
            while to > from, cells[to] - cells[from] > room - 1 { to -= 1 }
        }
        let isCutAfter = to < clusters.count || excerpt.isCutAfter
        shown =
            (isCutBefore ? "…" : "") + clusters[from..<to].map(\.text).joined() + (isCutAfter ? "…" : "")
        markStart = cells[start] - cells[from] + (isCutBefore ? 1 : 0)
        markWidth = cells[max(start, min(end, to))] - cells[start]
    }

    /// Tabs become blanks, because a terminal's tab stops are unknown. Unsafe characters become escapes.
    private static func clusters(_ line: String) -> [Cluster] {
        var clusters: [Cluster] = []
        var start = 0
        var cell = 0
        for character in line {
            let text =
                character == "\t"
                ? String(repeating: " ", count: tabWidth - cell % tabWidth) : Visible.text(String(character))
            clusters.append(Cluster(text: text, width: text.cellWidth, start: start))
            start += character.unicodeScalars.count
            cell += text.cellWidth
        }
        return clusters
    }

    private static let tabWidth = 4

    /// A terminal that reorders right-to-left text would separate the caret from its place. So such a line asks to be
    /// drawn in the order in which it is written.
    func text(forTerminal isTerminal: Bool) -> String {
        guard isTerminal, shown.unicodeScalars.contains(where: isRightToLeft) else { return shown }
        return "\u{202D}\(shown)\u{202C}"
    }

    private func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
