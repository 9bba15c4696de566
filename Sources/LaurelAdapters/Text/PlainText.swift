// SPDX-License-Identifier: Apache-2.0

/// The text of a field of an Anki card, on one line.
enum PlainText {
    /// The text without HTML (see ``HTMLText``), `[sound:…]` and cloze marks. Each run of white space becomes one
    /// space.
    /// - Complexity: O(length).
    static func of(_ html: String) -> String {
        let bytes = Array(html.utf8)
        let hasMarkup = bytes.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
        var marks = AnkiMarks(hasMarkup ? HTMLText.read(bytes) : bytes)
        marks.remove()
        return String(decoding: oneLine(marks.output), as: UTF8.self)
    }

    /// The text on one line. U+00A0 counts as white space, because editors write it as the second of two spaces.
    private static func oneLine(_ text: [UInt8]) -> [UInt8] {
        var line: [UInt8] = []
        var isApart = false
        var position = 0
        while position < text.count {
            let byte = text[position]
            let isNoBreakSpace = byte == 0xC2 && position + 1 < text.count && text[position + 1] == 0xA0
            position += isNoBreakSpace ? 2 : 1
            if isNoBreakSpace || byte == 0x20 || 0x09...0x0D ~= byte {
                isApart = !line.isEmpty
            } else {
                if isApart { line.append(0x20) }
                isApart = false
                line.append(byte)
            }
        }
        return line
    }
}

/// Removes Anki's marks. `[sound:a.mp3]` is removed, and `{{c1::word::hint}}` becomes the word.
private struct AnkiMarks {
    private(set) var output: [UInt8] = []
    private let text: [UInt8]
    private var position = 0
    private var clozeDepth = 0
    /// The position of the last closing bracket. After it, no mark can begin.
    private let lastBracket: Int

    init(_ text: [UInt8]) {
        self.text = text
        lastBracket = text.lastIndex(of: UInt8(ascii: "]")) ?? -1
    }

    mutating func remove() {
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "["): skipSound()
            case UInt8(ascii: "{"): openCloze()
            case UInt8(ascii: ":"): skipHint()
            case UInt8(ascii: "}"): closeCloze()
            default: take()
            }
        }
    }

    private mutating func take() {
        output.append(text[position])
        position += 1
    }

    private func nextIs(_ word: StaticString) -> Bool {
        text[position...].starts(with: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func skipSound() {
        guard position < lastBracket, nextIs("[sound:"), let end = text[position...].firstIndex(of: UInt8(ascii: "]"))
        else { return take() }
        position = end + 1
    }

    private mutating func openCloze() {
        guard nextIs("{{c") else { return take() }
        let number = text[(position + 3)...].prefix(4).prefix { 48...57 ~= $0 }
        guard (1...3).contains(number.count), text[number.endIndex...].starts(with: "::".utf8) else { return take() }
        clozeDepth += 1
        position = number.endIndex + 2
    }

    private mutating func skipHint() {
        guard clozeDepth > 0, nextIs("::") else { return take() }
        while position < text.count, !nextIs("}}") { position += 1 }
    }

    private mutating func closeCloze() {
        guard clozeDepth > 0, nextIs("}}") else { return take() }
        clozeDepth -= 1
        position += 2
    }
}
