// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A diagnostic as compilers print it: the position and the mistake, the source line, carets below the marked part, and
/// the correction.
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

    /// The diagnostic as several lines, each with a line break. Scripts and editors read the first line.
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

    /// The minimum number of cells of a line that are shown, however narrow the terminal is.
    private static let narrowest = 20
}

/// A line of a file, cut to a terminal's width around its marked part.
private struct MarkedLine {
    /// The distance of the mark from the start of the shown part, in cells.
    let markStart: Int
    let markWidth: Int
    private let shown: String

    /// A grapheme cluster. A terminal draws its characters in the same cells.
    private struct Cluster {
        var text: String
        var width: Int
        /// The number of code points before the cluster in the line.
        var start: Int
    }

    init(_ excerpt: SourceExcerpt, width: Int) {
        let clusters = Self.clusters(excerpt.text)
        let codePoints = excerpt.text.unicodeScalars.count
        /// The number of cells before each cluster. The last element is the number of cells of all clusters.
        let cells = clusters.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.width) }
        let first = clusters.lastIndex { $0.start <= excerpt.mark.lowerBound && excerpt.mark.lowerBound < codePoints }
        let start = first ?? clusters.count
        let end = max(start, clusters.firstIndex { $0.start >= excerpt.mark.upperBound } ?? clusters.count)

        // A third of the width shows text before the mark. If the line ends soon after the mark, there is more text
        // before it.
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

    /// The clusters of a line. Tabs become blanks, because a terminal's tab stops are unknown. Unsafe characters become
    /// escapes.
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

    /// The text in a form that a terminal shows in its original order. If a terminal reordered right-to-left text, the
    /// caret would not be below the marked part.
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
