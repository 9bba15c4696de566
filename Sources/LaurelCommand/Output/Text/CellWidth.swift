// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The number of terminal cells that the text occupies: two for East Asian wide characters and emoji, zero for
    /// combining characters.
    var cellWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.cellWidth }
    }

    /// The text followed by blanks up to a width in cells. A wider text is not changed.
    func padded(toCells width: Int) -> String { self + String(repeating: " ", count: max(0, width - cellWidth)) }

    /// The longest beginning of the text that fits a width in cells. If text is cut off, the result ends with `…`.
    func cut(toCells width: Int) -> String {
        guard cellWidth > width else { return self }
        var cells = 1
        var result = ""
        for character in self {
            cells += character.cellWidth
            guard cells <= width else { break }
            result.append(character)
        }
        return width > 0 ? result + "…" : ""
    }
}

extension Character {
    /// The width of the character's widest scalar: 0, 1 or 2 cells. A terminal draws all scalars of a character in the
    /// same cells.
    fileprivate var cellWidth: Int {
        var widest = 0
        for scalar in unicodeScalars {
            // Variation selector 16 requests the picture of an emoji, which is two cells wide.
            if scalar.value == 0xFE0F { return 2 }
            widest = max(widest, scalar.cellWidth)
        }
        return widest
    }
}

extension Unicode.Scalar {
    fileprivate var cellWidth: Int {
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        return isWide ? 2 : 1
    }

    private var isWide: Bool {
        if properties.isEmojiPresentation { return true }
        return Unicode.Scalar.wideRanges.contains { $0.contains(value) }
    }

    /// East Asian Width W and F of Unicode 16, without emoji. Unassigned code points within blocks are included.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x16FF1, 0x17000...0x18CFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D356,
        0x1F200...0x1F320, 0x20000...0x3FFFD,
    ]
}
